//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barriers of blocks, clusters and grids that are missing, of too few, or at another place.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void dropFirstBarrier(gpu::GPUFuncOp kernel) { eraseOne(findFirst<gpu::BarrierOp>(kernel)); }
void dropLastBarrier(gpu::GPUFuncOp kernel) { eraseOne(findLast<gpu::BarrierOp>(kernel)); }
void dropBarrierInLoop(gpu::GPUFuncOp kernel) {
  gpu::BarrierOp last;
  kernel.walk([&](gpu::BarrierOp op) {
    if (op->getParentOfType<scf::ForOp>())
      last = op;
  });
  eraseOne(last);
}
void barrierForTheGrid(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<kernel_ir::GridSyncOp>(kernel)) {
    OpBuilder builder(op);
    gpu::BarrierOp::create(builder, op.getLoc());
    op.erase();
  }
}
void dropGridSync(gpu::GPUFuncOp kernel) { eraseOne(findFirst<kernel_ir::GridSyncOp>(kernel)); }
/// The barrier of the cluster that its messages need, as one of the block, or none.
void replaceClusterBarrier(gpu::GPUFuncOp kernel, bool byBlock) {
  auto arrive = findLast<kernel_ir::ClusterArriveOp>(kernel);
  auto wait = findLast<kernel_ir::ClusterWaitOp>(kernel);
  if (!arrive || !wait)
    return;
  OpBuilder builder(wait);
  if (byBlock)
    gpu::BarrierOp::create(builder, wait.getLoc());
  arrive.erase();
  wait.erase();
}
void barrierForTheCluster(gpu::GPUFuncOp kernel) { replaceClusterBarrier(kernel, true); }
void dropClusterBarrier(gpu::GPUFuncOp kernel) { replaceClusterBarrier(kernel, false); }
/// The next block gets what the first of unrolled stores, or that of a loop, is for.
void wrongPeer(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<kernel_ir::PeerStoreOp>(kernel)) {
    OpBuilder builder(op);
    op.getRankMutable().assign(arith::AddIOp::create(builder, op.getLoc(), op.getRank(),
                                                     constantIndex(builder, op.getLoc(), 1)));
  }
}
void messageForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::PeerStoreOp>(kernel));
}
/// Moves a load from shared memory before the barrier in front of it.
void loadBeforeBarrier(gpu::GPUFuncOp kernel) {
  kernel.walk([](memref::LoadOp load) {
    if (spaceOf(load.getMemRef()) != Space::Shared)
      return WalkResult::advance();
    auto barrier = findBefore<gpu::BarrierOp>(load);
    if (!barrier || needsOpsAfter(load, barrier))
      return WalkResult::advance();
    load->moveBefore(barrier);
    return WalkResult::interrupt();
  });
}
void oneCounterForAll(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<kernel_ir::LastBlockOp>(kernel)) {
    OpBuilder builder(op);
    op.getIndicesMutable().assign(constantIndex(builder, op.getLoc(), 0));
  }
}
void oneBlockLessIsWaitedFor(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<kernel_ir::LastBlockOp>(kernel)) {
    OpBuilder builder(op);
    Value one = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 32);
    op.getParticipantsMutable().assign(
        arith::SubIOp::create(builder, op.getLoc(), op.getParticipants(), one));
  }
}
void barrierUnderIf(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<gpu::BarrierOp>(kernel)) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread,
                                        constantIndex(builder, loc, 0));
    auto branch = scf::IfOp::create(builder, loc, first);
    op->moveBefore(branch.thenYield());
  }
}
void everyBlockIsTheLast(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<kernel_ir::LastBlockOp>(kernel)) {
    OpBuilder builder(op);
    op.getResult().replaceAllUsesWith(constantTrue(builder, op.getLoc()));
    op.erase();
  }
}

constexpr PlantedBug kBugs[] = {
    {"drop-first-barrier", dropFirstBarrier},
    {"drop-last-barrier", dropLastBarrier},
    {"drop-barrier-in-loop", dropBarrierInLoop},
    {"barrier-for-the-grid", barrierForTheGrid},
    {"drop-grid-sync", dropGridSync},
    {"barrier-for-the-cluster", barrierForTheCluster},
    {"drop-cluster-barrier", dropClusterBarrier},
    {"wrong-peer", wrongPeer},
    {"message-forgotten", messageForgotten},
    {"load-before-barrier", loadBeforeBarrier},
    {"one-counter-for-all", oneCounterForAll},
    {"one-block-less-is-waited-for", oneBlockLessIsWaitedFor},
    {"barrier-under-if", barrierUnderIf},
    {"every-block-is-the-last", everyBlockIsTheLast},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getBarrierBugs() { return kBugs; }
