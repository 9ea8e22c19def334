//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `fuser.border`: for those that build, schedule and lower kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_BORDEROPS_H
#define FUSER_DIALECT_IR_BORDEROPS_H

#include "fuser/Dialect/IR/Fuser.h"

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/BorderOps.h.inc"

#endif // FUSER_DIALECT_IR_BORDEROPS_H
