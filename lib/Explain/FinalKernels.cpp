//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What became of kernels after segmentation.
//
//===----------------------------------------------------------------------===//

#include "FinalKernels.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/ScheduleLibrary.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace fuser;
namespace ex = fuser::explain;

double fuser::explain::getOccupancy(const ResourceUse &use,
                                    const artifact::DeviceDescription &device) {
  if (device.maxThreadsPerMultiprocessor <= 0)
    return 0;
  double threads = double(getResidentBlocks(use, device)) * double(use.threads);
  return std::min(1.0, threads / double(device.maxThreadsPerMultiprocessor));
}

void fuser::explain::addKernel(ex::Totals &totals, const KernelWork &work, double microseconds) {
  ++totals.kernels;
  totals.bytesRead += work.bytesRead;
  totals.bytesWritten += work.bytesWritten;
  totals.microseconds += microseconds + kLaunchMicroseconds;
}

/// Replaces the prediction for a kernel by what the schedulers say of it now.
static void setPrediction(ex::SegmentNode &segment, const Candidates &candidates,
                          const artifact::DeviceDescription &device) {
  const Candidate &chosen = *candidates.getChosen();
  segment.scheduler = chosen.scheduler->getName().str();
  segment.work = chosen.work;
  segment.use = chosen.choice.use;
  segment.microseconds = chosen.microseconds;
  segment.occupancy = ex::getOccupancy(segment.use, device);
  segment.candidates.clear();
  for (const Candidate &candidate : candidates.all)
    if (!candidate.refusal)
      segment.candidates.push_back({candidate.scheduler->getName().str(), candidate.microseconds});
}

/// Replaces predictions for kernels of whose boundaries the order changed after segmentation.
static LogicalResult collectSettled(ModuleOp module, const artifact::DeviceDescription &device,
                                    const PipelineOptions &options, ex::Explanation &result) {
  const std::shared_ptr<const SchedulerRegistry> registry = getRegistry(options);
  for (ex::SegmentNode &segment : result.segments) {
    auto kernel = module.lookupSymbol<KernelOp>(segment.kernel);
    if (!kernel || !kernel->hasAttr(FuserSchedDialect::kSettled))
      continue;
    FailureOr<KernelView> view = KernelView::create(kernel);
    FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
    if (failed(view) || failed(hints))
      return failure();
    auto only = kernel->getAttrOfType<StringAttr>(FuserSchedDialect::kOnly);
    Candidates candidates =
        askSchedulers(*view, *registry, *hints, device, only ? registry->find(only) : nullptr);
    const Candidate *chosen = candidates.getChosen();
    if (!chosen)
      continue;
    result.fused.microseconds += chosen->microseconds - segment.microseconds;
    segment.isSettled = true;
    setPrediction(segment, candidates, device);
  }
  return success();
}

/// Kernels that copies became. The count of both ways to partition includes them.
static LogicalResult collectCopies(ModuleOp module, const artifact::DeviceDescription &device,
                                   const PipelineOptions &options, ex::Explanation &result) {
  const std::shared_ptr<const SchedulerRegistry> registry = getRegistry(options);
  for (auto kernel : module.getOps<KernelOp>()) {
    if (!kernel->hasAttr(FuserSchedDialect::kCopy))
      continue;
    FailureOr<KernelView> view = KernelView::create(kernel);
    FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
    if (failed(view) || failed(hints))
      return failure();
    Candidates candidates = askSchedulers(*view, *registry, *hints, device);
    const Candidate *chosen = candidates.getChosen();
    if (!chosen)
      continue;
    result.copies.push_back({kernel.getSymName().str(), chosen->scheduler->getName().str(),
                             chosen->work, chosen->choice.use, chosen->microseconds,
                             ex::getOccupancy(chosen->choice.use, device)});
    for (ex::Totals *totals : {&result.fused, &result.unfused})
      ex::addKernel(*totals, chosen->work, chosen->microseconds);
  }
  return success();
}

/// Replaces choices and predictions for kernels that a library of schedules has.
static LogicalResult collectTuned(ModuleOp module, const artifact::DeviceDescription &device,
                                  const PipelineOptions &options, ex::Explanation &result) {
  for (ex::SegmentNode &segment : result.segments) {
    auto kernel = module.lookupSymbol<KernelOp>(segment.kernel);
    KernelOp entry = kernel && options.library ? options.library->find(kernel) : nullptr;
    if (!entry)
      continue;
    FailureOr<KernelView> view = KernelView::create(kernel);
    FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
    if (failed(view) || failed(hints))
      return failure();
    FailureOr<Choice> choice = evaluateEntry(entry, *view, *getRegistry(options), *hints, device);
    if (failed(choice))
      return failure();
    const KernelWork work = measureWork(*view, *hints, choice->use);
    const double microseconds = predictMicroseconds(work, choice->use, device);
    result.fused.microseconds += microseconds - segment.microseconds;
    llvm::raw_string_ostream(segment.tuned) << Attribute(choice->params);
    segment.scheduler = choice->params.getSchedulerName().str();
    segment.work = work;
    segment.use = choice->use;
    segment.microseconds = microseconds;
    segment.occupancy = ex::getOccupancy(choice->use, device);
  }
  return success();
}

/// Fills what segmentation did not ask about: kernels that are scheduled by hand. Schedulers are
/// asked about those that carry no schedule yet; of others only the work is known.
static LogicalResult collectByHand(ModuleOp module, const artifact::DeviceDescription &device,
                                   const PipelineOptions &options, ex::Explanation &result) {
  const std::shared_ptr<const SchedulerRegistry> registry = getRegistry(options);
  const Roofs roofs = getRoofs(device);
  for (ex::SegmentNode &segment : result.segments) {
    auto kernel = module.lookupSymbol<KernelOp>(segment.kernel);
    if (!kernel || !segment.scheduler.empty())
      continue;
    FailureOr<KernelView> view = KernelView::create(kernel);
    FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
    if (failed(view) || failed(hints))
      return failure();
    std::optional<Candidates> candidates;
    if (!isScheduled(kernel))
      candidates = askSchedulers(*view, *registry, *hints, device);
    if (candidates && candidates->getChosen()) {
      setPrediction(segment, *candidates, device);
    } else {
      segment.scheduler = ex::kByHand.str();
      segment.work = measureWork(*view, *hints, segment.use);
      segment.microseconds = 1e6 * std::max((segment.work.bytesRead + segment.work.bytesWritten) /
                                                roofs.bytesPerSecond,
                                            segment.work.operations / roofs.operationsPerSecond);
    }
    ex::addKernel(result.fused, segment.work, segment.microseconds);
  }
  return success();
}

/// Schedule scripts are modules of named sequences of the transform dialect.
static bool hasScript(ModuleOp module) {
  WalkResult found = module.walk([](ModuleOp inner) {
    return inner->hasAttr("transform.with_named_sequence") ? WalkResult::interrupt()
                                                           : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// What the script of `module` made of the kernels.
static LogicalResult collectScript(ModuleOp module, const PipelineOptions &options,
                                   ex::Explanation &result) {
  if (!hasScript(module))
    return success();
  if (failed(runPhase(module, Phase::Choose, options)))
    return failure();
  for (ex::SegmentNode &segment : result.segments) {
    auto kernel = module.lookupSymbol<KernelOp>(segment.kernel);
    if (!kernel || kernel.getScheduleAttr())
      continue;
    AsmState state(kernel, OpPrintingFlags().useLocalScope());
    for (Operation &op : kernel.getBody().front().without_terminator()) {
      llvm::raw_string_ostream stream(segment.script.emplace_back());
      op.print(stream, state);
    }
  }
  return success();
}

LogicalResult fuser::explain::collectFinalKernels(ModuleOp module,
                                                  const artifact::DeviceDescription &device,
                                                  const PipelineOptions &options,
                                                  ex::Explanation &result) {
  return success(succeeded(collectByHand(module, device, options, result)) &&
                 succeeded(collectSettled(module, device, options, result)) &&
                 succeeded(collectTuned(module, device, options, result)) &&
                 succeeded(collectCopies(module, device, options, result)) &&
                 succeeded(collectScript(module, options, result)));
}
