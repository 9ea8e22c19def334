//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How threads combine tuples that no shuffles can: through slots in shared memory.
//
//===----------------------------------------------------------------------===//

#include "CombinePlanner.h"

using namespace mlir;
using namespace fuser;

/// Slots that every thread combines, and those of which a thread makes one before.
static constexpr int64_t kMostSlots = 16, kFoldedSlots = 4;

/// In loops over all threads: the slots of those that shuffles have not combined yet.
CombinePlanner::ThreadSlots CombinePlanner::getThreadSlots(ArrayRef<ParallelType> types) {
  ThreadSlots slots;
  slots.own = constant(0);
  int64_t stride = 1;
  for (ParallelType type : kThreadTypes) {
    AffineExpr index = getThread(type);
    int64_t extent = getCount(type);
    const bool isReduced = llvm::is_contained(types, type);
    if (const int64_t together = isReduced ? threads.getWarpPart(type).count : 1; together > 1) {
      slots.isFirst.push_back(Constraint::equal(index % together, constant(0)));
      index = index.floorDiv(together);
      extent /= together;
    }
    slots.own = slots.own + index * stride;
    (isReduced ? slots.reduced : slots.kept).push_back({extent, stride, index});
    stride *= extent;
  }
  return slots;
}

int64_t CombinePlanner::ThreadSlots::count(ArrayRef<Axis> axes) {
  int64_t count = 1;
  for (const Axis &axis : axes)
    count *= axis.extent;
  return count;
}

AffineExpr CombinePlanner::ThreadSlots::getPlace(ArrayRef<Axis> axes, AffineExpr number) {
  AffineExpr place = getAffineConstantExpr(0, number.getContext());
  int64_t passed = 1;
  const int64_t all = count(axes);
  for (const Axis &axis : axes) {
    AffineExpr index = number.floorDiv(passed);
    passed *= axis.extent;
    if (passed < all)
      index = index % axis.extent;
    if (axis.extent > 1)
      place = place + index * axis.stride;
  }
  return place;
}

/// The first of many slots get what a few threads combine of them. Returns how many do.
int64_t CombinePlanner::foldSlots(const ThreadSlots &slots) {
  int64_t count = ThreadSlots::count(slots.reduced);
  AffineExpr base = constant(0), number = constant(0);
  for (const ThreadSlots::Axis &axis : slots.kept)
    base = base + axis.index * axis.stride;
  int64_t passed = 1;
  for (const ThreadSlots::Axis &axis : slots.reduced) {
    number = number + axis.index * passed;
    passed *= axis.extent;
  }
  while (count > kMostSlots) {
    const int64_t rest = llvm::divideCeil(count, kFoldedSlots);
    Constraints isFolder(slots.isFirst);
    isFolder.push_back(Constraint::less(number, constant(rest)));
    const SmallVector<Value> partial = addPartial();
    OpBuilder::InsertPoint end = builder.saveInsertionPoint();
    const AffineExpr from = number + openLoop(kFoldedSlots, ParallelType::Serial) * rest;
    Constraints exists(isFolder);
    if (rest * kFoldedSlots > count)
      exists.push_back(Constraint::less(from, constant(count)));
    forTuples([&](const TupleIndex &tuple) {
      const AffineExpr place = base + ThreadSlots::getPlace(slots.reduced, from);
      step(loop::TileStep::Merge, threadExchange, getAccess(getSlot(tuple, place)), partial, tuple,
           std::nullopt, exists);
    });
    builder.restoreInsertionPoint(end);
    forTuples([&](const TupleIndex &tuple) {
      const AffineExpr place = base + ThreadSlots::getPlace(slots.reduced, number);
      move(partial, threadExchange, tuple, getSlot(tuple, place), isFolder);
    });
    count = rest;
  }
  return count;
}

/// Every thread combines all slots of its tuples.
void CombinePlanner::mergeSlots(const ThreadSlots &slots) {
  const int64_t count = foldSlots(slots);
  AffineExpr base = constant(0);
  for (const ThreadSlots::Axis &axis : slots.kept)
    base = base + axis.index * axis.stride;
  const SmallVector<Value> partial = addPartial();
  OpBuilder::InsertPoint end = builder.saveInsertionPoint();
  const AffineExpr number = openLoop(count, ParallelType::Serial);
  const AffineExpr place = base + ThreadSlots::getPlace(slots.reduced, number);
  forTuples([&](const TupleIndex &tuple) {
    step(loop::TileStep::Merge, threadExchange, getAccess(getSlot(tuple, place)), partial, tuple);
  });
  builder.restoreInsertionPoint(end);
  forTuples([&](const TupleIndex &tuple) { move(partial, totals, tuple, tuple); });
}

/// A thread combines all slots of one element of a tuple, and all threads read the results.
void CombinePlanner::spreadSlots(const ThreadSlots &slots) {
  const int64_t rows = ThreadSlots::count(slots.kept), each = ShapedType::getNumElements(shape),
                count = threads.getNumThreads();
  OpBuilder::InsertPoint end = builder.saveInsertionPoint();
  const int64_t rounds = llvm::divideCeil(rows * each, count);
  AffineExpr number = getThread(ParallelType::ThreadX);
  number = number + getThread(ParallelType::ThreadY) * getCount(ParallelType::ThreadX);
  number = number + getThread(ParallelType::ThreadZ) *
                        (getCount(ParallelType::ThreadX) * getCount(ParallelType::ThreadY));
  if (rounds > 1)
    number = number + openLoop(rounds, ParallelType::Unroll) * count;
  Constraints exists;
  if (rounds * count > rows * each)
    exists.push_back(Constraint::less(number, constant(rows * each)));
  // Neighbors have neighboring elements.
  TupleIndex tuple(shape.size());
  AffineExpr rest = number.floorDiv(lanes);
  const AffineExpr row = each == lanes ? rest : rest % rows;
  rest = rest.floorDiv(rows);
  for (size_t dim = shape.size() - (lanes > 1); dim-- > 0;) {
    tuple[dim] = dim == 0 ? rest : rest % shape[dim];
    rest = rest.floorDiv(shape[dim]);
  }
  if (lanes > 1)
    tuple.back() = number % lanes;
  const SmallVector<Value> partial = addBuffers({}, MemoryType::Register);
  step(loop::TileStep::Initial, {}, {}, partial, {});
  OpBuilder::InsertPoint merged = builder.saveInsertionPoint();
  const AffineExpr slot = openLoop(ThreadSlots::count(slots.reduced), ParallelType::Serial);
  const AffineExpr place =
      ThreadSlots::getPlace(slots.kept, row) + ThreadSlots::getPlace(slots.reduced, slot);
  step(loop::TileStep::Merge, threadExchange, getAccess(getSlot(tuple, place)), partial, {},
       std::nullopt, exists);
  builder.restoreInsertionPoint(merged);
  move(partial, resultExchange, {}, getSlot(tuple, row), exists);
  builder.restoreInsertionPoint(end);
  AffineExpr own = constant(0);
  int64_t stride = 1;
  for (const ThreadSlots::Axis &axis : slots.kept) {
    own = own + axis.index * stride;
    stride *= axis.extent;
  }
  forTuples(
      [&](const TupleIndex &index) { move(resultExchange, totals, getSlot(index, own), index); });
}
