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
  ArrayRef<ParallelType> blocks = gridResults->getReducedTypes(scheduled.op);
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
