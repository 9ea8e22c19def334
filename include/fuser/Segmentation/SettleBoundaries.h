//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one place where the order of a boundary between kernels changes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_SETTLEBOUNDARIES_H
#define FUSER_SEGMENTATION_SETTLEBOUNDARIES_H

#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {

/// Grants wishes of schedulers about the buffers of a host function: changes the order of a
/// `fuser.alloc`, and with it the kernel that writes it and those that read it, where the written
/// value bears a hint, the program requires nothing of it, and every kernel concerned is still
/// accepted and wishes nothing else. Returns how many orders changed. See
/// `fuser-settle-boundaries`.
unsigned settleBoundaries(HostOp host, mlir::SymbolTable &symbols,
                          const SchedulerRegistry &registry);

} // namespace fuser

#endif // FUSER_SEGMENTATION_SETTLEBOUNDARIES_H
