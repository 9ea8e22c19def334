//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for the ops of scans in every stage.
//
//===----------------------------------------------------------------------===//

#include "VerifyScans.h"

using namespace mlir;
using fuser::MemoryType;
using fuser::ParallelType;
using namespace fuser::loop;

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  ArrayRef<ParallelType> over = getOver().getTypes();
  const bool areThreads = llvm::all_of(over, fuser::isThreadType);
  if (over.empty() || (!areThreads && over.size() > 1))
    return emitOpError("expected thread types to scan over, or one block type");
  if (!llvm::all_of(getEqual().getTypes(), fuser::isThreadType) ||
      (areThreads && !getEqual().getTypes().empty()))
    return emitOpError("expected 'equal' with thread types, of a scan over blocks only");
  return verifyLanes(*this, getTotals().getTypes(), getLanes());
}

LogicalResult ScanOp::verifyRegions() {
  if (failed(verifyBody(*this, getBody().front(), TupleKind::Scan)))
    return failure();
  auto shape = cast<BufferType>(getTotals().front().getType()).getShape();
  for (TypeRange types : {getTotals().getTypes(), getBefore().getTypes()})
    if (failed(verifyTuple(*this, getElementOp(), types, /*inRegisters=*/true)))
      return failure();
  for (Type type : getOperandTypes())
    if (cast<BufferType>(type).getShape() != shape)
      return emitOpError("expected buffers of one shape");
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks that wait for others
//===----------------------------------------------------------------------===//

LogicalResult OrderBlocksOp::verify() {
  AffineMap counts = getCounts();
  if (failed(verifyCounter(*this, getCounter())) ||
      failed(verifyIndices(*this, getIndices(), counts.getNumDims(), counts.getNumSymbols())))
    return failure();
  if (counts.getNumResults() != 3 || counts.getNumDims() != 0)
    return emitOpError("expected the blocks in x, y and z, over arguments of the kernel");
  auto slot = getSlot().getDefiningOp<BufferOp>();
  if (!slot || slot.getType().getSpace() != MemoryType::Shared || slot.getDistributed() ||
      slot.getType().getShape() != ArrayRef<int64_t>{1} ||
      !slot.getType().getElementType().isInteger(32))
    return emitOpError("expected a buffer of one i32 in shared memory as slot");
  auto kernel = dyn_cast<KernelOp>((*this)->getParentOp());
  if (!kernel)
    return emitOpError("expected to be outside of all loops and branches");
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    if (isa<ForOp, IfOp, TileOp, OrderBlocksOp>(op))
      return emitOpError("expected to be the first op of the kernel, after its buffers");
  return success();
}

/// `place` and `guard` are over the indices of the op.
static LogicalResult verifyPlace(Operation *op, ValueRange indices, AffineMap place,
                                 ConstraintsAttr guard) {
  if (place.getNumResults() != 1)
    return op->emitOpError("expected one place, but got ") << place.getNumResults();
  if (failed(verifyIndices(op, indices, place.getNumDims(), place.getNumSymbols())))
    return failure();
  AffineMap bounds = guard.getBounds();
  if (bounds.getNumDims() != place.getNumDims() || bounds.getNumSymbols() != place.getNumSymbols())
    return op->emitOpError("expected a guard over the operands of the op");
  return success();
}

LogicalResult PublishOp::verify() {
  if (failed(verifyCounter(*this, getFlags())) ||
      failed(verifyPlace(*this, getIndices(), getPlace(), getGuard())))
    return failure();
  for (Value buffer : getMemory())
    if (cast<BufferType>(buffer.getType()).getSpace() != MemoryType::Global)
      return emitOpError("expected workspaces that other blocks read, but got ")
             << buffer.getType();
  return success();
}

LogicalResult AwaitOp::verify() {
  return failure(failed(verifyCounter(*this, getFlags())) ||
                 failed(verifyPlace(*this, getIndices(), getPlace(), getGuard())));
}
