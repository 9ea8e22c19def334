//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Includes all ops of the room, for TableGen.

#ifndef FUSER_TRANSFORM_OPS
#define FUSER_TRANSFORM_OPS

include "fuser/Dialect/TransformOps/LoopOps.td"
include "fuser/Dialect/TransformOps/MatchOps.td"
include "fuser/Dialect/TransformOps/ScheduleOps.td"
include "fuser/Dialect/TransformOps/ValueOps.td"

#endif // FUSER_TRANSFORM_OPS
