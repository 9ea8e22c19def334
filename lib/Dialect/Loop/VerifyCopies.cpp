//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for circular buffers and the copies that fill them.
//
//===----------------------------------------------------------------------===//

#include "StageVerifier.h"
#include "VerifyScans.h"
#include "fuser/Dialect/IR/CircularBuffers.h"

using namespace mlir;
using fuser::MemoryType;
using namespace fuser::loop;

LogicalResult fuser::loop::verifyCircular(BufferOp buffer) {
  if (!buffer.getStages())
    return success();
  if (buffer.getType().getSpace() != MemoryType::Shared || buffer.getDistributed())
    return buffer.emitOpError(
        "expected stages of a buffer in shared memory that is not distributed "
        "only");
  const int64_t least = buffer.getBulk() || buffer.getProducer() ? 2 : 1;
  if (int64_t(*buffer.getStages()) < least)
    return buffer.emitOpError("expected at least ")
           << least << (least == 1 ? " stage" : " stages, one to read and one to fill")
           << ", but got " << int64_t(*buffer.getStages());
  if (int64_t(*buffer.getStages()) > kMostStages)
    return buffer.emitOpError("expected at most ")
           << kMostStages << " stages, but got " << int64_t(*buffer.getStages());
  if (buffer.getRegisters() && (!buffer.getProducer() || buffer.getRegisters()->size() != 2))
    return buffer.emitOpError("expected registers of a producer and of the other threads, next to "
                              "'role producer' only");
  return success();
}

LogicalResult fuser::loop::verifyCopy(TileOp tile) {
  if (tile.getElementOp() || tile.getInputs().size() != 1 || tile.getOutputs().size() != 1)
    return tile.emitOpError("expected a copy to move an element, without an op");
  auto source = dyn_cast<BlockArgument>(tile.getInputs().front());
  if (!source || !isa<BufferType>(source.getType()))
    return tile.emitOpError("expected a copy from an argument of the kernel");
  if (!BufferOp::isCircular(tile.getOutputs().front()))
    return tile.emitOpError("expected a copy to a circular buffer, which has 'stages'");
  if (BufferOp::isBulk(tile.getOutputs().front()))
    return tile.emitOpError("expected bulk copies to a circular buffer by bulk, but got a copy");
  return success();
}

LogicalResult WaitCopiesOp::verify() {
  if (getBuffers().empty())
    return emitOpError("expected the circular buffers whose copies are waited for");
  for (Value buffer : getBuffers()) {
    if (!BufferOp::isCircular(buffer) || BufferOp::isBulk(buffer))
      return emitOpError("expected circular buffers, which have 'stages', but got ")
             << buffer.getType() << (BufferOp::isBulk(buffer) ? " by bulk" : "");
    // Of N stages one is read, and another one is filled again after the wait.
    const int64_t most =
        std::max<int64_t>(int64_t(*buffer.getDefiningOp<BufferOp>().getStages()) - 2, 0);
    if (int64_t(getPending()) < 0 || int64_t(getPending()) > most)
      return emitOpError("expected 0 to ")
             << most << " groups that are under way while a stage of " << buffer.getType()
             << " is read, but got " << int64_t(getPending());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

LogicalResult StageVerifier::verifyStages(BufferOp buffer) {
  if (!buffer.getStages())
    return success();
  ArrayRef<int64_t> shape = buffer.getType().getShape();
  const int64_t stages = *buffer.getStages();
  if (stage >= Stage::Pipelined && (shape.empty() || shape.front() != stages))
    return buffer.emitOpError("expected the stages as the first dimension of a circular buffer, ")
           << stages << ", from stage pipelined on, but got " << buffer.getType();
  auto loop = buffer->getParentOfType<ForOp>();
  while (loop && fuser::isThreadType(loop.getType()))
    loop = loop->getParentOfType<ForOp>();
  if (stage < Stage::Pipelined && stages > 1 &&
      (!loop || loop.getType() != fuser::ParallelType::Serial || loop.getInTurn()))
    return buffer.emitOpError("expected a serial loop around a buffer with stages");
  return success();
}

/// A copy begins when all have read what its stage had before.
LogicalResult StageVerifier::verifyCopyTo(TileOp tile, Value buffer) {
  // A copy whose accesses are too narrow is a move from stage accessed on.
  const bool isCopy = tile.getStep() == TileStep::Copy || tile.getStep() == TileStep::Bulk;
  if (!isCopy && (stage < Stage::Accessed || tile.getElementOp() || BufferOp::isBulk(buffer)))
    return tile.emitOpError("expected copies to a circular buffer from stage pipelined on");
  if (stage >= Stage::Synchronized && pending.contains(buffer) && kernel.sharesCopies(buffer)) {
    InFlightDiagnostic diagnostic = tile.emitOpError(
        "expected a barrier between the wait for a circular buffer and the next copy to it");
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
    return diagnostic;
  }
  // The phase of a bulk copy is its group.
  (BufferOp::isBulk(buffer) ? committed : begun).insert(buffer);
  return success();
}

LogicalResult fuser::loop::verifyPipelined(Operation *op, Stage stage) {
  if (stage < Stage::Pipelined)
    return op->emitOpError("expected copies that are under way from stage pipelined on, but got ")
           << stringifyStage(stage);
  return success();
}

LogicalResult StageVerifier::verify(CommitCopiesOp commit) {
  committed.insert(begun.begin(), begun.end());
  begun.clear();
  return verifyPipelined(commit, stage);
}

LogicalResult StageVerifier::verify(WaitCopiesOp wait) {
  for (Value buffer : wait.getBuffers()) {
    if (!committed.contains(buffer)) {
      InFlightDiagnostic diagnostic =
          wait.emitOpError("expected a copy to each buffer, and a commit, before they are waited "
                           "for");
      diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
      return diagnostic;
    }
    written.insert(buffer);
    pending.insert(buffer);
    unfenced.insert(buffer);
  }
  return verifyPipelined(wait, stage);
}
