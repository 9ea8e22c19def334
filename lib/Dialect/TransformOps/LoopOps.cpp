//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The domain primitives, by their ops.
//
//===----------------------------------------------------------------------===//

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
  return swizzleLoops(op, getOuter(), getInner(), getPeriod());
}

LogicalResult ResizeOp::applyToOne(TensorViewOpInterface op) {
  return resizeLoop(op, getPosition(), getBefore(), getAfter());
}

LogicalResult ParallelizeOp::applyToOne(TensorViewOpInterface op) {
  return parallelizeLoop(op, getPosition(), static_cast<ParallelType>(getParallelAttr().getInt()));
}

LogicalResult SetMemoryOp::applyToOne(TensorViewOpInterface op) {
  return fuser::setMemory(op, static_cast<MemoryType>(getMemoryAttr().getInt()));
}

LogicalResult PipelineOp::applyToOne(TensorViewOpInterface op) {
  return pipelineCopy(op, getStages(), getBulk(), getProducer());
}

LogicalResult StoreByBulkOp::applyToOne(TensorViewOpInterface op) { return storeByBulk(op); }

LogicalResult OrderAllocationOp::applyToOne(TensorViewOpInterface op) {
  return orderAllocation(op, getOrder());
}

LogicalResult AllocateLoopsOp::applyToOne(TensorViewOpInterface op) {
  return allocateLoops(op, getPositions());
}

LogicalResult SwizzleAllocationOp::applyToOne(TensorViewOpInterface op) {
  return swizzleAllocation(op, getOuter(), getInner(), getPeriod());
}

LogicalResult InlineAtOp::applyToOne(TensorViewOpInterface op) {
  return inlineAt(op, getPosition());
}
