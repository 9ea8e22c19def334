//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies of arguments in row-major order.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_COPYARGUMENTS_H
#define FUSER_SEGMENTATION_COPYARGUMENTS_H

#include "fuser/Segmentation/Partition.h"

namespace fuser {

/// Inserts a `fuser.segment_set` after each argument that is stored in another order than
/// row-major, if the kernels, with those that copy, are predicted to take less time than the
/// kernels that read the arguments where they are: each argument by itself, then the others
/// together. Does nothing, and asks no scheduler, for a fusion without such arguments or without
/// another tensor in row-major order; tries no copy that could not pay if the other kernels moved
/// each argument and output once. Returns the number of arguments that are copied.
unsigned copyTransposedArguments(FusionOp fusion, const SegmentationOptions &options);

} // namespace fuser

#endif // FUSER_SEGMENTATION_COPYARGUMENTS_H
