//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-plan-launch: threads, blocks, and stores that all of them would do.
//
//===----------------------------------------------------------------------===//

#include "ExtentOrder.h"
#include "LoopExprs.h"
#include "Stages.h"
#include "fuser/Lowering/Passes.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPLANLAUNCH
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// The loops around a tile, and what they say of its element.
class LaunchPlanner {
public:
  explicit LaunchPlanner(loop::KernelOp kernel)
      : kernel(kernel), facts(kernel), one(getAffineConstantExpr(1, kernel.getContext())) {}
  LogicalResult plan();

private:
  LogicalResult include(loop::ForOp loop);
  bool leavesGridIdle(loop::TileOp tile, ParallelType type);
  void keepGridsFromBeingEmpty();
  void storeOnce(loop::TileOp tile);
  void write();

  loop::KernelOp kernel;
  LoopFacts facts;
  const AffineExpr one;
  int64_t threads[3] = {1, 1, 1};
  int64_t cluster = 1;
  /// Null without a loop on the type.
  AffineExpr grid[3];
};
} // namespace

static constexpr ParallelType kTypes[2][3] = {
    {ParallelType::ThreadX, ParallelType::ThreadY, ParallelType::ThreadZ},
    {ParallelType::BlockX, ParallelType::BlockY, ParallelType::BlockZ}};

static unsigned getAxis(ParallelType type) {
  return unsigned(type) -
         unsigned(isThreadType(type) ? ParallelType::ThreadX : ParallelType::BlockX);
}

/// The loop of this type around a tile, if the tile runs at one of its indices each; null if all
/// of them run it.
static loop::ForOp getDistributingLoop(loop::TileOp tile, ParallelType type) {
  if (llvm::is_contained(tile.getReplicated().getTypes(), type))
    return {};
  for (auto loop = tile->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (loop.getType() == type)
      return loop;
  return {};
}

static bool storesTo(loop::TileOp tile, MemoryType space) {
  return llvm::any_of(tile.getOutputs().getTypes(),
                      [&](Type type) { return cast<loop::BufferType>(type).getSpace() == space; });
}

/// Threads are the maxima of all loops, blocks the extent that is provably the largest.
LogicalResult LaunchPlanner::include(loop::ForOp loop) {
  const ParallelType type = loop.getType();
  if (isThreadType(type)) {
    int64_t &count = threads[getAxis(type)];
    count = std::max({count, *loop.getStaticBound(), int64_t(1)});
  }
  if (type == ParallelType::ClusterX)
    cluster = std::max(cluster, *loop.getStaticBound());
  if (!isBlockType(type) || type == ParallelType::ClusterX)
    return success();
  const AffineExpr extent = facts.getExtent(loop);
  AffineExpr &blocks = grid[getAxis(type)];
  if (!blocks || facts.getConstant(blocks) == 1) {
    blocks = extent;
    return success();
  }
  if (facts.get().isEqual(blocks, extent) || facts.getConstant(extent) == 1)
    return success();
  const AffineExpr larger =
      getLarger(blocks, extent, [&](AffineExpr expr) { return facts.getRange(expr).lower; });
  if (!larger)
    return loop.emitOpError("expected all loops on ")
           << stringifyParallelType(type) << " to have one extent, or one that is provably the "
           << "largest";
  blocks = larger;
  return success();
}

/// True if a grid without blocks of this type leaves no element of the tile out.
bool LaunchPlanner::leavesGridIdle(loop::TileOp tile, ParallelType type) {
  loop::ForOp loop = getDistributingLoop(tile, type);
  if (!loop)
    return false;
  auto block = cast<AffineDimExpr>(facts.getExpr(loop.getInductionVar()));
  // An element that is stored at one index alone exists even if the loop has none.
  return llvm::none_of(facts.lift(tile).guard, [&](const Constraint &constraint) {
    return constraint.kind == loop::ConstraintKind::Equal &&
           constraint.lhs.isFunctionOfDim(block.getPosition());
  });
}

/// Where blocks run over an extent that may be 0, but not for every output, there is at least one.
void LaunchPlanner::keepGridsFromBeingEmpty() {
  for (ParallelType type : kTypes[1]) {
    AffineExpr &blocks = grid[getAxis(type)];
    if (!blocks || facts.getRange(blocks).lower > 0)
      continue;
    const bool isIdle =
        !kernel
             .walk([&](loop::TileOp tile) {
               return storesTo(tile, MemoryType::Global) && !leavesGridIdle(tile, type)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
    // max(blocks, 1): 1 floordiv (n + 1) is 1 for n = 0 and 0 for all others.
    if (!isIdle)
      blocks = blocks + one.floorDiv(blocks + 1);
  }
}

/// True if one thread of the grid runs each iteration of a loop around the tile.
static bool isRunInTurn(loop::TileOp tile) {
  for (auto loop = tile->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (loop.getInTurn())
      return true;
  return false;
}

/// What all threads or blocks of a type would store is stored by the first. Each block has its own
/// shared memory.
void LaunchPlanner::storeOnce(loop::TileOp tile) {
  if (isRunInTurn(tile))
    return;
  const bool isGlobal = storesTo(tile, MemoryType::Global);
  if (!isGlobal && !storesTo(tile, MemoryType::Shared))
    return;
  SmallVector<ParallelType> types;
  for (ParallelType type : kTypes[0])
    if (threads[getAxis(type)] > 1 && !getDistributingLoop(tile, type))
      types.push_back(type);
  for (ParallelType type : kTypes[1]) {
    AffineExpr blocks = grid[getAxis(type)];
    if (isGlobal && blocks && facts.getConstant(blocks) != 1 && !getDistributingLoop(tile, type))
      types.push_back(type);
  }
  if (isGlobal && cluster > 1 && !getDistributingLoop(tile, ParallelType::ClusterX))
    types.push_back(ParallelType::ClusterX);
  tile.setOnceAttr(loop::ParallelTypesAttr::get(tile.getContext(), types));
}

void LaunchPlanner::write() {
  SmallVector<AffineExpr> blocks;
  for (AffineExpr expr : grid)
    blocks.push_back(expr ? expr : one);
  kernel.setThreads(ArrayRef<int64_t>(threads));
  kernel.setGrid(AffineMap::get(0, kernel.getSymbols().size(), blocks, kernel.getContext()));
  if (cluster > 1)
    kernel.setCluster(cluster);
  kernel.setStage(loop::Stage::Launched);
}

LogicalResult LaunchPlanner::plan() {
  WalkResult walked = kernel.walk<WalkOrder::PreOrder>([&](loop::ForOp loop) {
    return failed(include(loop)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  keepGridsFromBeingEmpty();
  kernel.walk([&](loop::TileOp tile) { storeOnce(tile); });
  write();
  return success();
}

LogicalResult fuser::planLaunch(loop::KernelOp kernel) {
  return kernel.getStage() == loop::Stage::Loops ? LaunchPlanner(kernel).plan() : success();
}

namespace {
struct PlanLaunch : fuser::impl::FuserPlanLaunchBase<PlanLaunch> {
  using FuserPlanLaunchBase::FuserPlanLaunchBase;

  void runOnOperation() override {
    if (failed(planLaunch(getOperation())))
      signalPassFailure();
  }
};
} // namespace
