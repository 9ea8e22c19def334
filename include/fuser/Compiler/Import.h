//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts programs of front ends to one fusion, before compile().
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_COMPILER_IMPORT_H
#define FUSER_COMPILER_IMPORT_H

#include "fuser/Artifact/DType.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include <vector>

namespace fuser {

/// The values of a tensor, row-major and dense; a bool is one byte.
struct ImportedConstant {
  artifact::DType dtype = artifact::DType::F32;
  std::vector<int64_t> sizes;
  std::vector<char> bytes;
};

/// Constants of the program. They become its last arguments, and the caller passes them at each
/// call.
struct ImportedProgram {
  std::vector<ImportedConstant> constants;
};

/// Registers the dialects that importProgram reads: func, linalg, tensor, tosa, arith, math,
/// affine, cf, and fuser itself.
void registerImportDialects(mlir::DialectRegistry &registry);

/// Converts the functions of `module` to fusions: converts TOSA to linalg and linalg to fuser, and
/// replaces functions that only call a fusion by that fusion. A module that already has fusions,
/// kernels or host functions is not changed. Assertions in bodies are dropped, with a remark. Fails
/// with an error at the first op of a function that cannot be converted.
mlir::FailureOr<ImportedProgram> importProgram(mlir::ModuleOp module);

} // namespace fuser

#endif // FUSER_COMPILER_IMPORT_H
