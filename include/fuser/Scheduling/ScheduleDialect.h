//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect `fuser_sched`: parameters of schedules as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULEDIALECT_H
#define FUSER_SCHEDULING_SCHEDULEDIALECT_H

#include "fuser/Scheduling/ScheduleParameter.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "fuser/Scheduling/ScheduleDialect.h.inc"
#include "fuser/Scheduling/ScheduleEnums.h.inc"
#include "fuser/Scheduling/ScheduleInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Scheduling/ScheduleAttrs.h.inc"

#endif // FUSER_SCHEDULING_SCHEDULEDIALECT_H
