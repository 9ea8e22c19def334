//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans of tiles: the elements of each thread, then the threads of a block.
//
//===----------------------------------------------------------------------===//

#include "TileScan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser;

KernelEmitter::TileScan::TileScan(KernelEmitter &emitter, ScheduledOp &scheduled)
    : emitter(emitter), scheduled(scheduled), scan(cast<ScanOpInterface>(scheduled.op)),
      loops(*scheduled.scan), builder(emitter.builder), index(emitter.index), loc(emitter.loc) {}

//===----------------------------------------------------------------------===//
// Loops and registers
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::TileScan::plan() {
  const int64_t blockSize[] = {emitter.getBlockDim(ParallelType::ThreadX),
                               emitter.getBlockDim(ParallelType::ThreadY),
                               emitter.getBlockDim(ParallelType::ThreadZ)};
  FailureOr<ScanTile> tile = ScanTile::get(scheduled, blockSize);
  if (failed(tile))
    return failure();
  ScanTile::operator=(std::move(*tile));
  if (!emitter.emits())
    return success();
  for (Type type : scan.getCarriedTypes()) {
    elements.push_back(emitter.addRegisters(numElements(), getStorageType(type)));
    if (isCarried())
      carry.push_back(emitter.addRegisters(numCarried(), getStorageType(type)));
  }
  return success();
}

/// Sets the indices of some levels to the iteration with this number, the last level the fastest.
void KernelEmitter::TileScan::setPoint(ArrayRef<unsigned> some, int64_t number,
                                       Point &point) const {
  for (unsigned level : llvm::reverse(some)) {
    point[level] = number % levels[level].extent;
    number /= levels[level].extent;
  }
}

/// Elements of one point lie next to each other; so do those of a scanned vector, which is the last
/// level.
Value KernelEmitter::TileScan::getOffset(const Point &point) {
  int64_t offset = 0;
  for (auto [level, at] : llvm::zip(levels, point))
    offset = offset * level.extent + at;
  return index.constant(offset * lanes);
}

static Access accessRegisters(Value memory, Value offset, int64_t width) {
  Access access;
  access.memory = memory;
  access.offset = offset;
  int64_t bytes = cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8;
  access.alignment = std::min<int64_t>(16, bytes * width);
  return access;
}

SmallVector<Value> KernelEmitter::TileScan::loadElements(const Point &point) {
  SmallVector<Value> tuple;
  for (auto [memory, type] : llvm::zip(elements, scan.getCarriedTypes())) {
    Access access = accessRegisters(memory, getOffset(point), lanes);
    tuple.push_back(lanes > 1 ? emitter.loadVector(access, type, lanes)
                              : emitter.loadScalar(access, type));
  }
  return tuple;
}

void KernelEmitter::TileScan::storeElements(const Point &point, ArrayRef<Value> tuple) {
  for (auto [memory, value] : llvm::zip(elements, tuple))
    emitter.store(accessRegisters(memory, getOffset(point), lanes), value);
}

Value KernelEmitter::TileScan::getCarryOffset(int64_t number) {
  Value offset = index.constant(0);
  for (const Level &level : around)
    offset = index.add(index.mul(offset, index.constant(level.extent)),
                       emitter.loopIndex.lookup(level.loop));
  offset = index.add(index.mul(offset, index.constant(count(kept))), index.constant(number));
  return index.mul(offset, index.constant(lanes));
}

SmallVector<Value> KernelEmitter::TileScan::loadCarry(int64_t number) {
  SmallVector<Value> tuple;
  for (auto [memory, type] : llvm::zip(carry, scan.getCarriedTypes())) {
    Access access = accessRegisters(memory, getCarryOffset(number), lanes);
    tuple.push_back(lanes > 1 ? emitter.loadVector(access, type, lanes)
                              : emitter.loadScalar(access, type));
  }
  return tuple;
}

void KernelEmitter::TileScan::storeCarry(int64_t number, ArrayRef<Value> tuple) {
  for (auto [memory, value] : llvm::zip(carry, tuple))
    emitter.store(accessRegisters(memory, getCarryOffset(number), lanes), value);
}

/// Fills arrays of registers with the neutral tuple.
static void fill(IndexBuilder &index, ArrayRef<Value> arrays, ArrayRef<Value> initial,
                 function_ref<void(const Access &, Value)> store) {
  for (auto [memory, value] : llvm::zip(arrays, initial))
    for (int64_t i = 0, e = cast<MemRefType>(memory.getType()).getNumElements(); i < e; ++i)
      store(accessRegisters(memory, index.constant(i), 1), value);
}

void KernelEmitter::TileScan::openRow() {
  if (emitter.emits())
    fill(index, carry, scan.buildInitial(builder, loc),
         [&](const Access &access, Value value) { emitter.store(access, value); });
}

void KernelEmitter::TileScan::openTile() {
  if (emitter.emits())
    fill(index, elements, scan.buildInitial(builder, loc),
         [&](const Access &access, Value value) { emitter.store(access, value); });
}

LogicalResult KernelEmitter::TileScan::collect() {
  FailureOr<SmallVector<Value>> operands = emitter.readOperands(scheduled);
  if (failed(operands) || !emitter.emits())
    return operands;
  const int64_t width = emitter.getWidth(scheduled);
  Value offset = index.constant(0);
  for (const Level &level : levels) {
    Value at = level.loop->type == ParallelType::Vectorize ? index.constant(0)
                                                           : emitter.loopIndex.lookup(level.loop);
    offset = index.add(index.mul(offset, index.constant(level.extent)), at);
  }
  offset = index.mul(offset, index.constant(lanes));
  for (auto [memory, value] : llvm::zip(elements, scan.buildLift(builder, loc, *operands)))
    emitter.store(accessRegisters(memory, offset, width), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelEmitter::TileScan::combine(ArrayRef<Value> first, ArrayRef<Value> rest) {
  return scan.buildCombine(builder, loc, first, rest);
}

KernelEmitter::Tuples KernelEmitter::TileScan::combineAll(const Tuples &first, const Tuples &rest) {
  Tuples result;
  for (auto [a, b] : llvm::zip(first, rest))
    result.push_back(combine(a, b));
  return result;
}

KernelEmitter::Tuples KernelEmitter::TileScan::neutralLike(const Tuples &like) {
  SmallVector<Value> neutral;
  for (Value initial : scan.buildInitial(builder, loc))
    neutral.push_back(emitter.splat(initial, lanes));
  return Tuples(like.size(), neutral);
}

KernelEmitter::Tuples KernelEmitter::TileScan::select(Value condition, const Tuples &yes,
                                                      const Tuples &no) {
  if (!condition)
    return yes;
  Tuples result;
  for (auto [a, b] : llvm::zip(yes, no)) {
    SmallVector<Value> &tuple = result.emplace_back();
    for (auto [x, y] : llvm::zip(a, b))
      tuple.push_back(arith::SelectOp::create(builder, loc, condition, x, y));
  }
  return result;
}

KernelEmitter::Tuples KernelEmitter::TileScan::shuffle(kernel_ir::ShuffleMode mode,
                                                       const Tuples &tuples, Value offset,
                                                       int64_t width) {
  offset = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), offset);
  Tuples result;
  for (const SmallVector<Value> &tuple : tuples) {
    SmallVector<Value> &moved = result.emplace_back();
    for (Value component : tuple)
      moved.push_back(kernel_ir::ShuffleOp::create(builder, loc, component.getType(), mode,
                                                   component, offset, width));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Each of the first `count` lanes of a group of `width` gets the tuple of the lanes up to its own;
/// `lane` is its number in its group.
KernelEmitter::Tuples KernelEmitter::TileScan::scanLanes(Tuples tuples, Value lane, int64_t count,
                                                         int64_t width) {
  for (int64_t distance = 1; distance < count; distance *= 2) {
    Tuples preceding = shuffle(kernel_ir::ShuffleMode::Up, tuples, index.constant(distance), width);
    // The first lanes have got their own tuple.
    Value isFirst = index.lessThan(lane, index.constant(distance));
    tuples = select(isFirst, tuples, combineAll(preceding, tuples));
  }
  return tuples;
}

/// Over thread_x where its size allows shuffles: a power of two up to a warp, or whole warps.
KernelEmitter::TileScan::Totals KernelEmitter::TileScan::scanThreadX(const Tuples &tuples) {
  const int64_t size = emitter.getBlockDim(ParallelType::ThreadX);
  const int64_t group = std::min<int64_t>(size, 32);
  Value x = emitter.getHardwareIndex(ParallelType::ThreadX);
  Value lane = size <= 32 ? x : index.rem(x, index.constant(32));
  Tuples upTo = scanLanes(tuples, lane, group, group);
  Tuples neutral = neutralLike(tuples);
  Value isFirst = index.equal(lane, index.constant(0));
  Totals totals;
  totals.before =
      select(isFirst, neutral, shuffle(kernel_ir::ShuffleMode::Up, upTo, index.constant(1), group));
  if (size <= 32) {
    totals.all = shuffle(kernel_ir::ShuffleMode::Idx, upTo, index.constant(group - 1), group);
    return totals;
  }
  // The totals of the warps of a row, which each warp scans.
  const int64_t warps = size / 32, rows = emitter.getBlockDim(ParallelType::ThreadY) *
                                          emitter.getBlockDim(ParallelType::ThreadZ);
  Exchange &exchange = emitter.getWarpExchange(scheduled, getShape(tuples));
  emitter.beginUse(scheduled, exchange, /*writes=*/true);
  Value slots = index.constant(emitter.getNumWarpSlots()), base = index.constant(0);
  Value warp = index.div(x, index.constant(32));
  if (rows > 1)
    base =
        index.mul(index.add(index.mul(emitter.getHardwareIndex(ParallelType::ThreadZ),
                                      index.constant(emitter.getBlockDim(ParallelType::ThreadY))),
                            emitter.getHardwareIndex(ParallelType::ThreadY)),
                  index.constant(warps));
  auto isLast =
      scf::IfOp::create(builder, loc, index.equal(lane, index.constant(31)), /*withElse=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(isLast.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    emitter.storeTuples(upTo, exchange.memory, index.add(base, warp), slots);
  }
  emitter.beginUse(scheduled, exchange, /*writes=*/false);
  // What lanes without a warp read is not used.
  Value place = lane;
  if (warps < 32)
    place = arith::MinUIOp::create(builder, loc, lane, index.constant(warps - 1));
  Tuples warpTotals =
      emitter.loadTuples(tuples, exchange.memory, index.add(base, place), slots, false);
  warpTotals = scanLanes(std::move(warpTotals), lane, warps, 32);
  Value isFirstWarp = index.equal(warp, index.constant(0));
  Value previous = arith::SelectOp::create(builder, loc, isFirstWarp, index.constant(0),
                                           index.sub(warp, index.constant(1)));
  Tuples warpsBefore =
      select(isFirstWarp, neutral, shuffle(kernel_ir::ShuffleMode::Idx, warpTotals, previous, 32));
  totals.before = combineAll(warpsBefore, totals.before);
  totals.all = shuffle(kernel_ir::ShuffleMode::Idx, warpTotals, index.constant(warps - 1), 32);
  return totals;
}

/// Over any thread dimensions: every thread stores its tuples, and reads all of its group in order.
KernelEmitter::TileScan::Totals KernelEmitter::TileScan::scanThroughShared(const Tuples &tuples) {
  Exchange &exchange = emitter.getThreadExchange(scheduled, getShape(tuples));
  int64_t size = 1;
  for (ParallelType type : kThreadTypes)
    size *= emitter.getBlockDim(type);
  Value slots = index.constant(size), own = index.constant(0), base = index.constant(0);
  // By thread type: the distance of its slots.
  llvm::SmallDenseMap<ParallelType, int64_t> strides;
  int64_t stride = 1;
  for (ParallelType type : kThreadTypes) {
    strides[type] = stride;
    if (emitter.getBlockDim(type) > 1) {
      Value part = index.mul(emitter.getHardwareIndex(type), index.constant(stride));
      own = index.add(own, part);
      if (!llvm::is_contained(threads, type))
        base = index.add(base, part);
    }
    stride *= emitter.getBlockDim(type);
  }
  // The number of this thread in its group.
  Value number = index.constant(0);
  int64_t count = 1;
  for (ParallelType type : threads) {
    int64_t extent = emitter.getBlockDim(type);
    number = index.add(index.mul(number, index.constant(extent)), emitter.getHardwareIndex(type));
    count *= extent;
  }
  emitter.beginUse(scheduled, exchange, /*writes=*/true);
  emitter.storeTuples(tuples, exchange.memory, own, slots);
  emitter.beginUse(scheduled, exchange, /*writes=*/false);
  Tuples neutral = neutralLike(tuples);
  SmallVector<Value> initial = flatten(neutral);
  llvm::append_range(initial, flatten(neutral));
  auto loop = scf::ForOp::create(builder, loc, index.constant(0), index.constant(count),
                                 index.constant(1), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IndexBuilder::Scope scope(index);
    Value rest = loop.getInductionVar(), place = base;
    for (ParallelType type : llvm::reverse(threads)) {
      Value extent = index.constant(emitter.getBlockDim(type));
      place = index.add(place, index.mul(index.rem(rest, extent), index.constant(strides[type])));
      rest = index.div(rest, extent);
    }
    ValueRange arguments = loop.getRegionIterArgs();
    Tuples before = unflatten(tuples, arguments.take_front(arguments.size() / 2));
    Tuples all = unflatten(tuples, arguments.drop_front(arguments.size() / 2));
    Tuples loaded = emitter.loadTuples(tuples, exchange.memory, place, slots, false);
    all = combineAll(all, loaded);
    before = select(index.lessThan(loop.getInductionVar(), number), all, before);
    SmallVector<Value> results = flatten(before);
    llvm::append_range(results, flatten(all));
    scf::YieldOp::create(builder, loc, results);
  }
  ValueRange results = loop.getResults();
  return {unflatten(tuples, results.take_front(results.size() / 2)),
          unflatten(tuples, results.drop_front(results.size() / 2))};
}

KernelEmitter::TileScan::Totals KernelEmitter::TileScan::scanThreads(const Tuples &tuples) {
  if (threads.empty())
    return {{}, tuples};
  return usesSharedOnly() ? scanThroughShared(tuples) : scanThreadX(tuples);
}

bool KernelEmitter::TileScan::usesSharedOnly() const {
  return !emitter.planBlock(threads).throughShared.empty();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

KernelEmitter::Tuples KernelEmitter::TileScan::scanOwn() {
  Tuples totals;
  Point point(levels.size(), 0);
  for (int64_t row = 0, rows = count(kept); row < rows; ++row) {
    setPoint(kept, row, point);
    for (int64_t run = 0, runs = count(outer); run < runs; ++run) {
      setPoint(outer, run, point);
      SmallVector<Value> upTo;
      for (int64_t element = 0, e = count(inner); element < e; ++element) {
        setPoint(inner, element, point);
        SmallVector<Value> tuple = loadElements(point);
        upTo = upTo.empty() ? tuple : combine(upTo, tuple);
        storeElements(point, upTo);
      }
      totals.push_back(std::move(upTo));
    }
  }
  return totals;
}

/// Combines each element with all before those of its thread, and updates what is carried.
void KernelEmitter::TileScan::applyTotals(const Totals &totals) {
  Tuples chained;
  if (loops.isChained)
    chained = chain(getTileTotals(totals));
  Point point(levels.size(), 0);
  const int64_t runs = count(outer), size = count(inner);
  for (int64_t row = 0, rows = count(kept); row < rows; ++row) {
    setPoint(kept, row, point);
    SmallVector<Value> preceding;
    if (isCarried())
      preceding = loadCarry(row);
    else if (loops.isChained)
      preceding = chained[row];
    auto append = [&](ArrayRef<Value> tuple) {
      return preceding.empty() ? SmallVector<Value>(tuple) : combine(preceding, tuple);
    };
    for (int64_t run = 0; run < runs; ++run) {
      setPoint(outer, run, point);
      SmallVector<Value> before = preceding;
      if (!totals.before.empty())
        before = append(totals.before[row * runs + run]);
      for (int64_t element = 0; element < size && !before.empty(); ++element) {
        setPoint(inner, element, point);
        storeElements(point, combine(before, loadElements(point)));
      }
      if (run + 1 < runs || isCarried())
        preceding = append(totals.all[row * runs + run]);
    }
    if (isCarried())
      storeCarry(row, preceding);
  }
}

/// Stores the results of all elements, vector by vector.
LogicalResult KernelEmitter::TileScan::writeResults() {
  const int64_t width = emitter.getWidth(scheduled);
  const bool isVectorScanned = width > 1 && lanes == 1;
  ArrayRef<Level> iterated = ArrayRef(levels).drop_back(isVectorScanned ? 1 : 0);
  SmallVector<unsigned> numbers = llvm::to_vector(llvm::seq<unsigned>(0, iterated.size()));
  Point point(levels.size(), 0);
  SmallVector<Type> types = scan.getCarriedTypes();
  // What can fail does not depend on the point.
  const int64_t size = count(numbers), end = emitter.emits() ? size : std::min<int64_t>(size, 1);
  for (int64_t number = 0; number < end; ++number) {
    setPoint(numbers, number, point);
    Value isIterated;
    for (auto [level, at] : llvm::zip(iterated, point)) {
      emitter.loopIndex[level.loop] = index.constant(at);
      // There is an element for each index up to the bound of a loop.
      if (emitter.emits() && !level.loop->constant)
        isIterated = index.both(
            isIterated, index.lessThan(index.constant(at), emitter.evaluate(level.loop->extent)));
    }
    IdValues ids = emitter.deriveIds(scheduled);
    SmallVector<Value> results(scheduled.op->getNumResults(), emitter.placeholder);
    if (emitter.emits()) {
      SmallVector<Value> tuple;
      for (auto [memory, type] : llvm::zip(elements, types)) {
        Access access = accessRegisters(memory, getOffset(point), width);
        tuple.push_back(width > 1 ? emitter.loadVector(access, type, width)
                                  : emitter.loadScalar(access, type));
      }
      results = scan.buildResults(builder, loc, tuple);
      if (scheduled.memory != MemoryType::Register) {
        Value predicate =
            index.both(emitter.predicatesOff ? Value() : emitter.getBoundsPredicate(scheduled, ids),
                       emitter.getStorePredicate(scheduled));
        if ((predicate = index.both(predicate, isIterated)))
          emitter.enterPredicate(predicate);
      }
    }
    for (auto [result, value] : llvm::enumerate(results))
      if (failed(emitter.writeResult(scheduled, result, value, ids, width)))
        return failure();
    emitter.closePredicate();
  }
  return success();
}

LogicalResult KernelEmitter::TileScan::finish() {
  if (!emitter.emits()) {
    TupleShape shape{count(kept) * count(outer), lanes, scan.getCarriedTypes()};
    if (usesSharedOnly())
      emitter.getThreadExchange(scheduled, shape);
    else
      emitter.placeExchanges(scheduled, shape, threads);
    return writeResults();
  }
  // Loops without iterations collect nothing.
  if (llvm::any_of(levels, [](const Level &level) { return level.extent == 0; }))
    return success();
  applyTotals(scanThreads(scanOwn()));
  SmallVector<MemoryUse> writes;
  emitter.collectWrites(scheduled, writes);
  emitter.synchronizeBefore(writes);
  if (failed(writeResults()))
    return failure();
  emitter.note(writes);
  return success();
}
