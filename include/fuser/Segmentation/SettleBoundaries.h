//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only transformation that changes the order of a boundary between kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_SETTLEBOUNDARIES_H
#define FUSER_SEGMENTATION_SETTLEBOUNDARIES_H

#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {

/// Applies the orders that schedulers prefer for the buffers of a host function: changes the order
/// of a `fuser.alloc`, and with it the kernel that writes it and those that read it, if the written
/// value has a hint, the program has no requirement on it, and every affected kernel is still
/// accepted and prefers no other order. Returns the number of changed orders. See
/// `fuser-settle-boundaries`.
unsigned settleBoundaries(HostOp host, mlir::SymbolTable &symbols,
                          const SchedulerRegistry &registry);

} // namespace fuser

#endif // FUSER_SEGMENTATION_SETTLEBOUNDARIES_H
