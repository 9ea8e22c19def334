//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A version of what a thread does for threads far from the borders of tensors.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_INTERIORVERSION_H
#define FUSER_LIB_LOWERING_INTERIORVERSION_H

#include "ValueRanges.h"

namespace fuser {

/// Adds a version without the guards and selections of borders: one branch compares the indices
/// that they test, once for each dimension, and its other region is what the thread did before.
/// Does nothing if few tests become known, if too many warps have threads near a border, if the
/// code is long, or if all threads wait for the launch before. The kernel has no loops or exchanges
/// between threads (docs/adr/0187-interiors-and-shared-addresses.md).
void addInteriorVersion(mlir::gpu::GPUFuncOp function, const LaunchSizes &launch);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_INTERIORVERSION_H
