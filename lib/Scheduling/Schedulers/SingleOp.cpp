//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fallback: one op, one element of its result per thread, reductions and scans as loops of a
// thread.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Code of a refusal: the kernel does not have exactly one op.
constexpr StringLiteral kNotOneOp = "not-one-op";

constexpr int64_t kThreads = 128;

class SingleOp : public SchedulerOf<Plan, SingleOpParamsAttr> {
public:
  StringRef getName() const override { return "single_op"; }
  bool isFallback() const override { return true; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const Plan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const Plan &plan, SingleOpParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const Plan &plan,
                            SingleOpParamsAttr params) const override;
};

} // namespace

Answer SingleOp::accepts(const KernelView &kernel) const {
  // Windows are stores of its results.
  const auto numWindows = llvm::count_if(
      kernel.getOps(), [](TensorViewOpInterface op) { return isa<WindowOp>(op.getOperation()); });
  if (kernel.getOps().size() - numWindows != 1) {
    SmallVector<Operation *> ops(kernel.getOps().begin(), kernel.getOps().end());
    return Refusal{RefusalCategory::OutOfScope, kNotOneOp, ops,
                   "expected exactly one op, but got " + std::to_string(ops.size() - numWindows)};
  }
  TensorViewOpInterface op = kernel.getOps().front();
  if (!isa<ElementwiseOpInterface, CombinerOpInterface, WholeReadOpInterface, ScanOpInterface>(
          op.getOperation()))
    return Refusal{RefusalCategory::Structure,
                   kUnsupportedOp,
                   {op},
                   "expected an op with a scalar form, a combiner or a scan, but got '" +
                       op->getName().getStringRef().str() + "'"};
  return std::make_unique<Plan>();
}

/// The ids of the dimensions of an op's results, slowest first.
struct ResultIds {
  /// The ids that every result has, and the ids that some result lacks.
  SmallVector<unsigned> common, partial;
};

/// In the stride order of the first output.
static ResultIds getIdsInOrder(KernelOp kernel, TensorViewOpInterface op) {
  SmallVector<SmallVector<unsigned>> dims;
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result)
    dims.push_back(op.getTrivialDomain(result).getResultIds());
  llvm::SetVector<unsigned> ordered;
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  Value stored = ret.getValues().front();
  if (auto window = stored.getDefiningOp<WindowOp>())
    stored = window.getInput();
  if (auto first = dyn_cast<OpResult>(stored))
    for (int64_t dim : getOutputOrder(kernel, 0))
      ordered.insert(dims[first.getResultNumber()][dim]);
  for (ArrayRef<unsigned> ids : dims)
    ordered.insert(ids.begin(), ids.end());
  ResultIds ids;
  // A scan has one loop over its dimension, like a reduction.
  if (auto scan = dyn_cast<ScanOpInterface>(op.getOperation()))
    ordered.remove(op.getTrivialDomain(0).getRootOrLogical()[scan.getScannedId()]);
  for (unsigned id : ordered) {
    bool everywhere =
        llvm::all_of(dims, [&](ArrayRef<unsigned> own) { return llvm::is_contained(own, id); });
    (everywhere ? ids.common : ids.partial).push_back(id);
  }
  return ids;
}

/// True if an output does not have the dimension.
static bool isLackedByOutput(KernelOp kernel, TensorViewOpInterface op, unsigned id) {
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  return llvm::any_of(ret.getValues(), [&](Value value) {
    auto result = dyn_cast<OpResult>(value);
    return result && result.getOwner() == op.getOperation() &&
           !llvm::is_contained(op.getTrivialDomain(result.getResultNumber()).getResultIds(), id);
  });
}

std::variant<Choice, Refusal>
SingleOp::chooseParams(const KernelView &kernel, const Plan &plan, const SizeHints &hints,
                       const artifact::DeviceDescription &device) const {
  return evaluateParams(kernel, plan,
                        SingleOpParamsAttr::get(kernel.getKernel().getContext(), kThreads), hints,
                        device);
}

std::variant<Choice, Refusal> SingleOp::evaluateParams(const KernelView &kernel, const Plan &,
                                                       SingleOpParamsAttr params,
                                                       const SizeHints &hints,
                                                       const artifact::DeviceDescription &) const {
  Requirements requirements(kernel, hints);
  requirements.requireShortIndices();
  // Dimensions that a result shares with a larger one are computed together with its elements.
  TensorViewOpInterface op = kernel.getOps().front();
  SmallVector<unsigned> partial;
  for (unsigned id : getIdsInOrder(kernel.getKernel(), op).partial)
    if (isLackedByOutput(kernel.getKernel(), op, id))
      partial.push_back(kernel.getClasses().getClass(op, id));
  if (!requirements.requireNonEmpty(partial))
    return Refusal{RefusalCategory::Structure,
                   kUnsupportedOp,
                   {op},
                   "expected dimensions that one result of '" + op->getName().getStringRef().str() +
                       "' has and another lacks to be of size 1 or more"};
  ResourceUse use;
  use.threads = params.getThreads();
  SmallVector<unsigned> kept = kernel.getOwnClasses(op);
  llvm::erase_if(kept, [&](unsigned dimClass) {
    return llvm::is_contained(kernel.getReducedClasses(op), dimClass);
  });
  if (std::optional<int64_t> elements = requirements.getSize(kept))
    use.blocks = llvm::divideCeil(*elements, use.threads);
  use.bytesInFlight = getElementBytesRead(kernel);
  return Choice{params, requirements.takeFacts(), use};
}

/// One element per thread. If a result lacks some dimension, a block computes one element of the
/// common dimensions, and threads and a second axis of the grid cover the rest: each thread then
/// computes the smaller result, and one thread stores it. Reductions and scans are loops of a
/// thread.
static DomainAttr getSchedule(DomainAttr trivial, const ResultIds &ids, int64_t threads) {
  DomainBuilder builder(trivial);
  auto merge = [&](ArrayRef<unsigned> all) {
    unsigned merged = all.front();
    for (unsigned id : all.drop_front())
      merged = builder.merge(merged, id);
    return merged;
  };
  SmallVector<unsigned> loops;
  SmallVector<ParallelType> types;
  auto addLoop = [&](unsigned id, ParallelType type) {
    loops.push_back(id);
    types.push_back(type);
  };
  if (!ids.common.empty() && !ids.partial.empty())
    addLoop(merge(ids.common), ParallelType::BlockX);
  bool both = !loops.empty();
  ArrayRef<unsigned> inner = ids.partial.empty() ? ids.common : ids.partial;
  if (!inner.empty()) {
    auto [blocks, thread] = builder.split(merge(inner), threads);
    addLoop(blocks, both ? ParallelType::BlockY : ParallelType::BlockX);
    addLoop(thread, ParallelType::ThreadX);
  }
  for (unsigned id : trivial.getLogical())
    if (!llvm::is_contained(ids.common, id) && !llvm::is_contained(ids.partial, id))
      addLoop(id, ParallelType::Serial);
  builder.setLoop(loops, types);
  return builder.build();
}

LogicalResult SingleOp::applyParams(const KernelView &view, const Plan &,
                                    SingleOpParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  TensorViewOpInterface op = view.getOps().front();

  SmallVector<SmallVector<int64_t>> orders;
  for (unsigned output = 0, e = kernel.getNumResults(); output < e; ++output)
    orders.push_back(getOutputOrder(kernel, output));
  ResultIds ids = getIdsInOrder(kernel, op);
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result)
    op.setDomain(getSchedule(op.getTrivialDomain(result), ids, params.getThreads()), result);

  // Every output has a separate store.
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  for (unsigned output = 0, e = kernel.getNumResults(); output < e; ++output)
    if (!isBorder(ret.getValues()[output]) && failed(cacheStore(kernel, output)))
      return failure();
  SmallVector<Operation *> stores;
  for (Value value : ret.getValues())
    if (Operation *store = value.getDefiningOp(); store && !isBorder(value))
      stores.push_back(store);
  IdRelations classes(kernel.getBody().front());
  if (failed(propagateTransforms(op, stores, classes)))
    return failure();
  for (auto [value, outputOrder] : llvm::zip(ret.getValues(), orders)) {
    auto store = value.getDefiningOp<TensorViewOpInterface>();
    if (!store || isBorder(value))
      continue;
    DomainBuilder builder(store.getDomain());
    SmallVector<unsigned> dims = store.getDomain().getResultIds(), allocation;
    for (int64_t dim : outputOrder)
      allocation.push_back(dims[dim]);
    builder.setAllocation(allocation);
    store.setDomain(builder.build());
  }
  inlineMost(kernel);
  return success();
}

std::unique_ptr<Scheduler> fuser::createSingleOpScheduler() { return std::make_unique<SingleOp>(); }
