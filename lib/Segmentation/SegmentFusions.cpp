//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pass: partition, then outline.
//
//===----------------------------------------------------------------------===//

#include "BatchLaunches.h"
#include "OutlineCopies.h"
#include "StreamLaunches.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/TargetDevice.h"
#include "fuser/Segmentation/CopyArguments.h"
#include "fuser/Segmentation/JoinParts.h"
#include "fuser/Segmentation/OutlineKernels.h"
#include "fuser/Segmentation/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERSEGMENTFUSIONS
#include "fuser/Segmentation/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// Appends the decision about each segment that is a kernel, as an attribute that outlives the
/// fusion.
static void describeDecisions(const Partition &partition, const DecisionLog &log, Builder builder,
                              SmallVectorImpl<DictionaryAttr> &decisions) {
  for (auto [number, segment] : llvm::enumerate(partition.segments)) {
    if (segment.scheduler.empty())
      continue;
    SmallVector<Attribute> reads;
    for (const BoundaryRecord &boundary : log.boundaries) {
      if (boundary.consumer != number)
        continue;
      std::string text = "of segment " + std::to_string(boundary.producer) + ": " +
                         stringifyReason(boundary.reason).str();
      if (boundary.query)
        for (const RefusalNote &refusal : log.queries[*boundary.query].refusals)
          if (refusal.isSpecific)
            text += "; " + refusal.scheduler + " [" + refusal.code + "]: " + refusal.sentence;
      reads.push_back(builder.getStringAttr(text));
    }
    decisions.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("scheduler", builder.getStringAttr(segment.scheduler)),
         builder.getNamedAttr("microseconds", builder.getF64FloatAttr(segment.microseconds)),
         builder.getNamedAttr("reads", builder.getArrayAttr(reads))}));
  }
}

namespace {

class SegmentFusions : public fuser::impl::FuserSegmentFusionsBase<SegmentFusions> {
public:
  SegmentFusions(std::shared_ptr<const SchedulerRegistry> registry,
                 const FuserSegmentFusionsOptions &options,
                 std::optional<artifact::DeviceDescription> device, ScheduleVerifier verifier,
                 std::shared_ptr<ScheduleCache> cache)
      : FuserSegmentFusionsBase(options), registry(std::move(registry)), device(std::move(device)),
        verifier(std::move(verifier)), cache(std::move(cache)) {}

  void runOnOperation() override {
    FailureOr<artifact::DeviceDescription> found = findDevice(getOperation(), target, device);
    if (failed(found))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (FusionOp fusion : llvm::make_early_inc_range(getOperation().getOps<FusionOp>()))
      if (failed(segment(fusion, *found, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult segment(FusionOp fusion, const artifact::DeviceDescription &target,
                        SymbolTable &symbols) {
    FailureOr<SizeHints> hints = SizeHints::parse(fusion, sizes);
    if (failed(hints))
      return failure();
    if (origins)
      numberOrigins(fusion);
    separateJoinParts(fusion);
    numArgumentCopies += copyTransposedArguments(
        fusion, {registry, target, *hints, /*explain=*/false, verifier, cache.get()});
    SegmentationCounts counts;
    SmallVector<DictionaryAttr> decisions;
    std::vector<std::string> fallbacks;
    auto partition = [&](FusionOp part, const ExtentAnalysis &analysis,
                         const SizeHints &partHints) -> FailureOr<Partition> {
      DecisionLog log;
      FailureOr<Partition> partition = partitionFusion(
          part, analysis, {registry, target, partHints, explain, verifier, cache.get()}, counts,
          explain ? &log : nullptr);
      if (failed(partition))
        return failure();
      if (explain)
        describeDecisions(*partition, log, Builder(part.getContext()), decisions);
      llvm::append_range(fallbacks, partition->fallbacks);
      return partition;
    };
    FailureOr<OutlinedFusion> outlined = outlineFusion(fusion, *hints, partition, symbols);
    if (failed(outlined))
      return failure();
    if (decisions.size() == outlined->kernels.size())
      for (auto [kernel, decision] : llvm::zip_equal(outlined->kernels, decisions))
        kernel->setAttr(FuserSchedDialect::kDecision, decision);
    llvm::DenseMap<StringAttr, KernelEstimate> estimates;
    for (auto [kernel, estimate] : llvm::zip_equal(outlined->kernels, outlined->estimates))
      if (estimate)
        estimates[kernel.getSymNameAttr()] = *estimate;
    if (batch)
      numBatches += batchLaunches(outlined->host, symbols, estimates, target);
    if (streams)
      numStreams += planLaunchStreams(outlined->host, symbols, estimates, target, forceStreams);
    if (!fallbacks.empty()) {
      SmallVector<StringRef> sentences(fallbacks.begin(), fallbacks.end());
      outlined->host->setAttr(FuserSchedDialect::kFallbacks,
                              Builder(&getContext()).getStrArrayAttr(sentences));
    }
    llvm::append_range(outlined->kernels, outlineCopies(outlined->host, *hints, symbols));
    numKernels += outlined->kernels.size();
    numCopies += outlined->numCopies;
    numQueries += counts.queries;
    numAnswers += counts.answers;
    numKnown += counts.known;
    numAccepted += counts.accepted;
    numShattered += counts.shattered;
    numParts += counts.parts;
    numMerges += counts.merges;
    numCostly += counts.costly;
    numRecomputed += counts.recomputed;
    return success();
  }

  std::shared_ptr<const SchedulerRegistry> registry;
  const std::optional<artifact::DeviceDescription> device;
  const ScheduleVerifier verifier;
  const std::shared_ptr<ScheduleCache> cache;
};

} // namespace

std::unique_ptr<Pass>
fuser::createSegmentFusionsPass(std::shared_ptr<const SchedulerRegistry> registry,
                                const FuserSegmentFusionsOptions &options,
                                std::optional<artifact::DeviceDescription> device,
                                ScheduleVerifier verifier, std::shared_ptr<ScheduleCache> cache) {
  return std::make_unique<SegmentFusions>(std::move(registry), options, std::move(device),
                                          std::move(verifier), std::move(cache));
}

void fuser::registerSegmentationPasses(std::shared_ptr<const SchedulerRegistry> registry,
                                       ScheduleVerifier verifier) {
  registerFuserOutlineKernels();
  registerPass([=] { return createSegmentFusionsPass(registry, {}, std::nullopt, verifier); });
  registerPass([=] { return createSettleBoundariesPass(registry, {}, std::nullopt, verifier); });
}
