//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Launches that are to overlap on several streams.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STREAMLAUNCHES_H
#define FUSER_LIB_SEGMENTATION_STREAMLAUNCHES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/LaunchStreams.h"

namespace fuser {

/// Gives launches of `host` a `fuser_sched.stream` if several streams are predicted to take less
/// time than one; does nothing to programs with loops over streams. `estimates` are by name of the
/// kernel; without one of each launch nothing is predicted. With `force`, several streams are used
/// wherever dependences permit it. Returns the number of streams, or 0.
unsigned planLaunchStreams(HostOp host, mlir::SymbolTable &symbols,
                           const llvm::DenseMap<mlir::StringAttr, KernelEstimate> &estimates,
                           const artifact::DeviceDescription &device, bool force = false);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STREAMLAUNCHES_H
