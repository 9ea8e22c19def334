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
#include "TileScan.h"
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

/// Accumulators of one thread; more would lie in memory, and code for each is written out.
static constexpr int64_t kMaxAccumulators = 1024;
/// Accumulators of one thread that are combined with those of other blocks. They are carried by one
/// loop over the blocks, whose canonicalization takes time that grows faster than their square.
static constexpr int64_t kMaxCombinedAccumulators = 256;

LogicalResult KernelEmitter::openAccumulators(ScheduledOp &scheduled, unsigned position,
                                              function_ref<bool(unsigned)> isFolded,
                                              ArrayRef<Type> types, ValueRange initial) {
  auto state = std::make_unique<Accumulators>();
  ArrayRef<unsigned> loop = scheduled.domain.getLoop();
  // Inside of all loops: of its vector, if there is one.
  if (position == loop.size())
    state->width = getWidth(scheduled);
  for (unsigned i = position; i < loop.size(); ++i) {
    ParallelType type = scheduled.domain.getParallel()[i];
    bool folded = isFolded(loop[i]);
    if (type == ParallelType::Vectorize) {
      state->width = *scheduled.loops[i]->constant;
      // A vector of one lane is that lane.
      state->foldLanes = folded && state->width > 1;
      continue;
    }
    if (folded || isThreadType(type) || isBlockType(type))
      continue;
    std::optional<int64_t> bound = scheduled.loops[i]->getStaticBound();
    if (!bound)
      return scheduled.op->emitOpError("expected loop ")
             << i
             << " inside of the loops that it accumulates over to have a constant extent or a fact "
                "that bounds it, but got "
             << describe(scheduled.loops[i]->extent);
    state->loops.push_back(scheduled.loops[i]);
    state->extents.push_back(*bound);
  }
  int64_t elements = 1;
  for (int64_t extent : state->extents)
    elements = llvm::SaturatingMultiply<uint64_t>(elements, extent) > kMaxAccumulators
                   ? kMaxAccumulators + 1
                   : elements * extent;
  if (elements > kMaxAccumulators)
    return scheduled.op->emitOpError("expected at most ")
           << kMaxAccumulators
           << " accumulators in the registers of a thread, but the loops nested in its reduction "
              "loops have more iterations";
  std::unique_ptr<Accumulators> &slot = accumulators[scheduled.op];
  for (auto [component, type] : llvm::enumerate(types)) {
    if (!emits())
      break;
    state->memory.push_back(slot ? slot->memory[component]
                                 : addRegisters(elements * state->width, getStorageType(type)));
    Value value = splat(initial[component], state->width);
    for (int64_t i = 0; i < elements; ++i)
      store(state->access(component, index.constant(i * state->width)), value);
  }
  slot = std::move(state);
  return success();
}

LogicalResult KernelEmitter::startReduction(ScheduledOp &scheduled, unsigned position) {
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  auto isReduced = [&](unsigned id) {
    return scheduled.domain.getKinds()[id] == IdKind::Reduction;
  };
  return openAccumulators(scheduled, position, isReduced, combiner.getAccumulatorTypes(),
                          emits() ? combiner.buildIdentity(builder, loc) : SmallVector<Value>());
}

FailureOr<SmallVector<Value>> KernelEmitter::readOperands(const ScheduledOp &scheduled) {
  SmallVector<Value> operands;
  for (unsigned i = 0, e = scheduled.op->getNumOperands(); i < e; ++i) {
    FailureOr<Value> operand = readOperand(scheduled, i, getWidth(scheduled));
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  return operands;
}

Value KernelEmitter::getTupleOffset(const Accumulators &state) {
  Value offset = index.constant(0);
  for (auto [loop, extent] : llvm::zip(state.loops, state.extents))
    offset = index.add(index.mul(offset, index.constant(extent)), loopIndex.lookup(loop));
  return index.mul(offset, index.constant(state.width));
}

SmallVector<Value> KernelEmitter::loadTuple(const Accumulators &state, Value offset,
                                            ArrayRef<Type> types) {
  SmallVector<Value> tuple;
  for (auto [component, type] : llvm::enumerate(types))
    tuple.push_back(state.width > 1 ? loadVector(state.access(component, offset), type, state.width)
                                    : loadScalar(state.access(component, offset), type));
  return tuple;
}

void KernelEmitter::storeTuple(const Accumulators &state, Value offset, ValueRange tuple) {
  for (auto [component, value] : llvm::enumerate(tuple))
    store(state.access(component, offset), value);
}

LogicalResult KernelEmitter::accumulate(ScheduledOp &scheduled) {
  Accumulators &state = *accumulators[scheduled.op];
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  FailureOr<SmallVector<Value>> operands = readOperands(scheduled);
  if (failed(operands) || !emits())
    return operands;
  Value offset = getTupleOffset(state);
  SmallVector<Value> current = loadTuple(state, offset, combiner.getAccumulatorTypes());
  storeTuple(state, offset, combiner.buildAccumulate(builder, loc, current, *operands));
  return success();
}

LogicalResult KernelEmitter::finishReduction(ScheduledOp &scheduled, unsigned position) {
  Accumulators &state = *accumulators[scheduled.op];
  auto combiner = cast<CombinerOpInterface>(scheduled.op);
  int64_t elements = 1;
  for (int64_t extent : state.extents)
    elements *= extent;
  ArrayRef<ParallelType> blocks = gridResults->getReducedTypes(scheduled.op);
  if (!blocks.empty() && elements > kMaxCombinedAccumulators)
    return scheduled.op->emitOpError("expected at most ")
           << kMaxCombinedAccumulators
           << " accumulators of a thread to be combined with those of other blocks, but got "
           << elements;
  SmallVector<ParallelType> threads = getReductionTypes(scheduled, isThreadType);
  if (!emits()) {
    placeExchanges(scheduled,
                   {elements, state.foldLanes ? 1 : state.width, combiner.getAccumulatorTypes()},
                   threads);
    SmallVector<Value> results(scheduled.op->getNumResults(), placeholder);
    return elements == 0 ? success() : storeReduced(scheduled, results, position);
  }
  Tuples tuples;
  for (int64_t i = 0; i < elements; ++i) {
    Value offset = index.constant(i * state.width);
    SmallVector<Value> tuple = loadTuple(state, offset, combiner.getAccumulatorTypes());
    if (state.foldLanes)
      tuple = foldLanes(scheduled, tuple, state.width);
    tuples.push_back(std::move(tuple));
  }
  combineBlock(scheduled, tuples, threads);
  if (!blocks.empty())
    combineGrid(scheduled, tuples, threads, blocks);

  SmallVector<MemoryUse> writes;
  collectWrites(scheduled, writes);
  synchronizeBefore(writes);
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
  note(writes);
  return success();
}

/// Stores one finished element (or vector of them) of each result.
LogicalResult KernelEmitter::storeReduced(ScheduledOp &scheduled, ValueRange results,
                                          unsigned position) {
  Accumulators &state = *accumulators[scheduled.op];
  // No loop over reduction ids indexes a result: they are closed, were never entered, or are
  // threads and blocks, which have combined their parts. What is merged with them has one element.
  SmallVector<std::pair<Loop *, Value>> hardware;
  for (auto [id, loop] : llvm::zip(scheduled.domain.getLoop(), scheduled.loops)) {
    if (scheduled.domain.getKinds()[id] != IdKind::Reduction)
      continue;
    Value &current = loopIndex[loop];
    if (current && (isThreadType(loop->type) || isBlockType(loop->type)))
      hardware.push_back({loop, current});
    current = index.constant(0);
  }
  IdValues ids = deriveIds(scheduled);
  if (emits() && scheduled.memory != MemoryType::Register) {
    Value predicate = index.both(predicatesOff ? Value() : getResultPredicate(scheduled, ids),
                                 getStorePredicate(scheduled));
    // There is a tuple for each index up to the bound of a loop.
    for (const Loop *loop : state.loops)
      if (!loop->constant)
        predicate =
            index.both(predicate, index.lessThan(loopIndex.lookup(loop), evaluate(loop->extent)));
    if (predicate)
      enterPredicate(predicate);
  }
  int64_t width = state.foldLanes ? 1 : state.width;
  for (auto [number, value] : llvm::enumerate(results))
    if (failed(writeResult(scheduled, number, value, ids, width)))
      return failure();
  closePredicate();
  // Others may be in the same loops behind it.
  for (auto [loop, own] : hardware)
    loopIndex[loop] = own;
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
