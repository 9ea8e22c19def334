//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of `fuser.host` that distribute launches over streams.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_HOSTSTREAMOPS_H
#define FUSER_DIALECT_IR_HOSTSTREAMOPS_H

#include "fuser/Dialect/IR/Fuser.h"

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostStreamOps.h.inc"

#endif // FUSER_DIALECT_IR_HOSTSTREAMOPS_H
