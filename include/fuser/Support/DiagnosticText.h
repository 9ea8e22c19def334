//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The diagnostics of a context as text, for callers that take errors as values.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_DIAGNOSTICTEXT_H
#define FUSER_SUPPORT_DIAGNOSTICTEXT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace fuser {

namespace detail {
/// Constructed before the handler, which refers to both.
struct DiagnosticBuffer {
  DiagnosticBuffer(llvm::StringRef source, llvm::StringRef name);
  llvm::SourceMgr sources;
  std::string text;
  llvm::raw_string_ostream stream{text};
};
} // namespace detail

/// Collects errors and their notes while it lives; with the line of the source and a caret where
/// the location lies in the buffer called `name`. Other diagnostics are dropped.
class DiagnosticText : detail::DiagnosticBuffer, mlir::SourceMgrDiagnosticHandler {
public:
  DiagnosticText(mlir::MLIRContext *context, llvm::StringRef source, llvm::StringRef name);

  /// The errors so far, one after another, without a final line break; leaves none.
  std::string take();
};

} // namespace fuser

#endif // FUSER_SUPPORT_DIAGNOSTICTEXT_H
