//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-choose-schedules.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/EqualCode.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Scheduling/ScheduleLibrary.h"
#include "fuser/Scheduling/TargetDevice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERCHOOSESCHEDULES
#include "fuser/Scheduling/Passes.h.inc"
} // namespace fuser

bool fuser::hasSchedule(Operation *op) {
  auto view = dyn_cast<TensorViewOpInterface>(op);
  if (!view)
    return false;
  if (view.getMemoryType() != MemoryType::Register || view.getInlinePosition() != 0)
    return true;
  // Trivial domains, which ops without a schedule have, are made when they are asked for.
  if (!detail::hasDomains(op))
    return false;
  DomainAttr domain = view.getDomain();
  return domain.getLoop() != domain.getLogical() ||
         llvm::any_of(domain.getParallel(),
                      [](ParallelType type) { return type != ParallelType::Serial; });
}

bool fuser::isScheduled(FunctionOpInterface program) {
  return llvm::any_of(program.getFunctionBody().front(),
                      [](Operation &op) { return hasSchedule(&op); });
}

/// A refusal as a remark at the kernel, with notes at the ops that cause it.
static void explainRefusal(KernelOp kernel, StringRef scheduler, const Refusal &refusal) {
  InFlightDiagnostic remark = kernel->emitRemark()
                              << "'" << scheduler << "' does not schedule this kernel ["
                              << refusal.code << "]: " << refusal.sentence;
  for (Operation *op : refusal.ops)
    remark.attachNote(op->getLoc()) << "here: " << op->getName();
}

/// Emits refusals as remarks: for a kernel that some scheduler accepts, only those with a specific
/// reason. If several schedulers accept it, emits their times.
static void explainChoice(KernelOp kernel, const Candidates &candidates) {
  const Candidate *chosen = candidates.getChosen();
  SmallVector<const Candidate *> others;
  for (const Candidate &candidate : candidates.all) {
    if (!candidate.refusal) {
      if (&candidate != chosen)
        others.push_back(&candidate);
    } else if (!chosen || candidate.refusal->category != RefusalCategory::OutOfScope) {
      explainRefusal(kernel, candidate.scheduler->getName(), *candidate.refusal);
    }
  }
  if (others.empty())
    return;
  auto describe = [](const Candidate &candidate) {
    return llvm::formatv("'{0}' ({1:f1} us)", candidate.scheduler->getName(),
                         candidate.microseconds)
        .str();
  };
  InFlightDiagnostic remark = kernel->emitRemark()
                              << describe(*chosen) << " takes this kernel, not ";
  llvm::interleaveComma(others, remark,
                        [&](const Candidate *other) { remark << describe(*other); });
}

LogicalResult fuser::chooseSchedule(KernelOp kernel, const SchedulerRegistry &registry,
                                    const SizeHints &hints,
                                    const artifact::DeviceDescription &device, bool explain,
                                    const Scheduler *only) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  const Candidates candidates = askSchedulers(*view, registry, hints, device, only);
  const Candidate *chosen = candidates.getChosen();
  if (explain)
    explainChoice(kernel, candidates);
  if (!chosen && only)
    return kernel->emitOpError("expected a kernel that '")
           << only->getName() << "' accepts, but it refuses";
  if (!chosen)
    return kernel->emitOpError("expected a kernel that a scheduler accepts, but all refuse");
  setChoice(kernel, chosen->choice);
  return success();
}

namespace {
struct ChooseSchedules : fuser::impl::FuserChooseSchedulesBase<ChooseSchedules> {
  ChooseSchedules(SharedRegistry registry, const FuserChooseSchedulesOptions &options,
                  std::optional<artifact::DeviceDescription> device,
                  std::shared_ptr<ScheduleCache> cache,
                  std::shared_ptr<const ScheduleLibrary> library)
      : FuserChooseSchedulesBase(options), registry(std::move(registry)), device(std::move(device)),
        cache(std::move(cache)), library(std::move(library)) {}

  void getDependentDialects(DialectRegistry &dialects) const override {
    // Schedulers decompose variances and means, of known and of unknown sizes.
    dialects.insert<FuserSchedDialect, arith::ArithDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    FailureOr<artifact::DeviceDescription> found = findDevice(getOperation(), target, device);
    const bool isOneAsked = !only.empty();
    FailureOr<const Scheduler *> asked = findOnly(getOperation(), "only", only);
    if (failed(found) || failed(asked))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<KernelOp>()) {
      if (kernel->hasAttr("schedule") || isScheduled(kernel)) {
        ++numKept;
        continue;
      }
      // Sizes of a kernel's own arguments take precedence over those of the program.
      bool hasSizes = kernel->hasAttr(FuserSchedDialect::kSizes);
      if (KernelOp entry = library ? library->find(kernel) : nullptr) {
        if (failed(takeSchedule(kernel, entry, hasSizes, *found)))
          return signalPassFailure();
        continue;
      }
      // The cache has no refusals, and was filled for the kernel's own sizes.
      const bool isCacheUsed = cache && !explain && !isOneAsked && (hasSizes || sizes.empty());
      if (const Choice *choice = isCacheUsed ? cache->findChoice(kernel) : nullptr) {
        setChoice(kernel, *choice);
        ++numChosen;
        ++numReused;
        continue;
      }
      FailureOr<SizeHints> hints =
          hasSizes ? SizeHints::fromAttribute(kernel) : SizeHints::parse(kernel, sizes);
      auto own = kernel->getAttrOfType<StringAttr>(FuserSchedDialect::kOnly);
      FailureOr<const Scheduler *> one =
          own && !isOneAsked ? findOnly(kernel, FuserSchedDialect::kOnly, own) : asked;
      if (failed(hints) || failed(one) ||
          failed(chooseSchedule(kernel, *registry, *hints, *found, explain, *one)))
        return signalPassFailure();
      ++numChosen;
    }
    // The later phases process equal kernels once.
    numShared += shareKernelsOfBatches(getOperation());
  }

  /// The scheduler of this name; null if the name is empty. `what` gives it, at `op`.
  FailureOr<const Scheduler *> findOnly(Operation *op, StringRef what, StringRef name) {
    const Scheduler *named = registry->find(name);
    if (named || name.empty())
      return named;
    InFlightDiagnostic error = op->emitError("expected '") << what << "' to be one of ";
    llvm::interleaveComma(
        registry->getSchedulers(), error,
        [&](const std::unique_ptr<Scheduler> &known) { error << "'" << known->getName() << "'"; });
    return error << ", but got '" << name << "'";
  }

  /// Writes the parameters of an entry of the library to the kernel.
  LogicalResult takeSchedule(KernelOp kernel, KernelOp entry, bool hasSizes,
                             const artifact::DeviceDescription &target) {
    FailureOr<SizeHints> hints =
        hasSizes ? SizeHints::fromAttribute(kernel) : SizeHints::parse(kernel, sizes);
    FailureOr<KernelView> view = KernelView::create(kernel);
    if (failed(hints) || failed(view))
      return failure();
    FailureOr<Choice> choice = evaluateEntry(entry, *view, *registry, *hints, target);
    if (failed(choice))
      return failure();
    setChoice(kernel, *choice);
    kernel->setAttr(FuserSchedDialect::kTuned, UnitAttr::get(kernel.getContext()));
    ++numTuned;
    return success();
  }

  SharedRegistry registry;
  const std::optional<artifact::DeviceDescription> device;
  const std::shared_ptr<ScheduleCache> cache;
  const std::shared_ptr<const ScheduleLibrary> library;
};
} // namespace

std::unique_ptr<Pass> fuser::createChooseSchedulesPass(
    SharedRegistry registry, const FuserChooseSchedulesOptions &options,
    std::optional<artifact::DeviceDescription> device, std::shared_ptr<ScheduleCache> cache,
    std::shared_ptr<const ScheduleLibrary> library) {
  return std::make_unique<ChooseSchedules>(std::move(registry), options, std::move(device),
                                           std::move(cache), std::move(library));
}
