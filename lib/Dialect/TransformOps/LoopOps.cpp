//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The domain primitives, by their ops.
//
//===----------------------------------------------------------------------===//

#include "StepChecks.h"
#include "fuser/Dialect/TransformOps/TransformOps.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Pipelining.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::transform_ops;

LogicalResult SplitOp::applyToOne(TensorViewOpInterface op) {
  return splitLoop(op, getPosition(), getFactor(), /*inner=*/!getOuter());
}

LogicalResult MergeOp::applyToOne(TensorViewOpInterface op) {
  return mergeLoops(op, getOuter(), getInner());
}

LogicalResult ReorderOp::applyToOne(TensorViewOpInterface op) {
  return reorderLoops(op, getOrder());
}

LogicalResult SwizzleOp::applyToOne(TensorViewOpInterface op) {
  if (failed(checkSwizzledExtent(op, "loop", getInner(), op.getDomain().getLoop())))
    return failure();
  return swizzleLoops(op, getOuter(), getInner(), getPeriod());
}

LogicalResult ResizeOp::applyToOne(TensorViewOpInterface op) {
  return resizeLoop(op, getPosition(), getBefore(), getAfter());
}

LogicalResult ParallelizeOp::applyToOne(TensorViewOpInterface op) {
  const auto type = static_cast<ParallelType>(getParallelAttr().getInt());
  if (failed(checkParallelType(op, getPosition(), type)))
    return failure();
  return parallelizeLoop(op, getPosition(), type);
}

LogicalResult SetMemoryOp::applyToOne(TensorViewOpInterface op) {
  return fuser::setMemory(op, static_cast<MemoryType>(getMemoryAttr().getInt()));
}

LogicalResult PipelineOp::applyToOne(TensorViewOpInterface op) {
  return pipelineCopy(op, getStages(), getBulk(), getProducer(),
                      getRegisters().value_or(ArrayRef<int64_t>()));
}

LogicalResult StoreByBulkOp::applyToOne(TensorViewOpInterface op) { return storeByBulk(op); }

LogicalResult OrderAllocationOp::applyToOne(TensorViewOpInterface op) {
  return editAllocation(op, [&] { return orderAllocation(op, getOrder()); });
}

LogicalResult AllocateLoopsOp::applyToOne(TensorViewOpInterface op) {
  return editAllocation(op, [&] { return allocateLoops(op, getPositions()); });
}

LogicalResult SwizzleAllocationOp::applyToOne(TensorViewOpInterface op) {
  if (failed(checkSwizzledExtent(op, "position", getInner(), op.getDomain().getAllocation())))
    return failure();
  return editAllocation(op,
                        [&] { return swizzleAllocation(op, getOuter(), getInner(), getPeriod()); });
}

LogicalResult InlineAtOp::applyToOne(TensorViewOpInterface op) {
  return inlineAt(op, getPosition());
}
