//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VerifyPartition.h"
#include "StagePlan.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/ScheduleCache.h"

using namespace mlir;
using namespace fuser;

/// What the schedulers make of the kernel of one segment.
static FailureOr<VerifiedCandidates> askAboutKernel(KernelOp kernel,
                                                    const SegmentationOptions &options) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
  if (failed(view) || failed(hints))
    return failure();
  return askAndVerify(*view, *options.registry, *hints, options.device, options.verifier);
}

/// Names the candidate whose schedule cannot be lowered, or the scheduler that refuses the kernel
/// although it accepted the segment.
static std::string getReason(const Candidates &candidates, StringRef accepted) {
  const Candidate *reason = nullptr;
  auto getRank = [&](const Candidate &candidate) {
    if (candidate.refusal->code == kNotLowered)
      return 3;
    if (candidate.scheduler->getName() == accepted)
      return 2;
    return candidate.refusal->category == RefusalCategory::OutOfScope ? 0 : 1;
  };
  for (const Candidate &candidate : candidates.all)
    if (candidate.refusal && getRank(candidate) > (reason ? getRank(*reason) : 0))
      reason = &candidate;
  if (!reason)
    return "no scheduler accepts it";
  return "'" + reason->scheduler->getName().str() + "': " + reason->refusal->sentence;
}

static bool isAnyNotLowered(const Candidates &candidates) {
  return llvm::any_of(candidates.all, [](const Candidate &candidate) {
    return candidate.refusal && candidate.refusal->code == kNotLowered;
  });
}

LogicalResult fuser::verifyPartition(FusionOp fusion, const ExtentAnalysis &analysis,
                                     const SegmentationOptions &options, Partition &partition,
                                     std::vector<RefusedGroup> &refused,
                                     std::vector<std::string> &fallbacks) {
  FailureOr<ProgramOutputs> outputs = ProgramOutputs::create(fusion, analysis);
  if (failed(outputs))
    return failure();
  KernelBuilder kernels(fusion, analysis, options.hints);
  StagePlan plan(fusion, analysis, partition, kernels, *outputs);
  // Equal kernels are verified once.
  ScheduleCache own;
  ScheduleCache *cache = options.cache ? options.cache : &own;
  for (const Stage &stage : plan.getStages()) {
    if (stage.library)
      continue;
    BuiltKernel built = buildKernel(stage, kernels, "kernel");
    OwningOpRef<KernelOp> kernel(built.kernel);
    if (cache->findChoice(*kernel))
      continue;
    // Verify the kernel of the query if outlining builds the same one.
    if (AcceptedKernel *asked = stage.segment->accepted.get();
        asked && asked->kernel && areEqualKernels(*asked->kernel, *kernel) &&
        succeeded(applyAndVerify(*asked, options.device, options.verifier))) {
      cache->add(std::move(kernel), asked->chosen.choice, std::move(asked->kernel));
      continue;
    }
    FailureOr<VerifiedCandidates> candidates = askAboutKernel(*kernel, options);
    if (failed(candidates))
      return failure();
    const Candidate *chosen = candidates->getChosen();
    if (chosen && !isAnyNotLowered(*candidates)) {
      cache->add(std::move(kernel), chosen->choice, std::move(candidates->scheduled));
      continue;
    }
    const size_t numOps = stage.segment->ops.size();
    const std::string what = "a kernel of " + std::to_string(numOps) + " ops ";
    Segment &segment = partition.segments[stage.segment - partition.segments.data()];
    if (chosen) {
      segment.only = chosen->scheduler;
      fallbacks.push_back(what + "is scheduled by '" + chosen->scheduler->getName().str() +
                          "', because a faster schedule cannot be lowered: " +
                          getReason(*candidates, segment.scheduler));
    } else if (numOps > 1) {
      RefusedGroup &group = refused.emplace_back();
      group.ops.insert(segment.ops.begin(), segment.ops.end());
      for (const Candidate &candidate : candidates->all)
        group.refusals.push_back(describeRefusal(*candidate.scheduler, *candidate.refusal));
      fallbacks.push_back(what + "is split, because no schedule of it can be lowered: " +
                          getReason(*candidates, segment.scheduler));
    }
  }
  return success();
}
