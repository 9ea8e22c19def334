//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Split, merge, reorder, swizzle, resize, parallelize, memory and inline position of one op.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "DomainEdits.h"
#include "fuser/Dialect/IR/CircularBuffers.h"

using namespace mlir;
using namespace fuser;

/// Fails unless `position` names a loop of `op`.
static LogicalResult checkPosition(TensorViewOpInterface op, int64_t position) {
  int64_t size = op.getDomain().getLoop().size();
  if (position >= 0 && position < size)
    return success();
  return op->emitOpError("expected the position of one of ")
         << size << " loops, but got " << position;
}

/// Fails if the loop is bound to a type that its parts could not have.
static LogicalResult checkSerial(TensorViewOpInterface op, int64_t position) {
  ParallelType type = op.getDomain().getParallel()[position];
  if (type == ParallelType::Serial)
    return success();
  return op->emitOpError("expected loop ")
         << position << " to be serial before it is transformed, but got @"
         << stringifyParallelType(type);
}

LogicalResult fuser::splitLoop(TensorViewOpInterface op, int64_t position, int64_t factor,
                               bool inner) {
  if (failed(checkPosition(op, position)) || failed(checkSerial(op, position)))
    return failure();
  if (failed(detail::checkAmount(op, "a split factor", factor, 1)))
    return failure();
  detail::editDomains(op, [&](DomainBuilder &builder) {
    builder.split(builder.getLoop()[position], factor, inner);
  });
  return success();
}

/// Preconditions of merge and swizzle on their two loops.
static LogicalResult checkPair(TensorViewOpInterface op, int64_t outer, int64_t inner) {
  if (failed(checkPosition(op, outer)) || failed(checkPosition(op, inner)) ||
      failed(checkSerial(op, outer)) || failed(checkSerial(op, inner)))
    return failure();
  if (outer == inner)
    return op->emitOpError("expected two different loops, but got ") << outer << " twice";
  return success();
}

LogicalResult fuser::mergeLoops(TensorViewOpInterface op, int64_t outer, int64_t inner) {
  if (failed(checkPair(op, outer, inner)))
    return failure();
  DomainAttr domain = op.getDomain();
  auto isReduction = [&](int64_t position) {
    return domain.getKinds()[domain.getLoop()[position]] == IdKind::Reduction;
  };
  // Reduction ids cannot be merged with iteration ids.
  if (isReduction(outer) != isReduction(inner))
    return op->emitOpError("expected loops ")
           << outer << " and " << inner << " to be both reductions or both not, but loop "
           << (isReduction(outer) ? outer : inner) << " alone is one";
  detail::editDomains(op, [&](DomainBuilder &builder) {
    builder.merge(builder.getLoop()[outer], builder.getLoop()[inner]);
  });
  return success();
}

LogicalResult fuser::reorderLoops(TensorViewOpInterface op, ArrayRef<int64_t> order) {
  DomainAttr domain = op.getDomain();
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, domain.getLoop().size())))
    return op->emitOpError("expected an order of the positions 0 to ")
           << int64_t(domain.getLoop().size()) - 1 << ", but got [" << order << "]";
  for (auto [position, old] : llvm::enumerate(order))
    if (domain.getParallel()[old] == ParallelType::Vectorize && position + 1 != order.size())
      return op->emitOpError("expected the @vectorize loop to stay innermost, but got position ")
             << position;
  SmallVector<unsigned> positions(order);
  detail::editDomains(op, [&](DomainBuilder &builder) { builder.reorderLoop(positions); });
  return success();
}

LogicalResult fuser::swizzleLoops(TensorViewOpInterface op, int64_t outer, int64_t inner,
                                  int64_t period) {
  if (failed(checkPair(op, outer, inner)))
    return failure();
  if (failed(detail::checkAmount(op, "a swizzle period", period, 1)))
    return failure();
  DomainAttr domain = op.getDomain();
  const ArrayRef<unsigned> loops = domain.getLoop();
  if (failed(detail::checkSwizzled(op, "loop", {outer, inner, loops[outer], loops[inner]})))
    return failure();
  detail::editDomains(op, [&](DomainBuilder &builder) {
    SmallVector<unsigned> loop(builder.getLoop());
    SmallVector<ParallelType> parallel(loop.size(), ParallelType::Serial);
    for (auto [index, type] : llvm::enumerate(domain.getParallel()))
      parallel[index] = type;
    std::tie(loop[outer], loop[inner]) = builder.swizzle(loop[outer], loop[inner], period);
    // Both loops keep their positions.
    builder.setLoop(loop, parallel);
  });
  return success();
}

LogicalResult fuser::resizeLoop(TensorViewOpInterface op, int64_t position, int64_t before,
                                int64_t after) {
  if (failed(checkPosition(op, position)) || failed(checkSerial(op, position)))
    return failure();
  if (before < 0 || after < 0)
    return op->emitOpError("expected a loop to be widened by at least 0 iterations, but got ")
           << before << " and " << after;
  if (failed(detail::checkAmount(op, "a widening", std::max(before, after), 0)))
    return failure();
  detail::editDomains(op, [&](DomainBuilder &builder) {
    builder.resize(builder.getLoop()[position], before, after);
  });
  return success();
}

LogicalResult fuser::parallelizeLoop(TensorViewOpInterface op, int64_t position,
                                     ParallelType type) {
  if (failed(checkPosition(op, position)))
    return failure();
  DomainAttr domain = op.getDomain();
  if (type == ParallelType::Vectorize && position + 1 != int64_t(domain.getLoop().size()))
    return op->emitOpError("expected @vectorize on the innermost loop, but got loop ") << position;
  for (auto [other, otherType] : llvm::enumerate(domain.getParallel()))
    if (!isRepeatableType(type) && otherType == type && int64_t(other) != position)
      return op->emitOpError("expected @")
             << stringifyParallelType(type) << " on one loop, but loop " << other << " has it";
  detail::editDomains(
      op, [&](DomainBuilder &builder) { builder.parallelize(builder.getLoop()[position], type); });
  return success();
}

LogicalResult fuser::setMemory(TensorViewOpInterface op, MemoryType type) {
  if (type != MemoryType::Global)
    for (Operation *user : op->getUsers())
      if (isa<ReturnOp>(user))
        return op->emitOpError("expected a returned value in global memory, but got '")
               << stringifyMemoryType(type) << "'";
  const std::optional<int64_t> stages = getStages(op);
  if (stages && type != MemoryType::Shared)
    return op->emitOpError("expected a copy with ")
           << *stages << " stages to stay in shared memory, but got '" << stringifyMemoryType(type)
           << "'";
  op.setMemoryType(type);
  return success();
}

LogicalResult fuser::inlineAt(TensorViewOpInterface op, int64_t position) {
  DomainAttr domain = op.getDomain();
  if (position < 0 || position > int64_t(domain.getLoop().size()))
    return op->emitOpError("expected an inline position between 0 and ")
           << domain.getLoop().size() << ", but got " << position;
  for (auto [index, id] : llvm::enumerate(domain.getLoop().take_front(position)))
    if (domain.getKinds()[id] == IdKind::Reduction)
      return op->emitOpError("expected an inline position of at most ")
             << index << ", before the first reduction loop, but got " << position;
  op.setInlinePosition(position);
  return success();
}
