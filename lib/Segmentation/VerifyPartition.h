//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether the kernels of a partition can be lowered.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_VERIFYPARTITION_H
#define FUSER_LIB_SEGMENTATION_VERIFYPARTITION_H

#include "ScheduleQuery.h"

namespace fuser {

/// Builds the kernel of each segment as outlining does, and checks with `options.verifier` that
/// lowering takes the schedule that the kernel gets. If only a slower scheduler's schedule is
/// taken, Segment::only names it. If none is, the segment's ops are appended to `refused`, unless
/// it is one op. In both cases a sentence is appended to `fallbacks`. Fails with the diagnostics of
/// outlining.
mlir::LogicalResult verifyPartition(FusionOp fusion, const ExtentAnalysis &analysis,
                                    const SegmentationOptions &options, Partition &partition,
                                    std::vector<RefusedGroup> &refused,
                                    std::vector<std::string> &fallbacks);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_VERIFYPARTITION_H
