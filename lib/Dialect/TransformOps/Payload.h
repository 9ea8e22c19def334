//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Helpers that the ops share: payload of the right kind, and captured diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_TRANSFORMOPS_PAYLOAD_H
#define FUSER_LIB_DIALECT_TRANSFORMOPS_PAYLOAD_H

#include "fuser/Dialect/TransformOps/TransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include <optional>

namespace fuser::transform_ops {

/// While it lives, captures the diagnostics of this thread in the context, so that a transform op
/// can report them at itself. Diagnostics that are not taken, such as the remarks of a success, are
/// dropped.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext *context);

  /// The first error as a failure of the transform op `op`, with a note where it was reported and
  /// its own notes; `payload` is the target of the op. `otherwise` is the text if nothing was
  /// reported. Silenceable: the payload must be unchanged.
  mlir::DiagnosedSilenceableFailure makeSilenceable(mlir::Operation *op, mlir::Operation *payload,
                                                    llvm::StringRef otherwise = "") const;
  /// The same if the payload may have changed. Ends the capture, because a definite failure is
  /// reported immediately.
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

/// Changes the schedules of `views` by `edit` and verifies them; if that fails, restores all of
/// them after a diagnostic.
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

/// The kernel that contains `view`; fails if there is none.
mlir::DiagnosedSilenceableFailure getKernelOf(mlir::Operation *op, TensorViewOpInterface view,
                                              KernelOp &kernel);

} // namespace fuser::transform_ops

#endif // FUSER_LIB_DIALECT_TRANSFORMOPS_PAYLOAD_H
