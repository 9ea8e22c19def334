//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Combining the threads of a warp and of a block: shuffles, then slots in shared memory.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

KernelEmitter::Tuples KernelEmitter::combine(ScheduledOp &scheduled, const Tuples &lhs,
                                             const Tuples &rhs) {
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  Tuples result;
  for (auto [a, b] : llvm::zip(lhs, rhs))
    result.push_back(combiner.buildCombine(builder, loc, a, b));
  return result;
}

KernelEmitter::Tuples KernelEmitter::identityLike(ScheduledOp &scheduled, const Tuples &like) {
  SmallVector<Value> identity = cast<CombinerOpInterface>(scheduled.op).buildIdentity(builder, loc);
  Tuples result;
  for (const SmallVector<Value> &tuple : like) {
    SmallVector<Value> neutral;
    for (auto [component, value] : llvm::zip(identity, tuple)) {
      auto type = dyn_cast<VectorType>(value.getType());
      neutral.push_back(splat(component, type ? type.getNumElements() : 1));
    }
    result.push_back(std::move(neutral));
  }
  return result;
}

KernelEmitter::TupleShape KernelEmitter::getShape(const Tuples &tuples) {
  TupleShape shape{int64_t(tuples.size()), getNumLanes(tuples.front().front()), {}};
  for (Value component : tuples.front())
    shape.elements.push_back(getElementTypeOrSelf(component.getType()));
  return shape;
}

/// Room for `slots` of each tuple.
Exchange &KernelEmitter::getExchange(ScheduledOp &scheduled, const TupleShape &shape, int64_t slots,
                                     unsigned stage) {
  Exchange &exchange = exchanges[{scheduled.op, stage}];
  if (!exchange.memory.empty())
    return exchange;
  Timeline::Interval lifetime = timeline.getLifetime(timeline.getStore(scheduled));
  for (Type element : shape.elements) {
    auto [memory, region] = addSharedMemory(scheduled.op, slots * shape.count * shape.lanes,
                                            getStorageType(element), lifetime);
    exchange.memory.push_back(memory);
    exchange.regions.push_back(region);
  }
  return exchange;
}

/// One slot for each warp of a row of threads.
int64_t KernelEmitter::getNumWarpSlots() const {
  return getBlockDim(ParallelType::ThreadX) / 32 * getBlockDim(ParallelType::ThreadY) *
         getBlockDim(ParallelType::ThreadZ);
}

Exchange &KernelEmitter::getWarpExchange(ScheduledOp &scheduled, const TupleShape &shape) {
  return getExchange(scheduled, shape, getNumWarpSlots(), 0);
}

Exchange &KernelEmitter::getThreadExchange(ScheduledOp &scheduled, const TupleShape &shape) {
  return getExchange(scheduled, shape, blockDim[0] * blockDim[1] * blockDim[2], 1);
}

void KernelEmitter::placeExchanges(ScheduledOp &scheduled, const TupleShape &shape,
                                   ArrayRef<ParallelType> types) {
  auto [shuffles, rest] = planBlock(types);
  if (shuffles && getBlockDim(ParallelType::ThreadX) > 32)
    getWarpExchange(scheduled, shape);
  if (!rest.empty())
    getThreadExchange(scheduled, shape);
}

void KernelEmitter::beginUse(ScheduledOp &scheduled, const Exchange &exchange, bool writes) {
  SmallVector<MemoryUse> uses;
  for (unsigned region : exchange.regions) {
    MemoryUse use;
    use.writes = writes;
    use.region = region;
    use.user = scheduled.op;
    uses.push_back(use);
  }
  synchronizeBefore(uses);
  note(uses);
}

int64_t fuser::getNumLanes(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

/// Component c of tuple t at slot s is at ((t * slots) + s) * lanes.
void KernelEmitter::storeTuples(const Tuples &tuples, ArrayRef<Value> memory, Value slot,
                                Value slots) {
  for (auto [number, tuple] : llvm::enumerate(tuples))
    for (auto [component, value] : llvm::enumerate(tuple)) {
      Access access;
      access.memory = memory[component];
      Value place = index.add(index.mul(index.constant(number), slots), slot);
      access.offset = index.mul(place, index.constant(getNumLanes(value)));
      access.alignment = cast<MemRefType>(access.memory.getType()).getElementTypeBitWidth() / 8;
      store(access, value);
    }
}

KernelEmitter::Tuples KernelEmitter::loadTuples(const Tuples &like, ArrayRef<Value> memory,
                                                Value slot, Value slots, bool throughL2) {
  Tuples result;
  for (auto [number, tuple] : llvm::enumerate(like)) {
    SmallVector<Value> loaded;
    for (auto [component, value] : llvm::enumerate(tuple)) {
      int64_t lanes = getNumLanes(value);
      Access access;
      access.memory = memory[component];
      Value place = index.add(index.mul(index.constant(number), slots), slot);
      access.offset = index.mul(place, index.constant(lanes));
      Type element = getElementTypeOrSelf(value.getType());
      access.alignment = cast<MemRefType>(access.memory.getType()).getElementTypeBitWidth() / 8;
      if (throughL2 && getStorageType(element) == element)
        loaded.push_back(kernel_ir::LoadOp::create(
            builder, loc, value.getType(), access.memory, ValueRange{access.offset},
            kernel_ir::CacheHint::Cg, builder.getI64IntegerAttr(access.alignment)));
      else
        loaded.push_back(lanes > 1 ? loadVector(access, element, lanes)
                                   : loadScalar(access, element));
    }
    result.push_back(std::move(loaded));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Warp and block
//===----------------------------------------------------------------------===//

/// Combines groups of `lanes` neighbouring lanes; every lane gets the total of its group.
void KernelEmitter::combineWarp(ScheduledOp &scheduled, Tuples &tuples, int64_t lanes) {
  for (int64_t offset = lanes / 2; offset > 0; offset /= 2) {
    Value distance = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(offset));
    Tuples other;
    for (const SmallVector<Value> &tuple : tuples) {
      SmallVector<Value> moved;
      for (Value component : tuple)
        moved.push_back(kernel_ir::ShuffleOp::create(builder, loc, component.getType(),
                                                     kernel_ir::ShuffleMode::Xor, component,
                                                     distance, 32));
      other.push_back(std::move(moved));
    }
    tuples = combine(scheduled, tuples, other);
  }
}

/// Combines over thread_x where its size allows shuffles: a power of two up to a warp, or whole
/// warps.
void KernelEmitter::combineThreadX(ScheduledOp &scheduled, Tuples &tuples) {
  int64_t size = getBlockDim(ParallelType::ThreadX);
  combineWarp(scheduled, tuples, std::min<int64_t>(size, 32));
  if (size <= 32)
    return;
  // Every warp then combines the slots of its row.
  int64_t warps = size / 32,
          rows = getBlockDim(ParallelType::ThreadY) * getBlockDim(ParallelType::ThreadZ);
  Exchange &exchange = getWarpExchange(scheduled, getShape(tuples));
  beginUse(scheduled, exchange, /*writes=*/true);
  Value slots = index.constant(getNumWarpSlots());
  Value x = getHardwareIndex(ParallelType::ThreadX), warp = index.constant(32);
  Value row = index.constant(0);
  if (rows > 1)
    row = index.add(index.mul(getHardwareIndex(ParallelType::ThreadZ),
                              index.constant(getBlockDim(ParallelType::ThreadY))),
                    getHardwareIndex(ParallelType::ThreadY));
  Value base = index.mul(row, index.constant(warps));
  Value lane = index.rem(x, warp);
  auto first = scf::IfOp::create(builder, loc, index.equal(lane, index.constant(0)), false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(first.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    storeTuples(tuples, exchange.memory, index.add(base, index.div(x, warp)), slots);
  }
  beginUse(scheduled, exchange, /*writes=*/false);
  int64_t group = llvm::PowerOf2Ceil(warps);
  Value place = index.rem(lane, index.constant(group));
  Tuples neutral = identityLike(scheduled, tuples);
  // Lanes without a warp read the last slot and drop it.
  Value exists = index.lessThan(place, index.constant(warps));
  Value clamped = place;
  if (warps != group)
    clamped = arith::MinUIOp::create(builder, loc, place, index.constant(warps - 1));
  Tuples loaded = loadTuples(tuples, exchange.memory, index.add(base, clamped), slots, false);
  if (warps != group)
    for (auto [tuple, none] : llvm::zip(loaded, neutral))
      for (auto [component, zero] : llvm::zip(tuple, none))
        component = arith::SelectOp::create(builder, loc, exists, component, zero);
  tuples = std::move(loaded);
  combineWarp(scheduled, tuples, group);
}

/// Combines over any thread dimensions: every thread stores, and reads all of its group in one
/// order.
void KernelEmitter::combineThreadsThroughShared(ScheduledOp &scheduled, Tuples &tuples,
                                                ArrayRef<ParallelType> types) {
  Exchange &exchange = getThreadExchange(scheduled, getShape(tuples));
  Value slots = index.constant(blockDim[0] * blockDim[1] * blockDim[2]);
  Value own = index.constant(0), base = index.constant(0), step = index.constant(1);
  int64_t stride = 1, count = 1;
  SmallVector<std::pair<int64_t, int64_t>> reduced; // extent, stride
  for (ParallelType type : kThreadTypes) {
    int64_t size = getBlockDim(type);
    Value part =
        size > 1 ? index.mul(getHardwareIndex(type), index.constant(stride)) : index.constant(0);
    own = index.add(own, part);
    if (llvm::is_contained(types, type)) {
      reduced.push_back({size, stride});
      count *= size;
    } else {
      base = index.add(base, part);
    }
    stride *= size;
  }
  beginUse(scheduled, exchange, /*writes=*/true);
  storeTuples(tuples, exchange.memory, own, slots);
  beginUse(scheduled, exchange, /*writes=*/false);
  SmallVector<Value> initial;
  for (const SmallVector<Value> &tuple : identityLike(scheduled, tuples))
    llvm::append_range(initial, tuple);
  auto loop =
      scf::ForOp::create(builder, loc, index.constant(0), index.constant(count), step, initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IndexBuilder::Scope scope(index);
    Value place = base, rest = loop.getInductionVar();
    for (auto [extent, distance] : reduced) {
      place = index.add(
          place, index.mul(index.rem(rest, index.constant(extent)), index.constant(distance)));
      rest = index.div(rest, index.constant(extent));
    }
    Tuples loaded = loadTuples(tuples, exchange.memory, place, slots, false);
    Tuples total = combine(scheduled, unflatten(tuples, loop.getRegionIterArgs()), loaded);
    scf::YieldOp::create(builder, loc, flatten(total));
  }
  tuples = unflatten(tuples, loop.getResults());
}

SmallVector<Value> KernelEmitter::flatten(const Tuples &tuples) {
  SmallVector<Value> values;
  for (const SmallVector<Value> &tuple : tuples)
    llvm::append_range(values, tuple);
  return values;
}

KernelEmitter::Tuples KernelEmitter::unflatten(const Tuples &like, ValueRange values) {
  Tuples tuples;
  for (const SmallVector<Value> &tuple : like) {
    tuples.emplace_back(values.take_front(tuple.size()));
    values = values.drop_front(tuple.size());
  }
  return tuples;
}

KernelEmitter::BlockPlan KernelEmitter::planBlock(ArrayRef<ParallelType> types) const {
  BlockPlan plan;
  llvm::copy_if(types, std::back_inserter(plan.throughShared),
                [&](ParallelType type) { return getBlockDim(type) > 1; });
  int64_t x = getBlockDim(ParallelType::ThreadX);
  plan.shuffles = llvm::is_contained(plan.throughShared, ParallelType::ThreadX) &&
                  (x % 32 == 0 || (x < 32 && llvm::isPowerOf2_64(x)));
  if (plan.shuffles)
    llvm::erase(plan.throughShared, ParallelType::ThreadX);
  return plan;
}

void KernelEmitter::combineBlock(ScheduledOp &scheduled, Tuples &tuples,
                                 ArrayRef<ParallelType> types) {
  auto [shuffles, rest] = planBlock(types);
  if (shuffles)
    combineThreadX(scheduled, tuples);
  if (!rest.empty())
    combineThreadsThroughShared(scheduled, tuples, rest);
}
