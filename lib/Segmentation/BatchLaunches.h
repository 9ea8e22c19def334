//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Horizontal fusion: launches of similar independent kernels that are to become one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_BATCHLAUNCHES_H
#define FUSER_LIB_SEGMENTATION_BATCHLAUNCHES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/LaunchBatch.h"

namespace fuser {

/// Gives launches of `host` that are predicted to take less time together the same
/// `fuser_sched.batch`: launches that are independent, and whose kernels have the same ops on the
/// same element types, whatever their ranks and sizes. `estimates` are by name of the kernel; the
/// launch of a kernel without one is in no batch. Returns the number of batches.
unsigned batchLaunches(HostOp host, mlir::SymbolTable &symbols,
                       const llvm::DenseMap<mlir::StringAttr, KernelEstimate> &estimates,
                       const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_BATCHLAUNCHES_H
