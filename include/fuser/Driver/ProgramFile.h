//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads a program from a file, with the names of arguments in the text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_PROGRAMFILE_H
#define FUSER_DRIVER_PROGRAMFILE_H

#include "fuser/Compiler/Import.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>
#include <vector>

namespace fuser::driver {

struct ProgramFile {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The function of `module` to run and check.
  mlir::FunctionOpInterface program;
  /// Names of the arguments in the text, without "%"; empty where there is none.
  std::vector<std::string> argumentNames;
  /// Values of the last arguments, which are constants in the text.
  std::vector<ImportedConstant> constants;
};

/// Reads and verifies `path` ("-": standard input), text or bytecode, and selects the program: the
/// `fuser.fusion` (if there is none: `fuser.host`, then `fuser.kernel`) called `name`, or the only
/// one if `name` is empty. `sources` receives the text, so that diagnostics can show it, and must
/// outlive them. Fails with a diagnostic.
mlir::FailureOr<ProgramFile> readProgram(const std::string &path, llvm::StringRef name,
                                         llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace fuser::driver

#endif // FUSER_DRIVER_PROGRAMFILE_H
