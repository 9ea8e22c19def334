//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULEVERIFIER_H
#define FUSER_SCHEDULING_SCHEDULEVERIFIER_H

#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Dialect/IR/Fuser.h"
#include <functional>

namespace fuser {

/// Checks whether a scheduled kernel can be lowered for a device. Lowering implements it and the
/// pipelines pass it to segmentation, which comes before lowering and does not depend on it.
///
/// Fails after a diagnostic at the op whose schedule cannot be lowered. Does not change the kernel.
/// Thread-safe. Null: every schedule is accepted.
using ScheduleVerifier =
    std::function<mlir::LogicalResult(KernelOp, const artifact::DeviceDescription &)>;

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULEVERIFIER_H
