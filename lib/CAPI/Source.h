//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as text: parsed, and specialized for arguments.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CAPI_SOURCE_H
#define FUSER_LIB_CAPI_SOURCE_H

#include "fuser-c/Fuser.h"
#include "fuser/CAPI/Runtime/Handles.h"
#include "fuser/Session/Program.h"
#include "fuser/Support/DiagnosticText.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuser::capi {

/// A parsed program with the diagnostics of what is done with it.
class Source {
public:
  /// Work on the program ends once `*interrupt` is not 0; null: never.
  explicit Source(const int *interrupt = nullptr);

  /// Parses and converts a program; it has one fusion or host function afterwards.
  artifact::Status read(const char *text, size_t length);
  /// Reads arguments; specializes the fusion for them if there are any.
  artifact::Status specializeFor(const fuser_argument *arguments, size_t count);
  /// The diagnostics so far as an error; Interrupted if the work was interrupted.
  artifact::Error fail(artifact::ErrorCode code);
  /// Fails if the work was interrupted, so that its result is incomplete.
  artifact::Status checkComplete();

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface program;
  Call call;

private:
  std::vector<session::Program::Parameter> getParameters();

  /// Made when the text is known.
  std::optional<DiagnosticText> diagnostics;
  InterruptionScope interruption;
};

} // namespace fuser::capi

#endif // FUSER_LIB_CAPI_SOURCE_H
