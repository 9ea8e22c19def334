//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Asks the schedulers whether one kernel could compute some ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_SCHEDULEQUERY_H
#define FUSER_LIB_SEGMENTATION_SCHEDULEQUERY_H

#include "KernelBuilder.h"
#include "fuser/Segmentation/Partition.h"

namespace fuser {

/// What the registry said of one group.
struct Verdict {
  /// The first scheduler that takes it, or null.
  const Scheduler *scheduler = nullptr;
  /// Why the ones before it do not, "scheduler: sentence".
  llvm::SmallVector<std::string> refusals;

  explicit operator bool() const { return scheduler != nullptr; }
};

class ScheduleQuery {
public:
  ScheduleQuery(FusionOp fusion, const ExtentAnalysis &analysis, const SegmentationOptions &options,
                SegmentationCounts &counts)
      : builder(fusion, analysis, options.hints), options(options), counts(counts) {}

  /// Asks about `ops`, in the order of the program: whether a scheduler accepts a kernel of them
  /// and finds parameters for the expected sizes. Nobody reads `recomputed` ones from this kernel.
  Verdict ask(llvm::ArrayRef<mlir::Operation *> ops,
              llvm::ArrayRef<mlir::Operation *> recomputed = {});

private:
  KernelBuilder builder;
  const SegmentationOptions &options;
  SegmentationCounts &counts;
};

/// The values of `ops` that others read or that are returned, as the outputs of a kernel: those
/// that are returned once for each position. `recomputed` ones have none.
llvm::SmallVector<KernelOutput> getOutputs(llvm::ArrayRef<mlir::Operation *> ops,
                                           llvm::ArrayRef<mlir::Operation *> recomputed = {});

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_SCHEDULEQUERY_H
