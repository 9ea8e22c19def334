//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads a program from a file, with the names that the text gives to arguments.
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
  /// What is run and checked: a function of `module`.
  mlir::FunctionOpInterface program;
  /// Names of the arguments in the text, without "%"; empty where there is none.
  std::vector<std::string> argumentNames;
  /// Values of the last arguments, which the text has as constants.
  std::vector<ImportedConstant> constants;
};

/// Reads and verifies `path` ("-": standard input), text or bytecode, and chooses the program: the
/// `fuser.fusion` (where there is none: `fuser.host`, then `fuser.kernel`) called `name`, or the
/// only one where `name` is empty. `sources` gets the text, so that diagnostics can show it; its
/// lifetime is that of diagnostics. Fails with a diagnostic.
mlir::FailureOr<ProgramFile> readProgram(const std::string &path, llvm::StringRef name,
                                         llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace fuser::driver

#endif // FUSER_DRIVER_PROGRAMFILE_H
