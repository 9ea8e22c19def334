//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_HELDDIAGNOSTICS_H
#define FUSER_SCHEDULING_HELDDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace fuser {

/// Holds the diagnostics that are emitted during its lifetime. The destructor drops those that were
/// not taken.
class HeldDiagnostics {
public:
  explicit HeldDiagnostics(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          held.push_back(std::move(diagnostic));
          return mlir::success();
        }) {}

  std::vector<mlir::Diagnostic> take() { return std::move(held); }

  /// The text of the first error, or `otherwise` if there is none.
  std::string getFirstError(llvm::StringRef otherwise) const {
    for (const mlir::Diagnostic &diagnostic : held)
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        return diagnostic.str();
    return otherwise.str();
  }

private:
  std::vector<mlir::Diagnostic> held;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_HELDDIAGNOSTICS_H
