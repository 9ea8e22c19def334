//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of `fuser.host` about the shapes of buffers: for those that write and read host functions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_HOSTSHAPEOPS_H
#define FUSER_DIALECT_IR_HOSTSHAPEOPS_H

#include "fuser/Dialect/IR/Fuser.h"

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostShapeOps.h.inc"

#endif // FUSER_DIALECT_IR_HOSTSHAPEOPS_H
