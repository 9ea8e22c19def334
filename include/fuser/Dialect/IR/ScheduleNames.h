//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The attributes of a scheduled op that form its schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_SCHEDULENAMES_H
#define FUSER_DIALECT_IR_SCHEDULENAMES_H

#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/IR/Updates.h"

namespace fuser {

inline constexpr llvm::StringLiteral kScheduleNames[] = {
    "domains",       "memory",      "inline_at",        kStagesName,
    kCopyEngineName, kCopyRoleName, kRoleRegistersName, kPrivatizedName};

} // namespace fuser

#endif // FUSER_DIALECT_IR_SCHEDULENAMES_H
