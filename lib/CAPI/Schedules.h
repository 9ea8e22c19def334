//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules that callers from C choose.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CAPI_SCHEDULES_H
#define FUSER_LIB_CAPI_SCHEDULES_H

#include "fuser/Artifact/Error.h"
#include "fuser/Pipelines/Pipelines.h"

#include <functional>

namespace fuser::capi {

/// Called after each phase: restricts the kernels to `scheduler` (may be null) or sets `schedule`
/// (may be null), the text of an attribute, as their parameters. Fails with InvalidProgram for a
/// text that is no attribute.
artifact::Expected<std::function<void(Phase, mlir::ModuleOp)>> forceSchedule(const char *scheduler,
                                                                             const char *schedule);

} // namespace fuser::capi

#endif // FUSER_LIB_CAPI_SCHEDULES_H
