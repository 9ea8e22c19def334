//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions: accumulators around loops, then warp, block and grid.
//
// A tuple is what a combiner works on; a reduction holds one tuple for each iteration index inside
// of its reduction loops. Tuples of a vectorized iteration loop hold vectors.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "ReductionState.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser;

KernelEmitter::~KernelEmitter() = default;

SmallVector<ParallelType> KernelEmitter::getReductionTypes(const ScheduledOp &scheduled,
                                                           bool (*isType)(ParallelType)) const {
  SmallVector<ParallelType> types;
  for (auto [id, type] : llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()))
    if (scheduled.domain.getKinds()[id] == IdKind::Reduction && isType(type))
      types.push_back(type);
  llvm::sort(types);
  return types;
}

Value KernelEmitter::getReducedCount(const ScheduledOp &scheduled) {
  Value count = index.constant(1);
  for (unsigned id : scheduled.domain.getRootOrLogical())
    if (scheduled.domain.getKinds()[id] == IdKind::Reduction)
      count = index.mul(count, getExtentValue(scheduled, id));
  return count;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::startReduction(ScheduledOp &scheduled, unsigned position) {
  auto state = std::make_unique<Accumulators>();
  ArrayRef<unsigned> loop = scheduled.domain.getLoop();
  for (unsigned i = position; i < loop.size(); ++i) {
    ParallelType type = scheduled.domain.getParallel()[i];
    bool reduction = scheduled.domain.getKinds()[loop[i]] == IdKind::Reduction;
    if (type == ParallelType::Vectorize) {
      state->width = *scheduled.loops[i]->constant;
      state->foldLanes = reduction;
      continue;
    }
    if (reduction || isThreadType(type) || isBlockType(type))
      continue;
    std::optional<int64_t> bound = scheduled.loops[i]->getStaticBound();
    if (!bound)
      return scheduled.op->emitOpError("expected loop ")
             << i
             << " inside of its reduction loops to have a constant extent or a fact that bounds "
                "it, but got "
             << describe(scheduled.loops[i]->extent);
    state->loops.push_back(scheduled.loops[i]);
    state->extents.push_back(*bound);
  }
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  SmallVector<Value> identity = combiner.buildIdentity(builder, loc);
  int64_t elements = 1;
  for (int64_t extent : state->extents)
    elements *= extent;
  std::unique_ptr<Accumulators> &slot = accumulators[scheduled.op];
  for (auto [component, type] : llvm::enumerate(combiner.getAccumulatorTypes())) {
    Value memory;
    if (slot) {
      memory = slot->memory[component];
    } else {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(entry);
      memory = memref::AllocaOp::create(
          builder, loc, MemRefType::get({elements * state->width}, getStorageType(type)),
          builder.getI64IntegerAttr(16));
    }
    state->memory.push_back(memory);
    Value neutral = splat(identity[component], state->width);
    for (int64_t i = 0; i < elements; ++i)
      store(state->access(component, index.constant(i * state->width)), neutral);
  }
  slot = std::move(state);
  return success();
}

LogicalResult KernelEmitter::accumulate(ScheduledOp &scheduled) {
  Accumulators &state = *accumulators[scheduled.op];
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  int64_t width = getWidth(scheduled);
  SmallVector<Value> operands;
  for (unsigned i = 0, e = scheduled.op->getNumOperands(); i < e; ++i) {
    FailureOr<Value> operand = readOperand(scheduled, i, width);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  Value offset = index.constant(0);
  for (auto [loop, extent] : llvm::zip(state.loops, state.extents))
    offset = index.add(index.mul(offset, index.constant(extent)), loopIndex.lookup(loop));
  offset = index.mul(offset, index.constant(state.width));
  SmallVector<Value> current;
  for (auto [component, type] : llvm::enumerate(combiner.getAccumulatorTypes()))
    current.push_back(state.width > 1
                          ? loadVector(state.access(component, offset), type, state.width)
                          : loadScalar(state.access(component, offset), type));
  SmallVector<Value> next = combiner.buildAccumulate(builder, loc, current, operands);
  for (auto [component, value] : llvm::enumerate(next))
    store(state.access(component, offset), value);
  return success();
}

LogicalResult KernelEmitter::finishReduction(ScheduledOp &scheduled, unsigned position) {
  Accumulators &state = *accumulators[scheduled.op];
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  int64_t elements = 1;
  for (int64_t extent : state.extents)
    elements *= extent;
  Tuples tuples;
  for (int64_t i = 0; i < elements; ++i) {
    Value offset = index.constant(i * state.width);
    SmallVector<Value> tuple;
    for (auto [component, type] : llvm::enumerate(combiner.getAccumulatorTypes()))
      tuple.push_back(state.width > 1
                          ? loadVector(state.access(component, offset), type, state.width)
                          : loadScalar(state.access(component, offset), type));
    if (state.foldLanes)
      tuple = foldLanes(scheduled, tuple, state.width);
    tuples.push_back(std::move(tuple));
  }
  SmallVector<ParallelType> threads = getReductionTypes(scheduled, isThreadType);
  SmallVector<ParallelType> blocks = getReductionTypes(scheduled, isBlockType);
  combineBlock(scheduled, tuples, threads);
  llvm::erase_if(blocks,
                 [&](ParallelType type) { return extents.getConstant(getGridDim(type)) == 1; });
  if (!blocks.empty())
    combineGrid(scheduled, tuples, threads, blocks);

  Value count = getReducedCount(scheduled);
  for (auto [number, tuple] : llvm::enumerate(tuples)) {
    // The loops inside stand at the tuple's index.
    int64_t rest = number;
    for (auto [loop, extent] : llvm::reverse(llvm::zip(state.loops, state.extents))) {
      loopIndex[loop] = index.constant(rest % extent);
      rest /= extent;
    }
    if (failed(
            storeReduced(scheduled, combiner.buildFinalize(builder, loc, tuple, count), position)))
      return failure();
  }
  closePredicate();
  return success();
}

/// Stores one finished element (or vector of them) of each result.
LogicalResult KernelEmitter::storeReduced(ScheduledOp &scheduled, ValueRange results,
                                          unsigned position) {
  Accumulators &state = *accumulators[scheduled.op];
  // Loops over reduction ids are closed; they index no result.
  for (auto [id, loop] : llvm::zip(scheduled.domain.getLoop(), scheduled.loops))
    if (scheduled.domain.getKinds()[id] == IdKind::Reduction && !isThreadType(loop->type) &&
        !isBlockType(loop->type))
      loopIndex[loop] = index.constant(0);
  IdValues ids = deriveIds(scheduled);
  if (scheduled.memory != MemoryType::Register) {
    Value predicate = index.both(predicatesOff ? Value() : getResultPredicate(scheduled, ids),
                                 getStorePredicate(scheduled));
    if (predicate)
      enterPredicate(predicate);
  }
  int64_t width = state.foldLanes ? 1 : state.width;
  for (auto [number, value] : llvm::enumerate(results))
    if (failed(writeResult(scheduled, number, value, ids, width)))
      return failure();
  closePredicate();
  return success();
}

/// Combines the lanes of vectors, in pairs.
SmallVector<Value> KernelEmitter::foldLanes(ScheduledOp &scheduled, ArrayRef<Value> tuple,
                                            int64_t width) {
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  Tuples lanes;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> scalars;
    for (Value component : tuple)
      scalars.push_back(vector::ExtractOp::create(builder, loc, component, lane));
    lanes.push_back(std::move(scalars));
  }
  for (int64_t half = width / 2; half > 0; half /= 2)
    for (int64_t lane = 0; lane < half; ++lane)
      lanes[lane] = combiner.buildCombine(builder, loc, lanes[lane], lanes[lane + half]);
  return lanes[0];
}

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

static int64_t getLanes(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

/// Memory for `slots` copies of the tuples, one region for each component. A region that was used
/// before is waited for.
SmallVector<Value> KernelEmitter::getExchange(ScheduledOp &scheduled, const Tuples &tuples,
                                              int64_t slots, unsigned stage) {
  SmallVector<Value> &regions = exchanges[{scheduled.op, stage}];
  if (!regions.empty()) {
    gpu::BarrierOp::create(builder, loc);
    return regions;
  }
  int64_t lanes = getLanes(tuples.front().front());
  for (Value component : tuples.front())
    regions.push_back(addSharedMemory(slots * int64_t(tuples.size()) * lanes,
                                      getStorageType(getElementTypeOrSelf(component.getType()))));
  // In a loop the region is used again by the next iteration.
  if (builder.getInsertionBlock() != entry)
    gpu::BarrierOp::create(builder, loc);
  return regions;
}

/// Component c of tuple t at slot s is at ((t * slots) + s) * lanes.
void KernelEmitter::storeTuples(const Tuples &tuples, ArrayRef<Value> memory, Value slot,
                                Value slots) {
  for (auto [number, tuple] : llvm::enumerate(tuples))
    for (auto [component, value] : llvm::enumerate(tuple)) {
      Access access;
      access.memory = memory[component];
      Value place = index.add(index.mul(index.constant(number), slots), slot);
      access.offset = index.mul(place, index.constant(getLanes(value)));
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
      int64_t lanes = getLanes(value);
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
  // One slot for each warp of a row of threads; every warp then combines the slots of its row.
  int64_t warps = size / 32,
          rows = getBlockDim(ParallelType::ThreadY) * getBlockDim(ParallelType::ThreadZ);
  SmallVector<Value> memory = getExchange(scheduled, tuples, warps * rows, 0);
  Value slots = index.constant(warps * rows);
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
    storeTuples(tuples, memory, index.add(base, index.div(x, warp)), slots);
  }
  gpu::BarrierOp::create(builder, loc);
  int64_t group = llvm::PowerOf2Ceil(warps);
  Value place = index.rem(lane, index.constant(group));
  Tuples neutral = identityLike(scheduled, tuples);
  // Lanes without a warp read the last slot and drop it.
  Value exists = index.lessThan(place, index.constant(warps));
  Value clamped = place;
  if (warps != group)
    clamped = arith::MinUIOp::create(builder, loc, place, index.constant(warps - 1));
  Tuples loaded = loadTuples(tuples, memory, index.add(base, clamped), slots, false);
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
  int64_t threads = blockDim[0] * blockDim[1] * blockDim[2];
  SmallVector<Value> memory = getExchange(scheduled, tuples, threads, 1);
  Value slots = index.constant(threads);
  Value own = index.constant(0), base = index.constant(0), step = index.constant(1);
  int64_t stride = 1, count = 1;
  SmallVector<std::pair<int64_t, int64_t>> reduced; // extent, stride
  for (ParallelType type : {ParallelType::ThreadX, ParallelType::ThreadY, ParallelType::ThreadZ}) {
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
  storeTuples(tuples, memory, own, slots);
  gpu::BarrierOp::create(builder, loc);
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
    Tuples loaded = loadTuples(tuples, memory, place, slots, false);
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

void KernelEmitter::combineBlock(ScheduledOp &scheduled, Tuples &tuples,
                                 ArrayRef<ParallelType> types) {
  SmallVector<ParallelType> rest;
  for (ParallelType type : types)
    if (getBlockDim(type) > 1)
      rest.push_back(type);
  if (rest.empty())
    return;
  int64_t x = getBlockDim(ParallelType::ThreadX);
  bool shuffles = x % 32 == 0 || (x < 32 && llvm::isPowerOf2_64(x));
  if (rest.front() == ParallelType::ThreadX && shuffles) {
    combineThreadX(scheduled, tuples);
    rest.erase(rest.begin());
  }
  if (!rest.empty())
    combineThreadsThroughShared(scheduled, tuples, rest);
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

/// Every block writes its tuples to a workspace; the last one to arrive combines them, always in
/// the order of the blocks, so that the result does not depend on who is last. The result is valid
/// in that block only.
void KernelEmitter::combineGrid(ScheduledOp &scheduled, Tuples &tuples,
                                ArrayRef<ParallelType> threads, ArrayRef<ParallelType> blocks) {
  MLIRContext *context = builder.getContext();
  // Blocks: which result (segment), and which part of it. Threads: which tuple of the block, and
  // who helps with it.
  Value segment = index.constant(0), part = index.constant(0);
  AffineExpr segments = getAffineConstantExpr(1, context), parts = segments;
  for (ParallelType type : {ParallelType::BlockX, ParallelType::BlockY, ParallelType::BlockZ}) {
    AffineExpr dim = getGridDim(type);
    if (!dim)
      continue;
    bool reduced = llvm::is_contained(blocks, type);
    Value &number = reduced ? part : segment;
    AffineExpr &total = reduced ? parts : segments;
    number = index.add(index.mul(number, evaluate(dim)), getHardwareIndex(type));
    total = total * dim;
  }
  Value slot = index.constant(0), helper = index.constant(0);
  int64_t slots = 1, helpers = 1;
  for (ParallelType type : {ParallelType::ThreadZ, ParallelType::ThreadY, ParallelType::ThreadX}) {
    int64_t size = getBlockDim(type);
    if (size == 1)
      continue;
    bool reduced = llvm::is_contained(threads, type);
    Value &number = reduced ? helper : slot;
    number = index.add(index.mul(number, index.constant(size)), getHardwareIndex(type));
    (reduced ? helpers : slots) *= size;
  }
  // One workspace for each component, and a counter for each segment.
  int64_t lanes = getLanes(tuples.front().front());
  SmallVector<Value> memory;
  for (Value component : tuples.front()) {
    Type element = getStorageType(getElementTypeOrSelf(component.getType()));
    int64_t bytes = int64_t(tuples.size()) * slots * lanes * element.getIntOrFloatBitWidth() / 8;
    memory.push_back(addWorkspace(segments * parts * bytes, element, /*zeroed=*/false));
  }
  Value counter = addWorkspace(segments * 4, builder.getI32Type(), /*zeroed=*/true);
  // Tuple t of part p at slot s of a segment: (t * parts + p) * slots + s, after all segments
  // before it.
  Value partCount = evaluate(parts), slotCount = index.constant(slots);
  Value stride = index.mul(partCount, slotCount);
  Value base = index.mul(segment, index.mul(stride, index.constant(tuples.size())));
  auto placeOf = [&](Value ofPart) {
    return index.add(base, index.add(index.mul(ofPart, slotCount), slot));
  };
  auto write = [&] { storeTuples(tuples, memory, placeOf(part), stride); };
  if (helpers > 1) {
    auto first = scf::IfOp::create(builder, loc, index.equal(helper, index.constant(0)), false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(first.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    write();
  } else {
    write();
  }
  Value participants = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), partCount);
  Value last = kernel_ir::LastBlockOp::create(builder, loc, builder.getI1Type(), counter,
                                              ValueRange{segment}, participants);
  Value begin = arith::SelectOp::create(builder, loc, last, helper, partCount);
  auto loop = scf::ForOp::create(builder, loc, begin, partCount, index.constant(helpers),
                                 flatten(identityLike(scheduled, tuples)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IndexBuilder::Scope scope(index);
    Tuples loaded = loadTuples(tuples, memory, placeOf(loop.getInductionVar()), stride, true);
    Tuples total = combine(scheduled, unflatten(tuples, loop.getRegionIterArgs()), loaded);
    scf::YieldOp::create(builder, loc, flatten(total));
  }
  tuples = unflatten(tuples, loop.getResults());
  combineBlock(scheduled, tuples, threads);
  for (ParallelType type : blocks)
    validIn[scheduled.op].push_back({type, last});
}
