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

#include "fuser/Scheduling/ScheduleVerifier.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {

/// How to settle.
struct SettleOptions {
  const SchedulerRegistry *registry;
  /// The device that times are predicted for.
  const artifact::DeviceDescription &device;
  /// Checks that lowering takes the schedules of changed kernels; may be empty.
  ScheduleVerifier verifier = {};
};

/// Applies the orders that schedulers prefer for the buffers of a host function: changes the order
/// of a `fuser.alloc`, and with it the kernel that writes it and those that read it, if the order
/// is a default or the written value has a hint, the program has no requirement on it, every
/// affected kernel is still accepted, and their predicted time does not increase. Returns the
/// number of changed orders. See `fuser-settle-boundaries`.
unsigned settleBoundaries(HostOp host, mlir::SymbolTable &symbols, const SettleOptions &options);

} // namespace fuser

#endif // FUSER_SEGMENTATION_SETTLEBOUNDARIES_H
