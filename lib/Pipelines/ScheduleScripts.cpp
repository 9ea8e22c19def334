//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Pipelines/ScheduleScripts.h"
#include "fuser/Dialect/TransformOps/TransformOps.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

void fuser::registerScheduleScripts(mlir::DialectRegistry &dialects) {
  registerTransformOps(dialects, createDefaultRegistry());
}
