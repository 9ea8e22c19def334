//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlantedBugs.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

enum class Space { Register, Shared, Global };

Space spaceOf(Value buffer) {
  if (cast<MemRefType>(buffer.getType()).getMemorySpace())
    return Space::Shared;
  return buffer.getDefiningOp<memref::AllocaOp>() ? Space::Register : Space::Global;
}

/// The first op of a type for which `matches` holds; null: there is none.
template <typename Op> Op findFirst(gpu::GPUFuncOp kernel, llvm::function_ref<bool(Op)> matches) {
  Op found;
  kernel.walk([&](Op op) {
    if (!matches(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
template <typename Op> Op findFirst(gpu::GPUFuncOp kernel) {
  return findFirst<Op>(kernel, [](Op) { return true; });
}
template <typename Op> Op findLast(gpu::GPUFuncOp kernel) {
  Op found;
  kernel.walk([&](Op op) { found = op; });
  return found;
}

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (value && matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}
Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value constantTrue(OpBuilder &builder, Location loc) {
  return arith::ConstantIntOp::create(builder, loc, 1, 1);
}

template <typename Op> void eraseOne(Op op) {
  if (op)
    op.erase();
}
template <typename Op> void takeOperand(Op op, unsigned operand) {
  if (!op)
    return;
  op->getResult(0).replaceAllUsesWith(op->getOperand(operand));
  op.erase();
}
void makeTrue(scf::IfOp op) {
  if (!op)
    return;
  OpBuilder builder(op);
  op.getConditionMutable().assign(constantTrue(builder, op.getLoc()));
}
/// Makes the first comparison with index 0 of a thread or a block true.
template <typename Index> void makeFirstEqual(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::CmpIOp>(kernel, [](arith::CmpIOp each) {
    return each.getPredicate() == arith::CmpIPredicate::eq && each.getLhs().getDefiningOp<Index>();
  });
  if (!op)
    return;
  OpBuilder builder(op);
  op.getResult().replaceAllUsesWith(constantTrue(builder, op.getLoc()));
}
void addToOperand(Operation *op, unsigned operand, int64_t value) {
  OpBuilder builder(op);
  Value number = constantIndex(builder, op->getLoc(), value);
  op->setOperand(operand,
                 arith::AddIOp::create(builder, op->getLoc(), op->getOperand(operand), number));
}
/// Moves the first access of a type to memory of a kind by one element.
template <typename Load> void shiftLoad(gpu::GPUFuncOp kernel, Space space) {
  auto op =
      findFirst<Load>(kernel, [&](Load load) { return spaceOf(load->getOperand(0)) == space; });
  if (op)
    addToOperand(op, 1, 1);
}
template <typename Store> void shiftStore(gpu::GPUFuncOp kernel, Space space) {
  auto op =
      findFirst<Store>(kernel, [&](Store store) { return spaceOf(store->getOperand(1)) == space; });
  if (op)
    addToOperand(op, 2, 1);
}
/// Replaces the first op of a type by one of another that has the same operands.
template <typename From, typename To> void exchange(gpu::GPUFuncOp kernel) {
  if (From op = findFirst<From>(kernel)) {
    OpBuilder builder(op);
    Value other = To::create(builder, op.getLoc(), op->getOperand(0), op->getOperand(1));
    op.getResult().replaceAllUsesWith(other);
    op.erase();
  }
}
/// An if around a load or store of global memory.
template <typename Op> scf::IfOp findGuard(gpu::GPUFuncOp kernel, unsigned buffer) {
  auto op = findFirst<Op>(kernel, [&](Op access) {
    return spaceOf(access->getOperand(buffer)) == Space::Global &&
           access->template getParentOfType<scf::IfOp>();
  });
  return op ? op->template getParentOfType<scf::IfOp>() : scf::IfOp();
}

//===----------------------------------------------------------------------===//
// Waits
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
void wrongPeer(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<kernel_ir::PeerStoreOp>(kernel)) {
    OpBuilder builder(op);
    op.getRankMutable().assign(constantIndex(builder, op.getLoc(), 0));
  }
}
void messageForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::PeerStoreOp>(kernel));
}
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
/// The consumers tell that they have read a stage before they read it.
void releasedTooEarly(gpu::GPUFuncOp kernel) {
  findFirst<kernel_ir::MBarrierArriveOp>(kernel, [](kernel_ir::MBarrierArriveOp arrive) {
    Operation *wait = arrive->getPrevNode();
    while (wait && !isa<kernel_ir::MBarrierWaitOp>(wait))
      wait = wait->getPrevNode();
    if (!wait || llvm::any_of(arrive->getOperands(), [&](Value operand) {
          Operation *op = operand.getDefiningOp();
          return op && op->getBlock() == wait->getBlock() && wait->isBeforeInBlock(op);
        }))
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
void acquireDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::MBarrierWaitOp>(kernel, [](kernel_ir::MBarrierWaitOp wait) {
    return llvm::any_of(wait.getBarrier().getUsers(),
                        [](Operation *user) { return isa<kernel_ir::MBarrierArriveOp>(user); });
  }));
}
void roleBarrierDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::RoleBarrierOp>(kernel));
}
/// Moves a load from shared memory before the barrier in front of it.
void loadBeforeBarrier(gpu::GPUFuncOp kernel) {
  kernel.walk([](memref::LoadOp load) {
    if (spaceOf(load.getMemRef()) != Space::Shared)
      return WalkResult::advance();
    Operation *barrier = load->getPrevNode();
    while (barrier && !isa<gpu::BarrierOp>(barrier))
      barrier = barrier->getPrevNode();
    if (!barrier || llvm::any_of(load->getOperands(), [&](Value operand) {
          Operation *op = operand.getDefiningOp();
          return op && op->getBlock() == barrier->getBlock() && barrier->isBeforeInBlock(op);
        }))
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

//===----------------------------------------------------------------------===//
// Predicates and loops
//===----------------------------------------------------------------------===//

void dropLoadPredicate(gpu::GPUFuncOp kernel) { makeTrue(findGuard<memref::LoadOp>(kernel, 0)); }
void dropStorePredicate(gpu::GPUFuncOp kernel) { makeTrue(findGuard<memref::StoreOp>(kernel, 1)); }
void dropLastPredicate(gpu::GPUFuncOp kernel) { makeTrue(findLast<scf::IfOp>(kernel)); }
void predicateOneTooWide(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::CmpIOp>(
      kernel, [](arith::CmpIOp each) { return each.getPredicate() == arith::CmpIPredicate::ult; });
  if (op)
    op.setPredicate(arith::CmpIPredicate::ule);
}
void predicateOneTooNarrow(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::CmpIOp>(
      kernel, [](arith::CmpIOp each) { return each.getPredicate() == arith::CmpIPredicate::ult; });
  if (op)
    addToOperand(op, 1, -1);
}
void storeByAllThreads(gpu::GPUFuncOp kernel) { makeFirstEqual<gpu::ThreadIdOp>(kernel); }
void storeByAllBlocks(gpu::GPUFuncOp kernel) { makeFirstEqual<gpu::BlockIdOp>(kernel); }
void conjunctForgotten(gpu::GPUFuncOp kernel) { takeOperand(findLast<arith::AndIOp>(kernel), 0); }
void indexIsSigned(gpu::GPUFuncOp kernel) {
  kernel.walk([](arith::CmpIOp op) {
    if (op.getPredicate() == arith::CmpIPredicate::ult)
      op.setPredicate(arith::CmpIPredicate::slt);
  });
}
void loopOneLess(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<scf::ForOp>(kernel))
    addToOperand(op, 1, -1);
}
void loopOneMore(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<scf::ForOp>(kernel))
    addToOperand(op, 1, 1);
}
void loopFromOne(gpu::GPUFuncOp kernel) {
  if (auto op = findLast<scf::ForOp>(kernel))
    addToOperand(op, 0, 1);
}
void remainderForgotten(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::DivUIOp>(kernel, [](arith::DivUIOp each) {
    auto sum = each.getLhs().getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> divisor = constantOf(each.getRhs());
    return sum && divisor && constantOf(sum.getRhs()) == *divisor - 1;
  });
  if (op)
    op.setOperand(0, op.getLhs().getDefiningOp<arith::AddIOp>().getLhs());
}
void wrongBranchOfUnswitch(gpu::GPUFuncOp kernel) {
  makeTrue(findFirst<scf::IfOp>(
      kernel, [](scf::IfOp op) { return !op.getElseRegion().empty() && op.getNumResults() == 0; }));
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

void globalLoadShifted(gpu::GPUFuncOp kernel) { shiftLoad<memref::LoadOp>(kernel, Space::Global); }
void globalStoreShifted(gpu::GPUFuncOp kernel) {
  shiftStore<memref::StoreOp>(kernel, Space::Global);
}
void sharedLoadShifted(gpu::GPUFuncOp kernel) { shiftLoad<memref::LoadOp>(kernel, Space::Shared); }
void sharedStoreShifted(gpu::GPUFuncOp kernel) {
  shiftStore<memref::StoreOp>(kernel, Space::Shared);
}
void vectorLoadShifted(gpu::GPUFuncOp kernel) { shiftLoad<vector::LoadOp>(kernel, Space::Global); }
void vectorStoreShifted(gpu::GPUFuncOp kernel) {
  shiftStore<vector::StoreOp>(kernel, Space::Global);
}
void firstRegisterForAnother(gpu::GPUFuncOp kernel) {
  auto op = findFirst<memref::LoadOp>(kernel, [](memref::LoadOp load) {
    return spaceOf(load.getMemRef()) == Space::Register &&
           constantOf(load.getIndices().front()).value_or(0) > 0;
  });
  if (!op)
    return;
  OpBuilder builder(op);
  op->setOperand(1, constantIndex(builder, op.getLoc(), 0));
}
void divisorOneTooLarge(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::DivUIOp>(
      kernel, [](arith::DivUIOp each) { return constantOf(each.getRhs()).has_value(); });
  if (op)
    addToOperand(op, 1, 1);
}
void divisionForRemainder(gpu::GPUFuncOp kernel) {
  exchange<arith::RemUIOp, arith::DivUIOp>(kernel);
}
void threadsExchanged(gpu::GPUFuncOp kernel) {
  kernel.walk([](gpu::ThreadIdOp op) {
    if (op.getDimension() != gpu::Dimension::z)
      op.setDimension(op.getDimension() == gpu::Dimension::x ? gpu::Dimension::y
                                                             : gpu::Dimension::x);
  });
}
void oneBlockForAll(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<gpu::BlockIdOp>(kernel)) {
    OpBuilder builder(op);
    op.getResult().replaceAllUsesWith(constantIndex(builder, op.getLoc(), 0));
  }
}
void swizzleForgotten(gpu::GPUFuncOp kernel) {
  takeOperand(
      findFirst<arith::XOrIOp>(kernel, [](arith::XOrIOp op) { return op.getType().isIndex(); }), 0);
}

//===----------------------------------------------------------------------===//
// Memory and values
//===----------------------------------------------------------------------===//

void sharedBuffersOverlap(gpu::GPUFuncOp kernel) {
  kernel.walk([](memref::ViewOp op) {
    OpBuilder builder(op);
    op->setOperand(1, constantIndex(builder, op.getLoc(), 0));
  });
}
void storeForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<memref::StoreOp>(
      kernel, [](memref::StoreOp op) { return spaceOf(op.getMemRef()) == Space::Global; }));
}
void sharedStoreForgotten(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<memref::StoreOp>(
      kernel, [](memref::StoreOp op) { return spaceOf(op.getMemRef()) == Space::Shared; }));
}
void shuffleForgotten(gpu::GPUFuncOp kernel) {
  takeOperand(findLast<kernel_ir::ShuffleOp>(kernel), 0);
}
void wrongLane(gpu::GPUFuncOp kernel) {
  if (auto op = findLast<kernel_ir::ShuffleOp>(kernel)) {
    OpBuilder builder(op);
    op.getOffsetMutable().assign(arith::ConstantIntOp::create(builder, op.getLoc(), 2, 32));
  }
}
void firstOfVectorForAnother(gpu::GPUFuncOp kernel) {
  auto op = findFirst<vector::ExtractOp>(kernel, [](vector::ExtractOp each) {
    return each.getStaticPosition().size() == 1 && each.getStaticPosition().front() > 0;
  });
  if (op)
    op.setStaticPosition(ArrayRef<int64_t>{0});
}
/// Lanes without a partial result keep what they have read.
void absentPartsCounted(gpu::GPUFuncOp kernel) {
  takeOperand(
      findFirst<arith::SelectOp>(kernel,
                                 [](arith::SelectOp op) {
                                   auto load = op.getTrueValue().getDefiningOp<memref::LoadOp>();
                                   return load && spaceOf(load.getMemRef()) == Space::Shared;
                                 }),
      1);
}
/// What is set before each reduction is set once.
void accumulatorSetOnce(gpu::GPUFuncOp kernel) {
  auto op = findFirst<memref::StoreOp>(kernel, [](memref::StoreOp store) {
    return store.getValueToStore().getDefiningOp<arith::ConstantOp>() &&
           spaceOf(store.getMemRef()) == Space::Register && store->getParentOfType<scf::ForOp>();
  });
  if (!op)
    return;
  Operation *outermost = op;
  while (!isa<gpu::GPUFuncOp>(outermost->getParentOp()))
    outermost = outermost->getParentOp();
  if (constantOf(op.getIndices().front()))
    op->moveBefore(outermost);
}
void wrongIdentity(gpu::GPUFuncOp kernel) {
  auto op = findFirst<memref::StoreOp>(kernel, [](memref::StoreOp store) {
    auto value = store.getValueToStore().getDefiningOp<arith::ConstantOp>();
    return value && isa<FloatAttr>(value.getValue()) &&
           spaceOf(store.getMemRef()) == Space::Register;
  });
  if (!op)
    return;
  OpBuilder builder(op);
  auto type = cast<FloatType>(op.getValueToStore().getType());
  op->setOperand(0,
                 arith::ConstantOp::create(builder, op.getLoc(), builder.getFloatAttr(type, 0.5)));
}
void accumulatorForgotten(gpu::GPUFuncOp kernel) {
  takeOperand(findFirst<arith::AddFOp>(kernel,
                                       [](arith::AddFOp op) {
                                         auto load = op.getLhs().getDefiningOp<memref::LoadOp>();
                                         return load &&
                                                spaceOf(load.getMemRef()) == Space::Register;
                                       }),
              1);
}
void minimumForMaximum(gpu::GPUFuncOp kernel) {
  exchange<arith::MaximumFOp, arith::MinimumFOp>(kernel);
}
void differenceForSum(gpu::GPUFuncOp kernel) { exchange<arith::AddFOp, arith::SubFOp>(kernel); }

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

using Change = llvm::function_ref<AffineExpr(AffineExpr)>;
AffineMap changeResults(AffineMap map, Change change) {
  SmallVector<AffineExpr> results = llvm::map_to_vector(map.getResults(), change);
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}
AffineExpr keep(AffineExpr expr) { return expr; }
AffineExpr half(AffineExpr expr) { return expr.floorDiv(2); }
AffineExpr roundDown(AffineExpr expr) {
  auto division = dyn_cast<AffineBinaryOpExpr>(expr);
  return division && division.getKind() == AffineExprKind::CeilDiv
             ? division.getLHS().floorDiv(division.getRHS())
             : expr;
}
void changeLaunch(gpu::GPUFuncOp kernel, Change grid, Change shared, Change workspace) {
  StringRef name = kernel_ir::FuserGPUDialect::kLaunch;
  auto launch = kernel->getAttrOfType<kernel_ir::LaunchAttr>(name);
  SmallVector<AffineMap> workspaces = llvm::map_to_vector(
      launch.getWorkspaces(), [&](AffineMap map) { return changeResults(map, workspace); });
  kernel->setAttr(
      name, kernel_ir::LaunchAttr::get(kernel.getContext(), changeResults(launch.getGrid(), grid),
                                       launch.getSymbols(), changeResults(launch.getSmem(), shared),
                                       workspaces, launch.getCooperative(), launch.getCluster(),
                                       launch.getMinBlocksPerSM(), launch.getParts()));
}
void gridRoundedDown(gpu::GPUFuncOp kernel) { changeLaunch(kernel, roundDown, keep, keep); }
void sharedMemoryTooSmall(gpu::GPUFuncOp kernel) { changeLaunch(kernel, keep, half, keep); }
void workspaceTooSmall(gpu::GPUFuncOp kernel) { changeLaunch(kernel, keep, keep, half); }
void counterNotZeroed(gpu::GPUFuncOp kernel) {
  StringRef name = kernel_ir::FuserGPUDialect::kBind;
  for (unsigned argument = 0; argument < kernel.getNumArguments(); ++argument)
    if (auto space = kernel.getArgAttrOfType<kernel_ir::WorkspaceAttr>(argument, name))
      kernel.setArgAttr(argument, name,
                        kernel_ir::WorkspaceAttr::get(kernel.getContext(), space.getIndex(),
                                                      /*zeroed=*/false));
}
void oneThreadTooMany(gpu::GPUFuncOp kernel) {
  SmallVector<int32_t> size(*kernel.getKnownBlockSize());
  ++size[0];
  kernel.setKnownBlockSize(size);
}
void sizesExchanged(gpu::GPUFuncOp kernel) {
  SmallVector<BlockArgument> sizes;
  for (BlockArgument argument : kernel.getArguments())
    if (argument.getType().isIndex() && !argument.use_empty())
      sizes.push_back(argument);
  if (sizes.size() < 2)
    return;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : sizes[0].getUses())
    uses.push_back(&use);
  sizes[1].replaceAllUsesWith(sizes[0]);
  for (OpOperand *use : uses)
    use->set(sizes[1]);
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
    {"load-before-barrier", loadBeforeBarrier},
    {"one-counter-for-all", oneCounterForAll},
    {"one-block-less-is-waited-for", oneBlockLessIsWaitedFor},
    {"barrier-under-if", barrierUnderIf},
    {"every-block-is-the-last", everyBlockIsTheLast},
    {"drop-load-predicate", dropLoadPredicate},
    {"drop-store-predicate", dropStorePredicate},
    {"drop-last-predicate", dropLastPredicate},
    {"predicate-one-too-wide", predicateOneTooWide},
    {"predicate-one-too-narrow", predicateOneTooNarrow},
    {"store-by-all-threads", storeByAllThreads},
    {"store-by-all-blocks", storeByAllBlocks},
    {"conjunct-forgotten", conjunctForgotten},
    {"index-is-signed", indexIsSigned},
    {"loop-one-less", loopOneLess},
    {"loop-one-more", loopOneMore},
    {"loop-from-one", loopFromOne},
    {"remainder-forgotten", remainderForgotten},
    {"wrong-branch-of-unswitch", wrongBranchOfUnswitch},
    {"global-load-shifted", globalLoadShifted},
    {"global-store-shifted", globalStoreShifted},
    {"shared-load-shifted", sharedLoadShifted},
    {"shared-store-shifted", sharedStoreShifted},
    {"vector-load-shifted", vectorLoadShifted},
    {"vector-store-shifted", vectorStoreShifted},
    {"first-register-for-another", firstRegisterForAnother},
    {"divisor-one-too-large", divisorOneTooLarge},
    {"division-for-remainder", divisionForRemainder},
    {"threads-exchanged", threadsExchanged},
    {"one-block-for-all", oneBlockForAll},
    {"swizzle-forgotten", swizzleForgotten},
    {"shared-buffers-overlap", sharedBuffersOverlap},
    {"store-forgotten", storeForgotten},
    {"shared-store-forgotten", sharedStoreForgotten},
    {"shuffle-forgotten", shuffleForgotten},
    {"wrong-lane", wrongLane},
    {"first-of-vector-for-another", firstOfVectorForAnother},
    {"absent-parts-counted", absentPartsCounted},
    {"accumulator-set-once", accumulatorSetOnce},
    {"wrong-identity", wrongIdentity},
    {"accumulator-forgotten", accumulatorForgotten},
    {"minimum-for-maximum", minimumForMaximum},
    {"difference-for-sum", differenceForSum},
    {"grid-rounded-down", gridRoundedDown},
    {"shared-memory-too-small", sharedMemoryTooSmall},
    {"workspace-too-small", workspaceTooSmall},
    {"counter-not-zeroed", counterNotZeroed},
    {"one-thread-too-many", oneThreadTooMany},
    {"sizes-exchanged", sizesExchanged},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getPlantedBugs() { return kBugs; }

void fuser::fuzz::plant(const PlantedBug &bug, ModuleOp module) {
  module.walk([&](gpu::GPUFuncOp kernel) { bug.plant(kernel); });
}
