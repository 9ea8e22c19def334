//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Pipelining.h"
#include "fuser/Dialect/IR/CircularBuffers.h"

using namespace mlir;
using namespace fuser;

LogicalResult fuser::pipelineCopy(TensorViewOpInterface op, int64_t stages, bool byBulk,
                                  bool byProducer) {
  if (stages < 0)
    return op->emitOpError("expected at least 0 stages, but got ") << stages;
  if (byBulk && stages < 2)
    return op->emitOpError("expected at least 2 stages for bulk copies, but got ") << stages;
  if (byProducer && !byBulk)
    return op->emitOpError("expected bulk copies ('by bulk') for a producer, which begins them");
  op->removeAttr(kCopyEngineName);
  op->removeAttr(kCopyRoleName);
  if (stages == 0) {
    op->removeAttr(kStagesName);
    return success();
  }
  if (!isa<SetOp>(op.getOperation()) || op.getMemoryType() != MemoryType::Shared)
    return op->emitOpError("expected a copy (fuser.set) in shared memory to have stages");
  op->setAttr(kStagesName, IntegerAttr::get(IntegerType::get(op->getContext(), 64), stages));
  if (byBulk)
    op->setAttr(kCopyEngineName, StringAttr::get(op->getContext(), kBulkEngine));
  if (byProducer)
    op->setAttr(kCopyRoleName, StringAttr::get(op->getContext(), kProducerRole));
  return success();
}

LogicalResult fuser::storeByBulk(TensorViewOpInterface op) {
  if (!isa<SetOp>(op.getOperation()) || op.getMemoryType() != MemoryType::Global)
    return op->emitOpError("expected a copy (fuser.set) to an output to be stored by bulk copies");
  op->setAttr(kCopyEngineName, StringAttr::get(op->getContext(), kBulkEngine));
  return success();
}
