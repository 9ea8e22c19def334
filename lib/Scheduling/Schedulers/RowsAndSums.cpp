//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of rows that are reduced and of columns that are summed over all of them.
//
//===----------------------------------------------------------------------===//

#include "RowsAndSums.h"
#include "Warps.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// Loads of partial sums that a thread has in flight.
static constexpr int64_t kUnroll = 4;

/// The threads of a row that are adjacent in a warp, and the warps of a row.
static int64_t getLanes(InnerOuterParamsAttr params) {
  return std::min<int64_t>(params.getThreads(), kWarp);
}
static int64_t getWarps(InnerOuterParamsAttr params) {
  return llvm::divideCeil(params.getThreads(), kWarp);
}

LogicalResult fuser::scheduleRows(const KernelView &kernel, const RowsAndSums &plan,
                                  InnerOuterParamsAttr params) {
  LoopBuilder loops(kernel, kernel.getOps()[plan.reference]);
  SmallVector<unsigned> columns = loops.take(plan.columns), rows = loops.take(plan.rows);
  // Dimensions of size 1 are merged with neither: sums reduce only rows, and results of rows have
  // no columns.
  SmallVector<unsigned> single = loops.takeRest();
  DomainBuilder &builder = loops.getBuilder();
  auto [block, share] = builder.split(loops.merge(rows), params.getBlocks(), /*inner=*/false);
  auto [step, row] = loops.split(share, params.getRows());
  auto [vectors, vector] = loops.split(loops.merge(columns), params.getVector());
  auto [groups, lane] = builder.split(vectors, getLanes(params));
  auto [unroll, warp] = builder.split(groups, getWarps(params));
  SmallVector<LoopBuilder::Loop> order;
  for (unsigned id : single)
    order.push_back({id});
  order.append({{block, ParallelType::BlockX},
                {step},
                {unroll, ParallelType::Unroll},
                {row, ParallelType::ThreadZ},
                {warp, ParallelType::ThreadY},
                {lane, ParallelType::ThreadX},
                {vector, ParallelType::Vectorize}});
  return loops.finish(order);
}

LogicalResult fuser::schedulePartials(TensorViewOpInterface sum, InnerOuterParamsAttr params) {
  LoopBuilder loops(sum);
  DomainBuilder &builder = loops.getBuilder();
  SmallVector<unsigned> ids(sum.getDomain().getLogical());
  auto [block, share] =
      builder.split(loops.merge(ArrayRef(ids).drop_back()), params.getBlocks(), /*inner=*/false);
  auto [step, lane] = builder.split(share, getLanes(params));
  auto [rounds, warp] = builder.split(ids.back(), getWarps(params));
  auto [groups, row] = loops.split(rounds, params.getRows());
  auto [loop, unroll] = builder.split(groups, kUnroll);
  return loops.finish({{block, ParallelType::BlockX},
                       {step},
                       {loop},
                       {unroll, ParallelType::Unroll},
                       {row, ParallelType::ThreadZ},
                       {warp, ParallelType::ThreadY},
                       {lane, ParallelType::ThreadX}});
}

LogicalResult fuser::splitSums(ArrayRef<TensorViewOpInterface> columnSums,
                               SmallVectorImpl<TensorViewOpInterface> &partials) {
  for (TensorViewOpInterface sum : columnSums) {
    // The loop over blocks, after those of size 1.
    ArrayRef<ParallelType> types = sum.getDomain().getParallel();
    FailureOr<Operation *> made =
        rfactor(sum, llvm::find(types, ParallelType::BlockX) - types.begin());
    if (failed(made))
      return failure();
    auto partial = cast<TensorViewOpInterface>(*made);
    if (failed(setMemory(partial, MemoryType::Global)))
      return failure();
    DomainBuilder builder(partial.getDomain());
    SmallVector<unsigned> allocation = partial.getDomain().getResultIds();
    std::rotate(allocation.begin(), allocation.end() - 1, allocation.end());
    builder.setAllocation(allocation);
    partial.setDomain(builder.build());
    partials.push_back(partial);
  }
  return success();
}

SmallVector<Operation *> fuser::getBehind(const KernelSchedule &schedule,
                                          ArrayRef<TensorViewOpInterface> partials) {
  llvm::SetVector<Operation *> behind;
  SmallVector<TensorViewOpInterface> ops = schedule.getOps();
  auto isPartial = [&](Operation *op) {
    return llvm::any_of(partials, [&](Operation *partial) { return partial == op; });
  };
  for (TensorViewOpInterface op : ops)
    if (llvm::any_of(op->getOperands(), [&](Value operand) {
          Operation *producer = operand.getDefiningOp();
          return producer && (behind.contains(producer) || isPartial(producer));
        }))
      behind.insert(op);
  auto isBehind = [&](Operation *op) { return behind.contains(op); };
  for (TensorViewOpInterface op : llvm::reverse(ops)) {
    if (isPartial(op) || isBehind(op) || llvm::none_of(op->getUsers(), isBehind))
      continue;
    if (llvm::all_of(op->getUsers(), isBehind)) {
      behind.insert(op);
      continue;
    }
    Operation *again = OpBuilder(op).clone(*op);
    op->replaceUsesWithIf(again, [&](OpOperand &use) { return isBehind(use.getOwner()); });
    behind.insert(again);
  }
  return behind.takeVector();
}
