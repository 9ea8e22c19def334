//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts programs of front ends to fusions, before compile().
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_COMPILER_IMPORT_H
#define FUSER_COMPILER_IMPORT_H

#include "fuser/Artifact/DType.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace fuser {

/// The values of a tensor, row-major and dense; a bool is one byte.
struct ImportedConstant {
  artifact::DType dtype = artifact::DType::F32;
  std::vector<int64_t> sizes;
  std::vector<char> bytes;
};

/// The constants of each program, by name. They become the last arguments of the program, and the
/// caller passes them at each call. A program without constants has no entry.
struct ImportedProgram {
  std::map<std::string, std::vector<ImportedConstant>> constants;
};

/// Registers the dialects that importProgram reads: func, linalg, tensor, tosa, arith, math,
/// complex, affine, index, cf, and fuser itself; and those that programs of front ends hold next to
/// these (scf, ml_program).
void registerImportDialects(mlir::DialectRegistry &registry);

/// Converts the functions of `module` to fusions: inlines calls, converts TOSA to linalg and linalg
/// to fuser, and replaces functions that only call a fusion by that fusion. A module that already
/// has fusions, kernels or host functions is only changed if `program` is a function of it.
/// Assertions become facts of sizes, which calls are checked for, or are dropped with a remark.
/// Fails with an error at the first op of a function that cannot be converted. With a `program`,
/// only the function of that name is converted, and other ones are erased.
mlir::FailureOr<ImportedProgram> importProgram(mlir::ModuleOp module, llvm::StringRef program = {});

} // namespace fuser

#endif // FUSER_COMPILER_IMPORT_H
