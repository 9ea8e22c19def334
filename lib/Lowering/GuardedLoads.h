//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads under guards: paddings, shifted reads, parts that are joined.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_GUARDEDLOADS_H
#define FUSER_LIB_LOWERING_GUARDEDLOADS_H

#include "KnownComparisons.h"

namespace fuser {

/// Makes loads under guards cost few instructions (docs/adr/0185-loads-under-guards.md): guards
/// that are known disappear (`foldKnownIndices`), what all guards of a thread have in common is one
/// branch (`branchOnCommonGuard`), neighboring elements share loads (`shareLoads`), and constants
/// outside are in the registers of the load (`selectBeforeLoads`). Kernels with loops or exchanges
/// between threads only get the last one.
void optimizeGuardedLoads(mlir::gpu::GPUFuncOp function, const LaunchSizes &launch);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_GUARDEDLOADS_H
