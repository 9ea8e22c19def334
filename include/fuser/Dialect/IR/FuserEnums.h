//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_FUSERENUMS_H
#define FUSER_DIALECT_IR_FUSERENUMS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include "fuser/Dialect/IR/FuserEnums.h.inc"

#endif // FUSER_DIALECT_IR_FUSERENUMS_H
