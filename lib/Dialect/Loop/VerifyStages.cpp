//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each stage promises.
//
//===----------------------------------------------------------------------===//

#include "StageVerifier.h"
#include "VerifyScans.h"
#include "fuser/Dialect/Loop/BufferLifetimes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using fuser::MemoryType;
using namespace fuser::loop;

LogicalResult StageVerifier::verify(Block &block) {
  for (Operation &op : block) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case<ForOp, TileOp, IfOp, BufferOp, BarrierOp, ClusterBarrierOp, CombineOp,
                  LastBlockOp, IsLastOp, IndexOp, ScanOp, OrderBlocksOp, PublishOp, AwaitOp,
                  CommitCopiesOp, WaitCopiesOp, InitPhasesOp, WaitPhaseOp, FenceAsyncOp,
                  CommitProductsOp, WaitProductsOp, WaitStoresOp, RolesOp, AcquireOp, ReleaseOp>(
                [&](auto each) { return verify(each); })
            .Default([](Operation *) { return success(); });
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult StageVerifier::verify(IfOp branch) {
  if (stage < Stage::Accessed)
    return branch.emitOpError("expected branches from stage accessed on, but got ")
           << stringifyStage(stage);
  return branch.getElseBlock() ? verifyElse(branch) : verify(branch.getBlock());
}

void Progress::join(const Progress &other) {
  written.remove_if([&](Value buffer) { return !other.written.contains(buffer); });
  begun.remove_if([&](Value buffer) { return !other.begun.contains(buffer); });
  committed.remove_if([&](Value buffer) { return !other.committed.contains(buffer); });
  pending.insert(other.pending.begin(), other.pending.end());
  unfenced.insert(other.unfenced.begin(), other.unfenced.end());
  underWay.insert(other.underWay.begin(), other.underWay.end());
  uncommitted.insert(other.uncommitted.begin(), other.uncommitted.end());
  acquired.remove_if([&](Value buffer) { return !other.acquired.contains(buffer); });
  released.insert(other.released.begin(), other.released.end());
  stored.insert(other.stored.begin(), other.stored.end());
  for (auto [buffer, isBlockSynced] : other.pendingGlobal) {
    auto [it, isNew] = pendingGlobal.try_emplace(buffer, isBlockSynced);
    it->second &= isBlockSynced;
  }
  if (arrived)
    arrived->remove_if([&](Value buffer) { return !other.arrived->contains(buffer); });
  isStarted &= other.isStarted;
}

/// What one version does has not been done where the other one runs.
LogicalResult StageVerifier::verifyElse(IfOp branch) {
  const Progress before = *this;
  if (failed(verify(branch.getBlock())))
    return failure();
  const Progress afterBody = *this;
  Progress::operator=(before);
  if (failed(verify(*branch.getElseBlock())))
    return failure();
  if (afterBody.arrived.has_value() != arrived.has_value())
    return branch.emitOpError("expected an arrival at a barrier of the cluster in both versions "
                              "or in none");
  join(afterBody);
  return success();
}

LogicalResult StageVerifier::verify(ForOp loop) {
  if (loop.getUnswitch() && stage >= Stage::Guarded)
    return loop.emitOpError("expected no 'unswitch' from stage guarded on, where branches state "
                            "it");
  if (loop.getType() == fuser::ParallelType::Mma && stage >= Stage::Accessed)
    return loop.emitOpError("expected a matrix instruction in place of mma loops from stage "
                            "accessed on");
  return verify(loop.getBlock());
}

LogicalResult StageVerifier::verifyConverged(Operation *op) {
  auto tile = dyn_cast<TileOp>(op);
  const bool inWarp = tile && !isOfWarpGroup(tile);
  // Where blocks wait for each other, or are counted, every block arrives.
  auto barrier = dyn_cast<BarrierOp>(op);
  const bool ofBlocks = isa<ClusterBarrierOp, LastBlockOp>(op) || (barrier && barrier.getCounter());
  auto agrees = [&](Value index) {
    return ofBlocks ? index.getParentBlock() == &kernel.getBlock()
                    : kernel.isUniform(index, inWarp);
  };
  for (auto branch = op->getParentOfType<IfOp>(); branch;
       branch = branch->getParentOfType<IfOp>()) {
    if (branch.getOnce().getTypes().empty() && llvm::all_of(branch.getIndices(), agrees))
      continue;
    InFlightDiagnostic diagnostic =
        op->emitOpError("expected no branch around what threads execute together, unless all of "
                        "them take it");
    diagnostic.attachNote(branch.getLoc()) << "the branch is here";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult StageVerifier::verify(CombineOp combine) {
  if (stage >= Stage::Reduced)
    return combine.emitOpError("expected shuffles and exchanges from stage reduced on");
  for (Value accumulator : combine.getAccumulators())
    if (failed(verifyRead(combine, accumulator)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

LogicalResult StageVerifier::verify(ScanOp scan) {
  if (stage >= Stage::Reduced)
    return scan.emitOpError("expected shuffles and exchanges from stage reduced on");
  for (Value total : scan.getTotals())
    if (failed(verifyRead(scan, total)))
      return failure();
  written.insert(scan.getBefore().begin(), scan.getBefore().end());
  return success();
}

LogicalResult StageVerifier::verify(OrderBlocksOp order) {
  if (stage < Stage::Reduced)
    return order.emitOpError("expected an order of blocks from stage reduced on, but got ")
           << stringifyStage(stage);
  return success();
}

/// A branch has the guard from stage guarded on.
template <typename Op> static LogicalResult verifyGuard(Op op, Stage stage) {
  if (stage < Stage::Reduced)
    return op.emitOpError("expected blocks that wait for others from stage reduced on, but got ")
           << stringifyStage(stage);
  if (stage >= Stage::Guarded && !op.getGuard().empty())
    return op.emitOpError("expected a branch around the op from stage guarded on, but got a guard");
  return success();
}

LogicalResult StageVerifier::verify(PublishOp publish) {
  if (failed(verifyGuard(publish, stage)))
    return failure();
  for (Value buffer : publish.getMemory()) {
    auto it = pendingGlobal.find(buffer);
    if (stage < Stage::Synchronized || it == pendingGlobal.end() || it->second ||
        !kernel.publishesForOthers(publish))
      continue;
    InFlightDiagnostic diagnostic = publish.emitOpError(
        "expected a barrier of the block between the write of a buffer in global memory and its "
        "publication");
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
    return diagnostic;
  }
  return success();
}

LogicalResult StageVerifier::verify(AwaitOp await) { return verifyGuard(await, stage); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult StageVerifier::verify(BufferOp buffer) {
  const int64_t blocks = kernel.getClusterBlocks();
  if (stage >= Stage::Launched && buffer.getDistributed() &&
      (blocks == 1 || buffer.getType().getShape().front() != blocks))
    return buffer.emitOpError("expected the blocks of a cluster as the first dimension of a "
                              "distributed buffer, ")
           << blocks << ", but got " << buffer.getType();
  const bool isPlaced = stage >= Stage::Placed && buffer.getType().getSpace() == MemoryType::Shared;
  if (buffer.getOffset().has_value() != isPlaced)
    return buffer.emitOpError("expected an offset of a buffer in shared memory from stage placed "
                              "on, and not before");
  return verifyStages(buffer);
}

/// Buffers that are in use at the same time have no byte in common.
LogicalResult StageVerifier::verifyPlaces() {
  const BufferLifetimes lifetimes(kernel);
  ArrayRef<BufferOp> buffers = lifetimes.getBuffers();
  for (BufferOp buffer : buffers)
    for (BufferOp other : buffers) {
      if (buffer == other)
        break;
      if (!buffer.overlaps(other) || !lifetimes.get(buffer).meets(lifetimes.get(other)))
        continue;
      InFlightDiagnostic diagnostic = buffer.emitOpError("expected bytes ")
                                      << *buffer.getOffset() << " to "
                                      << *buffer.getOffset() + buffer.getNumBytes()
                                      << " of shared memory for this buffer alone";
      diagnostic.attachNote(other.getLoc())
          << "this buffer, which has bytes " << *other.getOffset() << " to "
          << *other.getOffset() + other.getNumBytes() << ", is in use at the same time";
      return diagnostic;
    }
  return success();
}

LogicalResult StageVerifier::verify(BarrierOp barrier) {
  if (stage < Stage::Synchronized)
    return barrier.emitOpError("expected barriers from stage synchronized on, but got ")
           << stringifyStage(stage);
  if (barrier.getRole() && !RolesOp::isConsumer(barrier))
    return barrier.emitOpError("expected a barrier of the role among the consumers only");
  pending.remove_if([](Value buffer) { return !BufferOp::isDistributed(buffer); });
  if (barrier.getCounter())
    pendingGlobal.clear();
  for (auto &[buffer, isBlockSynced] : pendingGlobal)
    isBlockSynced = true;
  return verifyConverged(barrier);
}

LogicalResult StageVerifier::verify(ClusterBarrierOp barrier) {
  if (stage < Stage::Synchronized || kernel.getClusterBlocks() == 1)
    return barrier.emitOpError("expected barriers of a cluster in a kernel with clusters, from "
                               "stage synchronized on, but got ")
           << stringifyStage(stage);
  if (barrier.arrives() == arrived.has_value())
    return barrier.emitOpError("expected an arrival and a wait in turn, but got ")
           << (arrived ? "another arrival" : "a wait without an arrival");
  if (barrier.arrives())
    arrived.emplace(pending.begin(), pending.end());
  if (barrier.waits()) {
    for (Value buffer : *arrived)
      pending.erase(buffer);
    arrived.reset();
    isStarted = true;
  }
  // Both halves at once are also a barrier of the block.
  if (barrier.arrives() && barrier.waits())
    for (auto &[buffer, isBlockSynced] : pendingGlobal)
      isBlockSynced = true;
  return verifyConverged(barrier);
}

/// Peers have begun where a block accesses their memory.
LogicalResult StageVerifier::verifyDistributed(Operation *op, Value buffer) {
  if (stage < Stage::Synchronized || !BufferOp::isDistributed(buffer) || isStarted)
    return success();
  return op->emitOpError("expected a barrier of the cluster before the first access to a "
                         "distributed buffer");
}

LogicalResult StageVerifier::verifyLastAccesses() {
  // Peers have not ended either: each block waits for what its peers send.
  if (arrived)
    return kernel.emitOpError("expected a wait after the last arrival at a barrier of the cluster");
  for (Value buffer : stored)
    if (failed(verifyStored(kernel, buffer)))
      return failure();
  for (Value buffer : pending)
    if (BufferOp::isDistributed(buffer)) {
      InFlightDiagnostic diagnostic = kernel.emitOpError(
          "expected a barrier of the cluster after the last write to a distributed buffer");
      diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
      return diagnostic;
    }
  return success();
}

LogicalResult StageVerifier::verify(LastBlockOp lastBlock) {
  if (stage < Stage::Reduced)
    return lastBlock.emitOpError("expected last blocks from stage reduced on, but got ")
           << stringifyStage(stage);
  // It is a barrier of the block.
  pending.remove_if([](Value buffer) { return !BufferOp::isDistributed(buffer); });
  for (auto &[buffer, isBlockSynced] : pendingGlobal)
    isBlockSynced = true;
  written.insert(lastBlock.getFlag());
  return verifyConverged(lastBlock);
}

LogicalResult StageVerifier::verify(IsLastOp isLast) {
  return verifyRead(isLast, isLast.getFlag());
}

/// A read of what another thread has written in global memory waits for it.
LogicalResult StageVerifier::verifyOrder(Operation *op, Value buffer, AccessAttr read) {
  auto it = pendingGlobal.find(buffer);
  if (stage < Stage::Synchronized || it == pendingGlobal.end())
    return success();
  const bool needsGrid = kernel.readsOtherBlocks(read);
  if (!needsGrid && (it->second || !kernel.readsOtherThreads(read)))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected a barrier of the ")
                                  << (needsGrid ? "grid" : "block")
                                  << " between the write of a buffer in global memory and its read";
  diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
  return diagnostic;
}

LogicalResult StageVerifier::verifyRead(Operation *op, Value buffer, AccessAttr access) {
  if (!buffer.getDefiningOp<BufferOp>())
    return success();
  if (failed(verifyDistributed(op, buffer)))
    return failure();
  if (!written.contains(buffer))
    return op->emitOpError("expected a buffer that is written before it is read");
  if (auto tile = dyn_cast<TileOp>(op); underWay.contains(buffer) && !(tile && isOfWarpGroup(tile)))
    return op->emitOpError("expected a wait for the products of warp groups that add to a buffer "
                           "before it is read");
  if (released.contains(buffer))
    return op->emitOpError("expected a read of a circular buffer before its stage is released");
  // What a thread has copied to a circular buffer, or was copied until the end of a phase that it
  // has waited for, it reads without a barrier.
  auto isOwn = [&] {
    return BufferOp::isBulk(buffer) ||
           (access && BufferOp::isCircular(buffer) && !kernel.readsOtherThreads(access));
  };
  if (stage >= Stage::Synchronized && pending.contains(buffer) && !isOwn()) {
    InFlightDiagnostic diagnostic = op->emitOpError(
        "expected a barrier between the write of a buffer in shared memory and its read");
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

LogicalResult StageVerifier::verifyAccess(Operation *op, AccessAttr access) {
  if (access.hasOffset() == (stage >= Stage::Accessed))
    return success();
  return op->emitOpError("expected ") << (access.hasOffset() ? "indices" : "an offset")
                                      << " of each access in stage " << stringifyStage(stage);
}

LogicalResult StageVerifier::verify(IndexOp index) {
  if (failed(verifyAccess(index, index.getAccess())))
    return failure();
  if (failed(verifyRead(index, index.getBuffer(), index.getAccess())))
    return failure();
  return verifyOrder(index, index.getBuffer(), index.getAccess());
}

/// The threads of a group are next to each other in one warp.
static LogicalResult verifyGroup(TileOp tile) {
  const int64_t threads = (*tile->getParentOfType<KernelOp>().getThreads())[0],
                group = tile.getGroupSize();
  if (threads % group != 0 || !llvm::isPowerOf2_64(group))
    return tile.emitOpError("expected 1, 2, 4, 8 or 16 threads along thread_x, or a multiple of "
                            "32, but got ")
           << threads;
  if (tile.getDistance() && int64_t(*tile.getDistance()) >= group)
    return tile.emitOpError("expected a distance within a group of ")
           << group << " threads, but got " << *tile.getDistance();
  return success();
}

LogicalResult StageVerifier::verify(TileOp tile) {
  SmallVector<Attribute> accesses(tile.getReads().getValue());
  llvm::append_range(accesses, tile.getWrites());
  for (Attribute attribute : accesses)
    if (auto access = dyn_cast<AccessAttr>(attribute); access && failed(verifyAccess(tile, access)))
      return failure();
  if (stage >= Stage::Guarded && !tile.getGuard().empty())
    return tile.emitOpError("expected a branch around the tile from stage guarded on, but got a "
                            "guard");
  if ((stage < Stage::Launched || stage >= Stage::Guarded) && !tile.getOnce().getTypes().empty())
    return tile.emitOpError("expected no 'once' in stage ") << stringifyStage(stage);
  if (tile.getStep() == TileStep::Copy && failed(verifyPipelined(tile, stage)))
    return failure();
  if (tile.getStep() == TileStep::Bulk)
    return verifyBulkCopy(tile);
  if (tile.getStep() == TileStep::Store && failed(verifyStore(tile)))
    return failure();
  if (tile.isConvergent() && stage < Stage::Reduced)
    return tile.emitOpError("expected shuffles from stage reduced on, but got ")
           << stringifyStage(stage);
  if (tile.getInstruction() && !tile.isBulk() && failed(verifyMatrixThreads(tile)))
    return failure();
  const bool hasGroup = tile.isConvergent() && tile.getStep() != TileStep::Shuffle;
  if (hasGroup && !tile.getInstruction() && failed(verifyGroup(tile)))
    return failure();
  if (tile.isConvergent() && failed(verifyConverged(tile)))
    return failure();
  if (isOfWarpGroup(tile) && failed(verifyGroupProduct(tile)))
    return failure();
  for (auto [number, input] : llvm::enumerate(tile.getInputs()))
    if (failed(verifyRead(tile, input, tile.getRead(number))) ||
        failed(verifyOrder(tile, input, tile.getRead(number))))
      return failure();
  for (Value output : tile.getOutputs()) {
    if (tile.updatesOutputs() && failed(verifyRead(tile, output)))
      return failure();
    if (failed(verifyDistributed(tile, output)) || failed(verifyStored(tile, output)))
      return failure();
    if (stage >= Stage::Pipelined && BufferOp::isCircular(output)) {
      if (failed(verifyCopyTo(tile, output)))
        return failure();
      continue;
    }
    written.insert(output);
    const MemoryType space = cast<BufferType>(output.getType()).getSpace();
    if (space == MemoryType::Global)
      pendingGlobal[output] = false;
    if (space != MemoryType::Shared)
      continue;
    pending.insert(output);
    unfenced.insert(output);
    if (arrived)
      arrived->erase(output);
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() { return StageVerifier(*this).verify(); }
