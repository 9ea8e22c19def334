//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Partitioning of the ops of a fusion into segments.
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

class ScheduleCache;
struct AcceptedKernel;

/// Ops of a fusion that one kernel computes.
struct Segment {
  /// In the order of the program.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The ops that another segment computes as well; no other segment reads their results from this
  /// one.
  llvm::SmallVector<mlir::Operation *> recomputed;
  /// The scheduler that accepted it; empty without a query: a library computes it, kernels write it
  /// part by part, or its schedule is written by hand.
  std::string scheduler;
  /// The predicted work, resources and time of one launch (without the launch overhead).
  KernelWork work = {};
  ResourceUse use = {};
  double microseconds = 0;
  /// All schedulers that accepted it, in the order of the registry.
  llvm::SmallVector<CandidateNote> candidates = {};
  /// The only scheduler whose schedule can be lowered, although another one has a lower predicted
  /// time; null: the fastest one's can be.
  const Scheduler *only = nullptr;
  /// What the query about these ops was about, if it is to be verified; may be null.
  std::shared_ptr<AcceptedKernel> accepted = nullptr;
};

/// Segments in a legal execution order: none depends on a later one.
struct Partition {
  llvm::SmallVector<Segment, 0> segments;
  /// One sentence for each kernel that was split or rescheduled because lowering does not take the
  /// schedule of a scheduler that accepted it.
  std::vector<std::string> fallbacks = {};

  /// All ops in one segment.
  static Partition getWhole(FusionOp fusion);
  /// Every op in a separate segment: segmentation is disabled.
  static Partition getSingles(FusionOp fusion);
};

/// The inputs of segmentation.
struct SegmentationOptions {
  std::shared_ptr<const SchedulerRegistry> registry;
  /// The device that kernels are scheduled for.
  artifact::DeviceDescription device;
  /// Expected sizes of the arguments of the fusion.
  SizeHints hints;
  /// Emit remarks: refusals, costs, boundaries.
  bool explain = false;
  /// Checks the kernels that are about to be kept.
  ScheduleVerifier verifier = {};
  /// Gets the kernels that `verifier` has checked, and answers for equal ones; may be null.
  ScheduleCache *cache = nullptr;
};

/// Counts of segmentation's decisions, for statistics and tests.
struct SegmentationCounts {
  /// Groups for which the registry was queried, and answers of individual schedulers.
  unsigned queries = 0, answers = 0;
  /// Queries about ops and outputs that were asked about before.
  unsigned known = 0;
  /// Groups that were accepted whole, and groups that were split.
  unsigned accepted = 0, shattered = 0;
  /// Parts of the latter that a scheduler accepted after a cut that a refusal requested.
  unsigned parts = 0;
  /// Merges that a scheduler accepts but that would take more time.
  unsigned costly = 0;
  /// Merges of groups that were split, and cheap ops that more than one segment computes.
  unsigned merges = 0, recomputed = 0;
};

/// True if the ops of the fusion carry a schedule, or if the attribute `fuser_sched.one_kernel`
/// says that a script is to schedule it as one kernel.
bool isScheduledByHand(FusionOp fusion);

/// Decides which ops run together (spec S3). A fusion that is scheduled by hand is one segment, and
/// no scheduler is asked. For others:
/// 1. cut where `fuser.segment_set` asks for it and nowhere else, and ask the schedulers once for
///    each piece; an accepted piece is final, and one that is slower than its parts is refused;
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

/// Every op in a separate segment, with a query for each: the cost of the fusion without fusing.
/// Fails with a diagnostic at an op that no scheduler accepts.
mlir::FailureOr<Partition> partitionIntoSingles(FusionOp fusion, const ExtentAnalysis &analysis,
                                                const SegmentationOptions &options,
                                                SegmentationCounts &counts);

} // namespace fuser

#endif // FUSER_SEGMENTATION_PARTITION_H
