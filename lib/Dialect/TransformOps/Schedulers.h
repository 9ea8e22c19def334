//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Access to the schedulers that the extension was registered with.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_TRANSFORMOPS_SCHEDULERS_H
#define FUSER_LIB_DIALECT_TRANSFORMOPS_SCHEDULERS_H

#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace fuser::transform_ops {

/// The schedulers of the extension in `context`.
const SchedulerRegistry &getSchedulers(mlir::MLIRContext *context);

} // namespace fuser::transform_ops

#endif // FUSER_LIB_DIALECT_TRANSFORMOPS_SCHEDULERS_H
