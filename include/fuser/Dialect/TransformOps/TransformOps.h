//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The extension of MLIR's transform dialect: schedules as text. Ops are described in the .td files.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMOPS_TRANSFORMOPS_H
#define FUSER_DIALECT_TRANSFORMOPS_TRANSFORMOPS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <memory>

namespace fuser {

/// Adds the ops to the transform dialect of every context made from `dialects`.
/// `transform.fuser.choose` and `transform.fuser.apply` use `schedulers`.
void registerTransformOps(mlir::DialectRegistry &dialects,
                          std::shared_ptr<const SchedulerRegistry> schedulers);

} // namespace fuser

namespace fuser::transform_ops {

/// Applies `edit` to each of `payload` for the transform op `op`. If an element is not an op with
/// domains, or if `edit` refuses it with a diagnostic, the result is a silenceable failure at `op`
/// with a note at the payload; the schedules of all ops of `payload` are then restored.
mlir::DiagnosedSilenceableFailure
applyToEach(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> payload,
            llvm::function_ref<mlir::LogicalResult(TensorViewOpInterface)> edit);

} // namespace fuser::transform_ops

#define GET_OP_CLASSES
#include "fuser/Dialect/TransformOps/TransformOps.h.inc"

#endif // FUSER_DIALECT_TRANSFORMOPS_TRANSFORMOPS_H
