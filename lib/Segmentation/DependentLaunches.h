//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Launches that are to begin before the launches before them have ended.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_DEPENDENTLAUNCHES_H
#define FUSER_LIB_SEGMENTATION_DEPENDENTLAUNCHES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/LaunchStreams.h"

namespace fuser {

/// Gives launches of `host` directly after another one of their stream a `fuser.dependent`. It is
/// "early" if all blocks of the launch before fit on the device at once at the expected sizes: the
/// trigger costs a block more than what a grid of many waves hides by it. `estimates` are by name
/// of the kernel. Returns the number of such launches.
unsigned markDependentLaunches(HostOp host,
                               const llvm::DenseMap<mlir::StringAttr, KernelEstimate> &estimates,
                               const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_DEPENDENTLAUNCHES_H
