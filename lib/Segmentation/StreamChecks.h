//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a host loop over streams can run (S4.8).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STREAMCHECKS_H
#define FUSER_LIB_SEGMENTATION_STREAMCHECKS_H

#include "fuser/Analysis/StreamNest.h"

namespace fuser {

/// True if a value of the fusion, or an argument, is distributed over devices or streams.
bool isDistributed(FusionOp fusion);

/// Fails with a diagnostic at an op that is distributed over more than one device, that cannot
/// compute a part of its result alone, or whose result is in a buffer that its loops or those of
/// its users do not permit.
mlir::LogicalResult checkStreams(FusionOp fusion);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STREAMCHECKS_H
