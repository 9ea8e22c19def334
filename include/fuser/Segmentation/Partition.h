//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ops of a fusion run together.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_PARTITION_H
#define FUSER_SEGMENTATION_PARTITION_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Scheduling/ScheduleVerifier.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "fuser/Scheduling/SizeHints.h"
#include "fuser/Scheduling/TimeModel.h"
#include "fuser/Segmentation/DecisionLog.h"

namespace fuser {

/// Ops of a fusion that one kernel computes.
struct Segment {
  /// In the order of the program.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Those of them that another segment computes as well; nobody reads them from this one.
  llvm::SmallVector<mlir::Operation *> recomputed;
  /// The scheduler that accepted it; empty where nobody was asked: a library computes it, or
  /// kernels write it part by part.
  std::string scheduler;
  /// What one launch is expected to do, occupy and take (without the launch itself).
  KernelWork work = {};
  ResourceUse use = {};
  double microseconds = 0;
  /// All schedulers that accepted it, in the order of the registry.
  llvm::SmallVector<CandidateNote> candidates = {};
  /// The only scheduler whose schedule can be lowered, although another one has a lower predicted
  /// time; null: the fastest one's can be.
  const Scheduler *only = nullptr;
};

/// Segments in an order in which they can run: none needs a later one.
struct Partition {
  llvm::SmallVector<Segment, 0> segments;
  /// One sentence for each kernel that was split or rescheduled because lowering does not take the
  /// schedule of a scheduler that accepted it.
  std::vector<std::string> fallbacks = {};

  /// All ops in one segment.
  static Partition getWhole(FusionOp fusion);
  /// Every op in a segment of its own: segmentation off.
  static Partition getSingles(FusionOp fusion);
};

/// What segmentation asks and decides with.
struct SegmentationOptions {
  std::shared_ptr<const SchedulerRegistry> registry;
  /// What kernels would be scheduled for.
  artifact::DeviceDescription device;
  /// Expected sizes of the arguments of the fusion.
  SizeHints hints;
  /// Emit remarks: refusals, costs, boundaries.
  bool explain = false;
  /// Checks the kernels that are about to be kept.
  ScheduleVerifier verifier = {};
};

/// What segmentation did, for statistics and tests.
struct SegmentationCounts {
  /// Groups about which the registry was asked, and answers of single schedulers.
  unsigned queries = 0, answers = 0;
  /// Groups that were accepted whole, and groups that were taken apart.
  unsigned accepted = 0, shattered = 0;
  /// Parts of the latter that a scheduler took after a cut that a refusal asked for.
  unsigned parts = 0;
  /// Merges that schedulers accept and that would cost time.
  unsigned costly = 0;
  /// Merges of groups that were taken apart, and cheap ops that more than one segment computes.
  unsigned merges = 0, recomputed = 0;
};

/// Decides which ops run together (spec S3):
/// 1. cut where `fuser.segment_set` asks for it and nowhere else, and ask the schedulers once for
///    each piece; an accepted piece is final;
/// 2. cut a refused piece where a refusal asks for it, and what is refused still into single ops;
/// 3. merge the parts while a scheduler accepts the result and it takes less time than they, those
///    first that save most.
/// Then the kernel of each segment is built as outlining builds it, and `options.verifier` checks
/// that its schedule can be lowered. If no schedule of a kernel can be, its ops count as refused,
/// together with any group that contains them, and the fusion is partitioned again: each such
/// kernel gives a remark and a sentence in Partition::fallbacks.
///
/// The graph of segments has no cycle at any point. A segment that only a fallback takes gives a
/// remark. Decisions are written to `log` where it is given. Fails with a diagnostic at an op that
/// no scheduler accepts even alone. Does not change the fusion.
mlir::FailureOr<Partition> partitionFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                           const SegmentationOptions &options,
                                           SegmentationCounts &counts, DecisionLog *log = nullptr);

/// Every op alone, asked about: what the fusion costs where nothing is fused. Fails with a
/// diagnostic at an op that nobody accepts.
mlir::FailureOr<Partition> partitionIntoSingles(FusionOp fusion, const ExtentAnalysis &analysis,
                                                const SegmentationOptions &options,
                                                SegmentationCounts &counts);

} // namespace fuser

#endif // FUSER_SEGMENTATION_PARTITION_H
