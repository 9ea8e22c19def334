//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fallback: one op, one element of its result per thread, reductions as loops of a thread.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace mlir;
using namespace fuser;

namespace {

constexpr int64_t kThreads = 128;

class SingleOp : public Scheduler {
public:
  StringRef getName() const override { return "single_op"; }
  Answer accepts(const KernelView &kernel) const override;
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const SizeHints &hints,
                                       const artifact::DeviceDescription &device) const override;
  LogicalResult apply(KernelOp kernel, ScheduleParamsInterface params) const override;

private:
  std::optional<Refusal> check(const KernelView &kernel) const;
};

} // namespace

std::optional<Refusal> SingleOp::check(const KernelView &kernel) const {
  if (kernel.getOps().size() != 1) {
    SmallVector<Operation *> ops(kernel.getOps().begin(), kernel.getOps().end());
    return Refusal{RefusalCode::NotOneOp, ops,
                   "expected exactly one op, but got " + std::to_string(ops.size())};
  }
  TensorViewOpInterface op = kernel.getOps().front();
  if (!isa<ElementwiseOpInterface, CombinerOpInterface>(op.getOperation()))
    return Refusal{RefusalCode::UnsupportedOp,
                   {op},
                   "expected an op with an elementwise form or a combiner, but got '" +
                       op->getName().getStringRef().str() + "'"};
  return std::nullopt;
}

Answer SingleOp::accepts(const KernelView &kernel) const {
  if (std::optional<Refusal> refusal = check(kernel))
    return *refusal;
  return Acceptance();
}

std::variant<Choice, Refusal> SingleOp::choose(const KernelView &kernel, const SizeHints &hints,
                                               const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  requirements.requireShortIndices();
  return Choice{SingleOpParamsAttr::get(kernel.getKernel().getContext(), kThreads),
                requirements.takeFacts()};
}

LogicalResult SingleOp::apply(KernelOp kernel, ScheduleParamsInterface attribute) const {
  auto params = cast<SingleOpParamsAttr>(attribute);
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  if (std::optional<Refusal> refusal = check(*view))
    return emitRefusal(kernel, getName(), *refusal);
  TensorViewOpInterface op = view->getOps().front();

  // The results in the order in which the first output lies, then what is reduced.
  SmallVector<int64_t> order = getOutputOrder(kernel, 0);
  SmallVector<SmallVector<int64_t>> orders;
  for (unsigned output = 0, e = kernel.getNumResults(); output < e; ++output)
    orders.push_back(getOutputOrder(kernel, output));
  DomainAttr trivial = op.getTrivialDomain(0);
  SmallVector<unsigned> results = trivial.getResultIds(), kept;
  for (int64_t dim : order)
    if (dim < int64_t(results.size()))
      kept.push_back(results[dim]);
  LoopBuilder loops(op);
  auto [blocks, thread] = [&]() -> std::pair<unsigned, unsigned> {
    unsigned merged = loops.merge(kept);
    if (merged == kNoId)
      return {kNoId, kNoId};
    return loops.getBuilder().split(merged, params.getThreads());
  }();
  SmallVector<LoopBuilder::Loop> list = {{blocks, ParallelType::BlockX},
                                         {thread, ParallelType::ThreadX}};
  for (unsigned id : trivial.getLogical())
    if (!llvm::is_contained(results, id))
      list.push_back({id});
  loops.finish(list);

  // Every output is a store of its own.
  for (unsigned output = 0, e = kernel.getNumResults(); output < e; ++output)
    if (failed(cacheStore(kernel, output)))
      return failure();
  SmallVector<Operation *> stores;
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  for (Value value : ret.getValues())
    if (Operation *store = value.getDefiningOp())
      stores.push_back(store);
  DimClasses classes(kernel.getBody().front());
  if (failed(propagateTransforms(op, stores, classes)))
    return failure();
  for (auto [value, outputOrder] : llvm::zip(ret.getValues(), orders)) {
    auto store = value.getDefiningOp<TensorViewOpInterface>();
    if (!store)
      continue;
    DomainBuilder builder(store.getDomain());
    SmallVector<unsigned> dims = store.getDomain().getResultIds(), allocation;
    for (int64_t dim : outputOrder)
      allocation.push_back(dims[dim]);
    builder.setAllocation(allocation);
    store.setDomain(builder.build());
  }
  inlineMost(kernel, classes);
  return success();
}

std::unique_ptr<Scheduler> fuser::createSingleOpScheduler() { return std::make_unique<SingleOp>(); }
