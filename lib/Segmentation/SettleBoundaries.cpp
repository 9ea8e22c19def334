//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-settle-boundaries.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/SettleBoundaries.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Segmentation/Passes.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERSETTLEBOUNDARIES
#include "fuser/Segmentation/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {

/// An argument or output of a kernel that is bound to a buffer.
struct Site {
  KernelOp kernel;
  bool isOutput;
  unsigned position;

  SmallVector<int64_t> getOrder() const {
    LayoutInfo info(kernel);
    return (isOutput ? info.getOutputOrder(position)
                     : info.getOrder(KernelOp(kernel).getArgument(position)))
        .order;
  }
  void setOrder(ArrayRef<int64_t> order) {
    if (isOutput)
      kernel.setOutputStrideOrder(position, order);
    else
      kernel.setArgLayout(position, LayoutAttr::get(kernel.getContext(), order, {}));
  }
  /// The order that a scheduler prefers for the buffer: that of the first scheduler that accepts
  /// the kernel and prefers one; failure if no scheduler accepts the kernel.
  FailureOr<std::optional<SmallVector<int64_t>>> getPreference(const SchedulerRegistry &registry);
};

/// A buffer, its writer and its readers.
struct Boundary {
  AllocOp alloc;
  Site writer;
  SmallVector<Site> readers;
};

} // namespace

FailureOr<std::optional<SmallVector<int64_t>>>
Site::getPreference(const SchedulerRegistry &registry) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  bool isAccepted = false;
  for (const std::unique_ptr<Scheduler> &scheduler : registry.getSchedulers()) {
    Answer answer = scheduler->accepts(*view);
    auto *plan = std::get_if<std::unique_ptr<Plan>>(&answer);
    if (!plan)
      continue;
    isAccepted = true;
    for (const BoundaryPreference &preference : (*plan)->preferences)
      if (preference.isOutput == isOutput && preference.position == position)
        return std::make_optional(preference.order);
  }
  if (!isAccepted)
    return failure();
  return std::optional<SmallVector<int64_t>>();
}

/// How many launches each kernel has.
using LaunchCounts = llvm::DenseMap<SymbolRefAttr, unsigned>;

/// The boundary of `alloc` if its order can be changed: one launch writes it, with a hint on the
/// value, only launches read it, and the program does not require its order.
static std::optional<Boundary>
getOpenBoundary(HostOp host, AllocOp alloc, const LaunchCounts &numLaunches, SymbolTable &symbols) {
  // The kernel of a launch, if it is the only launch of that kernel.
  auto findKernel = [&](LaunchOp launch) -> KernelOp {
    return numLaunches.lookup(launch.getKernel()) == 1
               ? symbols.lookup<KernelOp>(launch.getKernel().getRootReference())
               : KernelOp();
  };
  Boundary boundary{alloc, {}, {}};
  // The buffer, then its contents.
  SmallVector<Value> values = {alloc.getResult()};
  while (!values.empty()) {
    Value value = values.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      if (isa<FreeOp>(use.getOwner()))
        continue;
      if (isa<ReturnOp>(use.getOwner())) {
        if (host.getOutputStrideOrder(use.getOperandNumber()))
          return std::nullopt;
        continue;
      }
      auto launch = dyn_cast<LaunchOp>(use.getOwner());
      KernelOp kernel = launch ? findKernel(launch) : KernelOp();
      if (!kernel)
        return std::nullopt;
      unsigned number = use.getOperandNumber();
      if (number < launch.getInputs().size()) {
        boundary.readers.push_back({kernel, false, number});
        continue;
      }
      if (boundary.writer.kernel)
        return std::nullopt;
      boundary.writer = {kernel, true, unsigned(number - launch.getInputs().size())};
      values.push_back(launch.getResult(boundary.writer.position));
    }
  }
  if (!boundary.writer.kernel || boundary.readers.empty())
    return std::nullopt;
  auto ret = cast<ReturnOp>(boundary.writer.kernel.getBody().front().getTerminator());
  if (!getLayoutHint(ret.getValues()[boundary.writer.position]))
    return std::nullopt;
  return boundary;
}

/// The order that all `sites` with a preference prefer; nothing if they differ, if none has a
/// preference, or if a kernel is not accepted.
static std::optional<SmallVector<int64_t>> getCommonPreference(MutableArrayRef<Site> sites,
                                                               const SchedulerRegistry &registry) {
  std::optional<SmallVector<int64_t>> common;
  for (Site &site : sites) {
    FailureOr<std::optional<SmallVector<int64_t>>> preference = site.getPreference(registry);
    if (failed(preference) || (*preference && common && *common != **preference))
      return std::nullopt;
    if (*preference)
      common = **preference;
  }
  return common;
}

static bool settle(Boundary &boundary, const SchedulerRegistry &registry) {
  SmallVector<Site> sites(boundary.readers);
  sites.push_back(boundary.writer);
  std::optional<SmallVector<int64_t>> preference = getCommonPreference(sites, registry);
  if (!preference || *preference == boundary.writer.getOrder())
    return false;
  SmallVector<DictionaryAttr> before;
  for (Site &site : sites) {
    before.push_back(site.kernel->getAttrDictionary());
    site.setOrder(*preference);
  }
  // With the new order, every kernel must still be accepted, and all preferences must still agree.
  if (getCommonPreference(sites, registry) != preference) {
    // In reverse order, because a kernel may occur twice.
    for (size_t i = sites.size(); i-- > 0;)
      sites[i].kernel->setAttrs(before[i]);
    return false;
  }
  boundary.alloc.setOrder(*preference);
  return true;
}

unsigned fuser::settleBoundaries(HostOp host, SymbolTable &symbols,
                                 const SchedulerRegistry &registry) {
  unsigned numSettled = 0;
  LaunchCounts numLaunches;
  host.walk([&](LaunchOp launch) { ++numLaunches[launch.getKernel()]; });
  host.walk([&](AllocOp alloc) {
    if (std::optional<Boundary> boundary = getOpenBoundary(host, alloc, numLaunches, symbols))
      numSettled += settle(*boundary, registry);
  });
  return numSettled;
}

namespace {
struct SettleBoundaries : fuser::impl::FuserSettleBoundariesBase<SettleBoundaries> {
  explicit SettleBoundaries(std::shared_ptr<const SchedulerRegistry> registry)
      : registry(std::move(registry)) {}

  void getDependentDialects(DialectRegistry &dialects) const override {
    dialects.insert<FuserSchedDialect>();
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto host : getOperation().getOps<HostOp>())
      numSettled += settleBoundaries(host, symbols, *registry);
  }

  std::shared_ptr<const SchedulerRegistry> registry;
};
} // namespace

std::unique_ptr<Pass>
fuser::createSettleBoundariesPass(std::shared_ptr<const SchedulerRegistry> registry) {
  return std::make_unique<SettleBoundaries>(std::move(registry));
}
