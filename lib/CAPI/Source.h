//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as text: parsed, and specialized for arguments.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CAPI_SOURCE_H
#define FUSER_LIB_CAPI_SOURCE_H

#include "Calls.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuser::capi {

/// A parsed program with the diagnostics of what is done with it.
class Source {
public:
  Source();

  /// Parses and converts a program; it has one fusion or host function afterwards.
  artifact::Status read(const char *text, size_t length);
  /// Reads arguments; specializes the fusion for them if there are any.
  artifact::Status specializeFor(const fuser_argument *arguments, size_t count);
  /// The diagnostics so far as an error.
  artifact::Error fail(artifact::ErrorCode code) const { return {code, diagnostics}; }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface program;
  Call call;

private:
  std::vector<session::Program::Parameter> getParameters();
  void record(mlir::Diagnostic &diagnostic);

  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace fuser::capi

#endif // FUSER_LIB_CAPI_SOURCE_H
