//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the ops share: payload of the right kind, and what functions report about it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_TRANSFORMOPS_PAYLOAD_H
#define FUSER_LIB_DIALECT_TRANSFORMOPS_PAYLOAD_H

#include "fuser/Dialect/TransformOps/TransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include <optional>

namespace fuser::transform_ops {

/// While it lives, keeps what this thread reports in the context, so that a transform op can report
/// it at itself. What nobody takes is dropped: remarks of a success.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext *context);

  /// The first error as a failure of the transform op `op`, with a note where it was reported and
  /// its own notes; `payload` is what the op was applied to. `otherwise` is the text where nothing
  /// was reported. Silenceable: the payload must be what it was.
  mlir::DiagnosedSilenceableFailure makeSilenceable(mlir::Operation *op, mlir::Operation *payload,
                                                    llvm::StringRef otherwise = "") const;
  /// The same where the payload may have changed. Ends the capture, since a definite failure is
  /// reported at once.
  mlir::DiagnosedSilenceableFailure makeDefinite(mlir::Operation *op, mlir::Operation *payload,
                                                 llvm::StringRef otherwise = "");

private:
  struct Report {
    mlir::Location location;
    std::string text;
    bool isError;
  };
  /// The text of the error and the notes to it.
  std::pair<std::string, llvm::SmallVector<Report>> summarize(mlir::Operation *payload,
                                                              llvm::StringRef otherwise) const;

  llvm::SmallVector<Report> reports;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
};

/// Changes the schedules of `views` by `edit` and verifies them; restores all where that fails,
/// after a diagnostic.
mlir::LogicalResult editSchedules(llvm::ArrayRef<TensorViewOpInterface> views,
                                  llvm::function_ref<mlir::LogicalResult()> edit);

/// A silenceable failure of the transform op `op` with a note at the payload.
mlir::DiagnosedSilenceableFailure refuse(mlir::Operation *op, mlir::Operation *payload,
                                         const llvm::Twine &message);

/// All of `payload` as kernels.
mlir::DiagnosedSilenceableFailure getKernels(mlir::Operation *op,
                                             llvm::ArrayRef<mlir::Operation *> payload,
                                             llvm::SmallVectorImpl<KernelOp> &kernels);

/// All of `payload` as ops with domains.
mlir::DiagnosedSilenceableFailure getViews(mlir::Operation *op,
                                           llvm::ArrayRef<mlir::Operation *> payload,
                                           llvm::SmallVectorImpl<TensorViewOpInterface> &views);

/// The one op with domains that a handle stands for; `what` names the handle.
mlir::DiagnosedSilenceableFailure getOneView(mlir::Operation *op, llvm::StringRef what,
                                             llvm::ArrayRef<mlir::Operation *> payload,
                                             TensorViewOpInterface &view);

/// The kernel of `view`; fails where it is in none.
mlir::DiagnosedSilenceableFailure getKernelOf(mlir::Operation *op, TensorViewOpInterface view,
                                              KernelOp &kernel);

} // namespace fuser::transform_ops

#endif // FUSER_LIB_DIALECT_TRANSFORMOPS_PAYLOAD_H
