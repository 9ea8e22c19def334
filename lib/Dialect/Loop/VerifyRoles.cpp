//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for roles, and for the stages that they hand to each other.
//
//===----------------------------------------------------------------------===//

#include "StageVerifier.h"
#include "VerifyScans.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/Iterations.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using fuser::ParallelType;
using fuser::kernel_ir::SetMaxRegistersOp;
using namespace fuser::loop;

static constexpr int64_t kWarp = 32, kWarpGroup = 128, kMaxThreads = 1024;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

RolesOp RolesOp::find(KernelOp kernel) {
  RolesOp found;
  kernel.walk([&](RolesOp roles) {
    found = roles;
    return WalkResult::interrupt();
  });
  return found;
}

static bool isInRegion(Operation *op, bool ofProducers) {
  auto roles = op->getParentOfType<RolesOp>();
  return roles && (ofProducers ? roles.getProducers() : roles.getConsumers())
                      .isAncestor(op->getParentRegion());
}

bool RolesOp::isProducer(Operation *op) { return isInRegion(op, /*ofProducers=*/true); }

bool RolesOp::isConsumer(Operation *op) { return isInRegion(op, /*ofProducers=*/false); }

ParallelType RolesOp::getSlowestType(KernelOp kernel) {
  ArrayRef<int64_t> threads = *kernel.getThreads();
  return threads[2] > 1   ? ParallelType::ThreadZ
         : threads[1] > 1 ? ParallelType::ThreadY
                          : ParallelType::ThreadX;
}

/// The threads of a row along all types but the slowest.
static int64_t getRow(KernelOp kernel) {
  ArrayRef<int64_t> threads = *kernel.getThreads();
  switch (RolesOp::getSlowestType(kernel)) {
  case ParallelType::ThreadZ:
    return threads[0] * threads[1];
  case ParallelType::ThreadY:
    return threads[0];
  default:
    return 1;
  }
}

int64_t RolesOp::countProducers(KernelOp kernel, bool inGroups) {
  const int64_t unit = inGroups ? kWarpGroup : kWarp;
  if (ShapedType::getNumElements(*kernel.getThreads()) % unit != 0)
    return 0;
  return std::lcm(getRow(kernel), unit);
}

//===----------------------------------------------------------------------===//
// In any stage
//===----------------------------------------------------------------------===//

LogicalResult RolesOp::verify() {
  if (getProducerRegisters().has_value() != getConsumerRegisters().has_value())
    return emitOpError("expected registers of both roles, or of none");
  if (hasRegisters())
    for (int64_t registers : {*getProducerRegisters(), *getConsumerRegisters()})
      if (!SetMaxRegistersOp::exists(registers))
        return emitOpError("expected a multiple of ")
               << SetMaxRegistersOp::kStep << " from " << SetMaxRegistersOp::kLeast << " to "
               << SetMaxRegistersOp::kMost << " registers of a role, but got " << registers;
  if (getOperation() != &(*this)->getBlock()->back())
    return emitOpError("expected roles as the last op of their block");
  for (auto loop = (*this)->getParentOfType<ForOp>(); loop; loop = loop->getParentOfType<ForOp>())
    if (!fuser::isBlockType(loop.getType()) || loop.getType() == ParallelType::ClusterX)
      return emitOpError("expected only loops on blocks around roles, but got one on ")
             << fuser::stringifyParallelType(loop.getType());
  if (isa<IfOp>((*this)->getParentOp()) || (*this)->getParentOfType<RolesOp>())
    return emitOpError("expected roles in no branch and in no other role");
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// What all threads of a block, or of several, do together.
LogicalResult StageVerifier::verifyNoRole(Operation *op) {
  auto barrier = dyn_cast<BarrierOp>(op);
  const bool isOfBlock =
      barrier ? !barrier.getRole() : isa<ClusterBarrierOp, LastBlockOp, OrderBlocksOp, AwaitOp>(op);
  if (!isOfBlock)
    return success();
  return op->emitOpError("expected no barrier of the block in a role, whose threads are some of "
                         "those of the block");
}

/// The launch gives equal shares, which the warp groups of the roles take from each other.
static LogicalResult verifyRegisters(RolesOp roles, int64_t consumers) {
  const int64_t producers = roles.getThreads(), threads = producers + consumers;
  const int64_t registers =
      producers * *roles.getProducerRegisters() + consumers * *roles.getConsumerRegisters();
  const int64_t atLaunch = SetMaxRegistersOp::getAtLaunch(threads);
  if (registers <= threads * atLaunch)
    return success();
  return roles.emitOpError("expected roles with at most ")
         << threads * atLaunch << " registers, " << atLaunch << " for each of " << threads
         << " threads, but got " << registers;
}

LogicalResult StageVerifier::verify(RolesOp roles) {
  if (failed(verifyPipelined(roles, stage)))
    return failure();
  const int64_t threads = ShapedType::getNumElements(*kernel.getThreads());
  const int64_t least = RolesOp::countProducers(kernel, roles.hasRegisters());
  const StringRef unit = roles.hasRegisters() ? "whole warp groups" : "whole warps";
  if (least == 0)
    return roles.emitOpError("expected ")
           << unit << " of consumers, but got " << threads << " threads";
  if (int64_t(roles.getThreads()) < least || int64_t(roles.getThreads()) % least != 0)
    return roles.emitOpError("expected a multiple of ")
           << least << " producers, which are " << unit << " and whole rows of threads, but got "
           << int64_t(roles.getThreads());
  if (threads + int64_t(roles.getThreads()) > kMaxThreads)
    return roles.emitOpError("expected at most ")
           << kMaxThreads << " threads in a block, but got " << threads << " and "
           << int64_t(roles.getThreads()) << " producers";
  if (roles.hasRegisters() && failed(verifyRegisters(roles, threads)))
    return failure();
  WalkResult walked = roles.walk([&](Operation *op) {
    return succeeded(verifyNoRole(op)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted() || failed(verify(roles.getProducerBlock())) ||
      failed(verify(roles.getConsumerBlock())))
    return failure();
  // What is wrong in a role has been named.
  walked = kernel.walk([&](InitPhasesOp init) {
    return succeeded(verifyArrivals(init)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// The barrier of a use of a stage.
template <typename Op> static LogicalResult verifyPlace(Op op, AffineExpr use) {
  const int64_t stages = cast<BufferType>(op.getBarriers().getType()).getShape().front();
  if (use && op.getPlace() == use % stages)
    return success();
  return op.emitOpError("expected the barrier of the iteration, its number mod ") << stages;
}

LogicalResult StageVerifier::verify(AcquireOp acquire) {
  if (failed(verifyPipelined(acquire, stage)) || failed(verifyRead(acquire, acquire.getBarriers())))
    return failure();
  if (!RolesOp::isProducer(acquire))
    return acquire.emitOpError("expected producers to wait for the release of stages: the threads "
                               "that release them would wait for themselves");
  const AffineExpr use = getUseNumber(acquire, acquire.getIndices(), acquire.getUse().getNumDims());
  if (failed(verifyPlace(acquire, use)))
    return failure();
  const int64_t stages = cast<BufferType>(acquire.getBarriers().getType()).getShape().front();
  if (acquire.getPhase() != use.floorDiv(stages) - 1)
    return acquire.emitOpError("expected the phase of the iteration before in this stage, its "
                               "number floordiv ")
           << stages << " - 1";
  ConstraintsAttr guard = acquire.getGuard();
  const bool isOfLater = guard.size() == 1 && guard.getKinds().front() == ConstraintKind::Less &&
                         guard.getLhs(0) == getAffineConstantExpr(stages - 1, guard.getContext()) &&
                         guard.getRhs(0) == use;
  if (!isOfLater)
    return acquire.emitOpError("expected a guard by the first ")
           << stages << " uses, for which nothing is released before: " << stages - 1
           << " < the number of the iteration";
  acquired.insert(acquire.getBuffers().begin(), acquire.getBuffers().end());
  return success();
}

LogicalResult StageVerifier::verify(ReleaseOp release) {
  if (failed(verifyPipelined(release, stage)) || failed(verifyConverged(release)))
    return failure();
  if (!RolesOp::isConsumer(release))
    return release.emitOpError("expected consumers to release stages");
  for (Value buffer : release.getBuffers())
    if (!written.contains(buffer) || !released.insert(buffer).second)
      return release.emitOpError("expected a wait for the phase of each buffer before its release");
  return verifyPlace(release,
                     getUseNumber(release, release.getIndices(), release.getUse().getNumDims()));
}
