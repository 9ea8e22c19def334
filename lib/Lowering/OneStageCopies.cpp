//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Buffers that asynchronous copies fill once: what a block reads several times, and too much for
// the registers of its threads (fuser-pipeline-loops).
//
//===----------------------------------------------------------------------===//

#include "LoopPipeliner.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The buffer with a first dimension for its only stage, which the copy fills. A copy that shares
/// loops of threads with a reader gets loops of its own, before these.
static Value addStage(loop::BufferOp old, loop::TileOp copy, LoopFacts &facts) {
  OpBuilder builder(old);
  loop::BufferOp buffer = createStages(builder, old, /*stages=*/1);
  const AffineExpr stage = builder.getAffineConstantExpr(0);
  Operation *item = old->getBlock()->findAncestorOpInBlock(*copy);
  const bool isShared = llvm::any_of(
      old->getUsers(), [&](Operation *user) { return user != copy && item->isAncestor(user); });
  if (isShared) {
    builder.setInsertionPoint(item);
    auto [tile, exprs] = cloneCopy(builder, copy, old->getParentOp(), ExprReplacement(), facts);
    makeCopy(tile, exprs, buffer, stage, facts);
    eraseWithLoops(copy, old->getParentOp());
  } else {
    makeCopy(copy, facts.lift(copy), buffer, stage, facts);
  }
  readStage(facts, old, buffer, stage);
  old.erase();
  return buffer;
}

/// A group for each op of the block that copies to buffers of the block. The first op that reads
/// one of them waits for all.
static void waitForCopies(Block &block, const llvm::SmallSetVector<Value, 2> &buffers) {
  llvm::SmallSetVector<Value, 2> begun;
  for (Operation &item : llvm::make_early_inc_range(block)) {
    llvm::SmallSetVector<Value, 2> copied;
    bool reads = false;
    item.walk([&](Operation *user) {
      auto tile = dyn_cast<loop::TileOp>(user);
      const bool copies = tile && tile.getStep() == loop::TileStep::Copy;
      for (Value operand : user->getOperands()) {
        reads |= !copies && begun.contains(operand);
        if (copies && buffers.contains(operand))
          copied.insert(operand);
      }
    });
    OpBuilder builder(&item);
    if (reads) {
      loop::WaitCopiesOp::create(builder, item.getLoc(), begun.getArrayRef(), /*pending=*/0);
      begun.clear();
    }
    if (copied.empty())
      continue;
    builder.setInsertionPointAfter(&item);
    loop::CommitCopiesOp::create(builder, item.getLoc());
    begun.insert(copied.begin(), copied.end());
  }
}

LogicalResult fuser::copyToOneStage(loop::KernelOp kernel, LoopFacts &facts) {
  SmallVector<loop::BufferOp> olds;
  kernel.walk([&](loop::BufferOp buffer) {
    if (buffer.getStages() == 1)
      olds.push_back(buffer);
  });
  llvm::MapVector<Block *, llvm::SmallSetVector<Value, 2>> buffersOf;
  for (loop::BufferOp old : olds) {
    FailureOr<loop::TileOp> copy = findCopy(old);
    if (failed(copy))
      return failure();
    Block *block = old->getBlock();
    buffersOf[block].insert(addStage(old, *copy, facts));
  }
  for (const auto &[block, buffers] : buffersOf)
    waitForCopies(*block, buffers);
  return success();
}
