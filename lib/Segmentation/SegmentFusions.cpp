//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pass: partition, then outline.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleDialect.h"
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

namespace {

class SegmentFusions : public fuser::impl::FuserSegmentFusionsBase<SegmentFusions> {
public:
  SegmentFusions(std::shared_ptr<const SchedulerRegistry> registry,
                 const FuserSegmentFusionsOptions &options,
                 std::optional<artifact::DeviceDescription> device)
      : FuserSegmentFusionsBase(options), registry(std::move(registry)), device(std::move(device)) {
  }

  void runOnOperation() override {
    if (!device) {
      artifact::Expected<artifact::DeviceDescription> known = artifact::lookupDevice(target);
      if (!known) {
        getOperation()->emitError() << known.error().message;
        return signalPassFailure();
      }
      device = known.take();
    }
    SymbolTable symbols(getOperation());
    for (FusionOp fusion : llvm::make_early_inc_range(getOperation().getOps<FusionOp>()))
      if (failed(segment(fusion, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult segment(FusionOp fusion, SymbolTable &symbols) {
    FailureOr<SizeHints> hints = SizeHints::parse(fusion, sizes);
    if (failed(hints))
      return failure();
    SegmentationCounts counts;
    auto partition = [&](FusionOp part, const ExtentAnalysis &analysis,
                         const SizeHints &partHints) -> FailureOr<Partition> {
      // A schedule by hand is for one kernel.
      if (isScheduled(part))
        return Partition::getWhole(part);
      return partitionFusion(part, analysis, {registry, *device, partHints, explain}, counts);
    };
    FailureOr<OutlinedFusion> outlined = outlineFusion(fusion, *hints, partition, symbols);
    if (failed(outlined))
      return failure();
    numKernels += outlined->kernels.size();
    numCopies += outlined->numCopies;
    numQueries += counts.queries;
    numAnswers += counts.answers;
    numAccepted += counts.accepted;
    numShattered += counts.shattered;
    numMerges += counts.merges;
    numRecomputed += counts.recomputed;
    return success();
  }

  std::shared_ptr<const SchedulerRegistry> registry;
  std::optional<artifact::DeviceDescription> device;
};

} // namespace

std::unique_ptr<Pass>
fuser::createSegmentFusionsPass(std::shared_ptr<const SchedulerRegistry> registry,
                                const FuserSegmentFusionsOptions &options,
                                std::optional<artifact::DeviceDescription> device) {
  return std::make_unique<SegmentFusions>(std::move(registry), options, std::move(device));
}

void fuser::registerSegmentationPasses(std::shared_ptr<const SchedulerRegistry> registry) {
  registerFuserOutlineKernels();
  registerPass([registry] { return createSegmentFusionsPass(registry); });
  registerPass([registry] { return createSettleBoundariesPass(registry); });
}
