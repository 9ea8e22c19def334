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
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/HeldDiagnostics.h"
#include "fuser/Scheduling/LaunchBatch.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/TargetDevice.h"
#include "fuser/Segmentation/Passes.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <set>

namespace fuser {
#define GEN_PASS_DEF_FUSERSETTLEBOUNDARIES
#include "fuser/Segmentation/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// The predicted time must decrease by this factor if kernels prefer different orders: the median
/// error of the model.
static constexpr double kLessTime = 0.95;
/// An order that a kernel prefers depends on the orders of its other buffers: so many times, all
/// boundaries are examined again after a change.
static constexpr unsigned kMaxRounds = 4;

namespace {

using Order = SmallVector<int64_t>;

/// An argument or output of a kernel that is bound to a buffer.
struct Site {
  KernelOp kernel;
  bool isOutput;
  unsigned position;

  Order getOrder() const {
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
};

/// A buffer, its writer and its readers.
struct Boundary {
  AllocOp alloc;
  Site writer;
  SmallVector<Site> readers;

  SmallVector<Site> getSites() const {
    SmallVector<Site> sites(readers);
    sites.push_back(writer);
    return sites;
  }
};

/// A boundary and the order that it may get.
struct Proposal {
  const Boundary *boundary;
  Order order;
  /// All kernels that prefer an order prefer this one.
  bool isAgreed;
};

/// What the scheduler of a kernel says about it.
struct KernelAnswer {
  SmallVector<BoundaryPreference> preferences;
  double microseconds = 0;

  std::optional<Order> find(const Site &site) const {
    for (const BoundaryPreference &preference : preferences)
      if (preference.isOutput == site.isOutput && preference.position == site.position)
        return preference.order;
    return std::nullopt;
  }
};

/// Settles the boundaries of one host function.
class Settler {
public:
  Settler(HostOp host, SymbolTable &symbols, const SettleOptions &options)
      : host(host), symbols(symbols), options(options) {
    host.walk([&](LaunchOp launch) { ++numLaunches[launch.getKernel()]; });
  }

  /// The number of boundaries whose order changes.
  unsigned run();

private:
  std::optional<Boundary> getOpenBoundary(AllocOp alloc);
  bool isFixed(KernelOp kernel) const;
  const std::optional<KernelAnswer> &ask(KernelOp kernel);
  void propose(const Boundary &boundary, std::vector<Proposal> &proposals);
  bool settle(ArrayRef<const Proposal *> proposals);
  unsigned settleRound(ArrayRef<Boundary> boundaries);

  HostOp host;
  SymbolTable &symbols;
  const SettleOptions &options;
  /// The number of launches of each kernel.
  llvm::DenseMap<SymbolRefAttr, unsigned> numLaunches;
  /// Answers for kernels as they are; nothing if no scheduler accepts the kernel.
  llvm::DenseMap<Operation *, std::optional<KernelAnswer>> answers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Open boundaries
//===----------------------------------------------------------------------===//

/// True if the kernel has a schedule already, which states its orders.
bool Settler::isFixed(KernelOp kernel) const {
  return kernel->hasAttr("schedule") || isScheduled(kernel);
}

/// The boundary of `alloc` if its order may change: it is a default or the written value has a
/// hint, one launch of a kernel writes it, only launches read it, and the program does not require
/// its order.
std::optional<Boundary> Settler::getOpenBoundary(AllocOp alloc) {
  // The kernel of a launch, if it is the only launch of that kernel. Launches of a batch have equal
  // kernels.
  auto findKernel = [&](LaunchOp launch) -> KernelOp {
    if (numLaunches.lookup(launch.getKernel()) != 1 || launch->hasAttr(kLaunchBatchAttrName))
      return {};
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel().getRootReference());
    return kernel && !isFixed(kernel) ? kernel : KernelOp();
  };
  // An order of less than two dimensions is no choice.
  if (countLargeDims(alloc.getType().getShape()) < 2)
    return std::nullopt;
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
  if (!boundary.writer.kernel)
    return std::nullopt;
  auto ret = cast<ReturnOp>(boundary.writer.kernel.getBody().front().getTerminator());
  if (!alloc->hasAttr(kDefaultOrderName) &&
      !getLayoutHint(ret.getValues()[boundary.writer.position]))
    return std::nullopt;
  return boundary;
}

/// True if the op reads dimensions of an operand in another order than its own.
static bool reordersDims(DomainMappingOpInterface mapping) {
  return llvm::any_of(mapping->getOpOperands(), [&](OpOperand &operand) {
    unsigned previous = 0;
    return llvm::any_of(mapping.getDimMaps(operand.getOperandNumber()), [&](const DimMap &map) {
      if (map.id == kNoId)
        return false;
      const bool isBefore = map.id < previous;
      previous = map.id;
      return isBefore;
    });
  });
}

/// True if two tensors of the kernel may have common dimensions in different orders. Otherwise, no
/// scheduler prefers another order, and none has to be asked.
static bool mayPreferOrder(KernelOp kernel) {
  LayoutInfo info(kernel);
  for (BlockArgument argument : kernel.getArguments())
    if (isa<RankedTensorType>(argument.getType()) && !info.getOrder(argument).isRowMajor())
      return true;
  for (unsigned output = 0; output < kernel.getNumResults(); ++output)
    if (!info.getOutputOrder(output).isRowMajor())
      return true;
  return llvm::any_of(kernel.getBody().front(), [](Operation &op) {
    auto mapping = dyn_cast<DomainMappingOpInterface>(op);
    return mapping && reordersDims(mapping);
  });
}

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

const std::optional<KernelAnswer> &Settler::ask(KernelOp kernel) {
  auto [it, isNew] = answers.try_emplace(kernel);
  if (!isNew)
    return it->second;
  HeldDiagnostics diagnostics(kernel.getContext());
  FailureOr<KernelView> view = KernelView::create(kernel);
  FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
  if (failed(view) || failed(hints))
    return it->second;
  auto name = kernel->getAttrOfType<StringAttr>(FuserSchedDialect::kOnly);
  const Scheduler *only = name ? options.registry->find(name) : nullptr;
  Candidates candidates = askSchedulers(*view, *options.registry, *hints, options.device, only);
  if (const Candidate *chosen = candidates.getChosen())
    it->second = KernelAnswer{chosen->plan->preferences, chosen->microseconds};
  return it->second;
}

/// Adds the orders that kernels of the boundary prefer and that it does not have; nothing if no
/// scheduler accepts one of the kernels.
void Settler::propose(const Boundary &boundary, std::vector<Proposal> &proposals) {
  const Order current = boundary.writer.getOrder();
  ArrayRef<int64_t> shape = AllocOp(boundary.alloc).getType().getShape();
  // The place of a dimension of size 1 does not matter.
  auto getConcrete = [&](ArrayRef<int64_t> order) {
    return llvm::filter_to_vector(order, [&](int64_t dim) { return shape[dim] != 1; });
  };
  llvm::SetVector<Order, SmallVector<Order>, std::set<Order>> preferred;
  for (const Site &site : boundary.getSites()) {
    const std::optional<KernelAnswer> &answer = ask(site.kernel);
    if (!answer)
      return;
    if (std::optional<Order> order = answer->find(site))
      preferred.insert(getConcrete(*order) == getConcrete(current) ? current : *order);
  }
  for (const Order &order : preferred)
    if (order != current)
      proposals.push_back({&boundary, order, preferred.size() == 1});
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// True if lowering takes the schedule of the kernel, or if there is no verifier.
static bool canLower(KernelOp kernel, const SettleOptions &options) {
  if (!options.verifier)
    return true;
  HeldDiagnostics diagnostics(kernel.getContext());
  FailureOr<KernelView> view = KernelView::create(kernel);
  FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
  if (failed(view) || failed(hints))
    return false;
  VerifiedCandidates candidates =
      askAndVerify(*view, *options.registry, *hints, options.device, options.verifier);
  const Candidate *chosen = candidates.getChosen();
  auto name = kernel->getAttrOfType<StringAttr>(FuserSchedDialect::kOnly);
  // Nothing verifies the fastest scheduler again.
  return chosen && (!name || chosen->scheduler->getName() == name) &&
         llvm::none_of(candidates.all, [](const Candidate &candidate) {
           return candidate.refusal && candidate.refusal->code == kNotLowered;
         });
}

/// Gives the boundaries their proposed orders if each kernel is accepted with them, lowering takes
/// the schedules, and the predicted time does not increase; if kernels prefer different orders, it
/// must decrease. Otherwise, nothing changes.
bool Settler::settle(ArrayRef<const Proposal *> proposals) {
  struct Before {
    KernelOp::Properties properties;
    std::optional<KernelAnswer> answer;
  };
  llvm::MapVector<Operation *, Before> kernels;
  double before = 0, after = 0;
  bool isAgreed = true;
  for (const Proposal *proposal : proposals) {
    isAgreed &= proposal->isAgreed;
    for (Site site : proposal->boundary->getSites()) {
      if (!kernels.contains(site.kernel)) {
        const std::optional<KernelAnswer> &answer = ask(site.kernel);
        before += answer->microseconds;
        kernels.insert({site.kernel, {site.kernel.getProperties(), answer}});
      }
      site.setOrder(proposal->order);
    }
  }
  bool isAccepted = true;
  for (Operation *op : llvm::make_first_range(kernels)) {
    answers.erase(op);
    const std::optional<KernelAnswer> &answer = ask(cast<KernelOp>(op));
    isAccepted = isAccepted && answer;
    after += answer ? answer->microseconds : 0;
  }
  isAccepted = isAccepted && after <= before * (isAgreed ? 1 + 1e-9 : kLessTime);
  for (Operation *op : llvm::make_first_range(kernels))
    isAccepted = isAccepted && canLower(cast<KernelOp>(op), options);
  if (isAccepted) {
    for (const Proposal *proposal : proposals)
      AllocOp(proposal->boundary->alloc).setOrder(proposal->order);
    for (Operation *op : llvm::make_first_range(kernels))
      op->setAttr(FuserSchedDialect::kSettled, UnitAttr::get(op->getContext()));
    return true;
  }
  for (auto &[op, state] : kernels) {
    // `setAttrs` keeps inherent attributes that were absent.
    cast<KernelOp>(op).getProperties() = state.properties;
    answers[op] = std::move(state.answer);
  }
  return false;
}

/// Settles boundaries whose kernels agree, all of those that kernels connect at once if possible:
/// a kernel may need several buffers in one order. Then each boundary by itself.
unsigned Settler::settleRound(ArrayRef<Boundary> boundaries) {
  std::vector<Proposal> proposals;
  for (const Boundary &boundary : boundaries)
    propose(boundary, proposals);
  llvm::IntEqClasses classes(proposals.size());
  llvm::DenseMap<Operation *, unsigned> first;
  for (auto [number, proposal] : llvm::enumerate(proposals))
    if (proposal.isAgreed)
      for (const Site &site : proposal.boundary->getSites())
        classes.join(number, first.try_emplace(site.kernel, number).first->second);
  classes.compress();
  std::vector<SmallVector<const Proposal *>> groups(classes.getNumClasses());
  for (auto [number, proposal] : llvm::enumerate(proposals))
    groups[classes[number]].push_back(&proposal);

  unsigned numSettled = 0;
  llvm::SmallPtrSet<const Boundary *, 8> settled;
  for (ArrayRef<const Proposal *> group : groups)
    if (group.size() > 1 && settle(group)) {
      for (const Proposal *proposal : group)
        settled.insert(proposal->boundary);
      numSettled += group.size();
    }
  for (const Proposal &proposal : proposals)
    if (!settled.contains(proposal.boundary) && settle(&proposal)) {
      settled.insert(proposal.boundary);
      ++numSettled;
    }
  return numSettled;
}

unsigned Settler::run() {
  std::vector<Boundary> boundaries;
  llvm::DenseMap<Operation *, bool> mayPrefer;
  host.walk([&](AllocOp alloc) {
    std::optional<Boundary> boundary = getOpenBoundary(alloc);
    if (boundary && llvm::any_of(boundary->getSites(), [&](const Site &site) {
          auto [it, isNew] = mayPrefer.try_emplace(site.kernel);
          if (isNew)
            it->second = mayPreferOrder(site.kernel);
          return it->second;
        }))
      boundaries.push_back(std::move(*boundary));
  });
  unsigned numSettled = 0;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    const unsigned more = settleRound(boundaries);
    numSettled += more;
    if (more == 0)
      break;
  }
  // From here on, orders are final.
  host.walk([](AllocOp alloc) { alloc->removeDiscardableAttr(kDefaultOrderName); });
  return numSettled;
}

unsigned fuser::settleBoundaries(HostOp host, SymbolTable &symbols, const SettleOptions &options) {
  return Settler(host, symbols, options).run();
}

namespace {
struct SettleBoundaries : fuser::impl::FuserSettleBoundariesBase<SettleBoundaries> {
  SettleBoundaries(std::shared_ptr<const SchedulerRegistry> registry,
                   const FuserSettleBoundariesOptions &options,
                   std::optional<artifact::DeviceDescription> device, ScheduleVerifier verifier)
      : FuserSettleBoundariesBase(options), registry(std::move(registry)),
        device(std::move(device)), verifier(std::move(verifier)) {}

  void getDependentDialects(DialectRegistry &dialects) const override {
    dialects.insert<FuserSchedDialect>();
  }

  void runOnOperation() override {
    FailureOr<artifact::DeviceDescription> found = findDevice(getOperation(), target, device);
    if (failed(found))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (auto host : getOperation().getOps<HostOp>())
      numSettled += settleBoundaries(host, symbols, {registry.get(), *found, verifier});
  }

  std::shared_ptr<const SchedulerRegistry> registry;
  const std::optional<artifact::DeviceDescription> device;
  const ScheduleVerifier verifier;
};
} // namespace

std::unique_ptr<Pass> fuser::createSettleBoundariesPass(
    std::shared_ptr<const SchedulerRegistry> registry, const FuserSettleBoundariesOptions &options,
    std::optional<artifact::DeviceDescription> device, ScheduleVerifier verifier) {
  return std::make_unique<SettleBoundaries>(std::move(registry), options, std::move(device),
                                            std::move(verifier));
}
