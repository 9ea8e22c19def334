//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mistakes with copies that are under way while threads compute: stages, phases and roles.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

//===----------------------------------------------------------------------===//
// Copies of threads
//===----------------------------------------------------------------------===//

kernel_ir::CopyWaitOp findCopyWait(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::CopyWaitOp>(kernel);
}
void copyWaitDropped(gpu::GPUFuncOp kernel) { eraseOne(findCopyWait(kernel)); }
void copyWaitForOneLess(gpu::GPUFuncOp kernel) {
  if (kernel_ir::CopyWaitOp op = findCopyWait(kernel))
    op.setPending(op.getPending() + 1);
}
void copyGroupForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::CopyCommitOp>(kernel));
}
/// The copies of an iteration fill the stage that it reads.
void copyStageNotAdvanced(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::RemUIOp>(kernel, [](arith::RemUIOp each) {
    auto ahead = each.getLhs().getDefiningOp<arith::AddIOp>();
    auto loop = each->getParentOfType<scf::ForOp>();
    return ahead && loop && ahead.getLhs() == loop.getInductionVar() &&
           constantOf(ahead.getRhs()) && constantOf(each.getRhs()) &&
           *constantOf(ahead.getRhs()) + 1 == *constantOf(each.getRhs());
  });
  if (op)
    op.setOperand(0, op.getLhs().getDefiningOp<arith::AddIOp>().getLhs());
}
/// The copies of an iteration begin before the barrier that tells that their stage was read.
void stageReleasedTooEarly(gpu::GPUFuncOp kernel) {
  auto wait = findFirst<kernel_ir::CopyWaitOp>(kernel, [](kernel_ir::CopyWaitOp each) {
    return isa_and_present<gpu::BarrierOp>(each->getNextNode());
  });
  if (!wait)
    return;
  Operation *barrier = wait->getNextNode(), *commit = barrier->getNextNode();
  while (commit && !isa<kernel_ir::CopyCommitOp>(commit))
    commit = commit->getNextNode();
  if (commit)
    barrier->moveAfter(commit);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Each wait is for the first phase.
void phaseForgotten(gpu::GPUFuncOp kernel) {
  auto wait = findFirst<kernel_ir::MBarrierWaitOp>(kernel);
  if (!wait)
    return;
  OpBuilder builder(wait);
  wait.getPhaseMutable().assign(constantIndex(builder, wait.getLoc(), 0));
}
void phaseWaitDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::MBarrierWaitOp>(kernel));
}
/// A phase has an arrival that does not come.
void oneArrivalLess(gpu::GPUFuncOp kernel) {
  if (auto init = findFirst<kernel_ir::MBarrierInitOp>(kernel))
    init.setCount(init.getCount() + 1);
}
void expectDiffers(gpu::GPUFuncOp kernel) {
  if (auto expect = findFirst<kernel_ir::MBarrierExpectOp>(kernel))
    addToOperand(expect, expect->getNumOperands() - 1, 16);
}
void phaseFenceDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::MBarrierFenceOp>(kernel));
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

/// A copy of a box begins one element later.
void boxShifted(gpu::GPUFuncOp kernel) {
  if (auto copy = findFirst<kernel_ir::CopyTensorOp>(kernel))
    addToOperand(copy, copy.getCoordinates().size(), 1);
}
/// A bulk copy fills the stage that the iteration reads.
void bulkStageNotAdvanced(gpu::GPUFuncOp kernel) {
  findFirst<kernel_ir::CopyBulkOp>(kernel, [](kernel_ir::CopyBulkOp copy) {
    auto stage = copy.getBarrierIndices().front().getDefiningOp<arith::RemUIOp>();
    auto ahead = stage ? stage.getLhs().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
    if (!ahead || !copy->getParentOfType<scf::ForOp>())
      return false;
    stage.setOperand(0, ahead.getLhs());
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// True for the wait of a producer: threads arrive at its barrier.
bool isForRelease(kernel_ir::MBarrierWaitOp wait) {
  return llvm::any_of(wait.getBarrier().getUsers(), llvm::IsaPred<kernel_ir::MBarrierArriveOp>);
}
/// The wait of a consumer for what a producer copies.
kernel_ir::MBarrierWaitOp findWaitForCopies(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::MBarrierWaitOp>(kernel, std::not_fn(isForRelease));
}
/// The wait of a producer for the release of a stage.
kernel_ir::MBarrierWaitOp findAcquire(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::MBarrierWaitOp>(kernel, isForRelease);
}
/// The wait is for the phase before, or the first one.
void delayPhase(kernel_ir::MBarrierWaitOp wait) {
  OpBuilder builder(wait);
  Location loc = wait.getLoc();
  Value first =
      arith::MaxUIOp::create(builder, loc, wait.getPhase(), constantIndex(builder, loc, 1));
  wait.getPhaseMutable().assign(
      arith::SubIOp::create(builder, loc, first, constantIndex(builder, loc, 1)));
}
/// The op is at the barrier of the first stage, whichever its own is.
void nameFirstStage(Operation *op) {
  OpBuilder builder(op);
  op->setOperand(1, constantIndex(builder, op->getLoc(), 0));
}
/// The consumers tell that they have read a stage before they read it.
void releasedTooEarly(gpu::GPUFuncOp kernel) {
  findFirst<kernel_ir::MBarrierArriveOp>(kernel, [](kernel_ir::MBarrierArriveOp arrive) {
    auto wait = findBefore<kernel_ir::MBarrierWaitOp>(arrive);
    if (!wait || needsOpsAfter(arrive, wait))
      return false;
    arrive->moveAfter(wait);
    return true;
  });
}
/// A stage that is read is never released.
void releaseDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::MBarrierArriveOp>(kernel));
}
/// The producer does not wait for the release of a stage.
void acquireDropped(gpu::GPUFuncOp kernel) { eraseOne(findAcquire(kernel)); }
void roleBarrierDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::RoleBarrierOp>(kernel));
}

/// A phase that completes later than the one to wait for, if at all.
void waitForTheNextPhase(gpu::GPUFuncOp kernel) {
  if (auto wait = findWaitForCopies(kernel))
    addToOperand(wait, wait->getNumOperands() - 1, 1);
}
/// What was copied to the stage before is read.
void waitForThePhaseBefore(gpu::GPUFuncOp kernel) {
  if (auto wait = findWaitForCopies(kernel))
    delayPhase(wait);
}
/// The stage is filled while threads read what was copied last time.
void acquireOfThePhaseBefore(gpu::GPUFuncOp kernel) {
  if (auto wait = findAcquire(kernel))
    delayPhase(wait);
}
void acquireOfTheNextPhase(gpu::GPUFuncOp kernel) {
  if (auto wait = findAcquire(kernel))
    addToOperand(wait, wait->getNumOperands() - 1, 1);
}
void acquireOfTheFirstStage(gpu::GPUFuncOp kernel) {
  if (auto wait = findAcquire(kernel))
    nameFirstStage(wait);
}
void releaseOfTheFirstStage(gpu::GPUFuncOp kernel) {
  if (auto arrive = findFirst<kernel_ir::MBarrierArriveOp>(kernel))
    nameFirstStage(arrive);
}
/// Each thread arrives twice, where the barrier counts threads.
void releaseTwice(gpu::GPUFuncOp kernel) {
  if (auto arrive = findFirst<kernel_ir::MBarrierArriveOp>(kernel))
    OpBuilder(arrive).clone(*arrive);
}
/// The barrier of a role waits for a warp of another one.
void roleBarrierOfMore(gpu::GPUFuncOp kernel) {
  if (auto barrier = findFirst<kernel_ir::RoleBarrierOp>(kernel))
    barrier.setThreads(barrier.getThreads() + 32);
}

constexpr PlantedBug kBugs[] = {
    {"copy-wait-dropped", copyWaitDropped},
    {"copy-wait-for-one-less", copyWaitForOneLess},
    {"copy-group-forgotten", copyGroupForgotten},
    {"copy-stage-not-advanced", copyStageNotAdvanced},
    {"stage-released-too-early", stageReleasedTooEarly},
    {"phase-forgotten", phaseForgotten},
    {"phase-wait-dropped", phaseWaitDropped},
    {"one-arrival-less", oneArrivalLess},
    {"expect-differs", expectDiffers},
    {"phase-fence-dropped", phaseFenceDropped},
    {"bulk-stage-not-advanced", bulkStageNotAdvanced},
    {"released-too-early", releasedTooEarly},
    {"release-dropped", releaseDropped},
    {"acquire-dropped", acquireDropped},
    {"role-barrier-dropped", roleBarrierDropped},
    {"role-barrier-of-more", roleBarrierOfMore},
    {"wait-for-the-next-phase", waitForTheNextPhase},
    {"wait-for-the-phase-before", waitForThePhaseBefore},
    {"acquire-of-the-phase-before", acquireOfThePhaseBefore},
    {"acquire-of-the-next-phase", acquireOfTheNextPhase},
    {"acquire-of-the-first-stage", acquireOfTheFirstStage},
    {"release-of-the-first-stage", releaseOfTheFirstStage},
    {"release-twice", releaseTwice},
    {"box-shifted", boxShifted},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getCopyBugs() { return kBugs; }
