//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The context in which a tool reads a program.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_PROGRAMCONTEXT_H
#define FUSER_LIB_DRIVER_PROGRAMCONTEXT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

namespace fuser::driver {

/// A context with the dialects of `registry` and those of the compiler, whose output is read too;
/// diagnostics go to `errors` and show lines of the sources.
struct ProgramContext {
  ProgramContext(const mlir::DialectRegistry &registry, llvm::raw_ostream &errors);

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler;
};

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_PROGRAMCONTEXT_H
