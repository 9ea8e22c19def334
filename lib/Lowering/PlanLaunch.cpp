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
#include "llvm/ADT/SmallPtrSet.h"

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
  bool readsWrittenArgument(loop::TileOp tile);
  /// Where a value is needed: at one index of each of the types, and where the equations hold,
  /// which are null before the first store is found.
  struct Needed {
    SmallVector<ParallelType> types;
    std::optional<Constraints> equations;
    void atAnyIndex() { *this = {{}, Constraints()}; }
    bool isAtAnyIndex() const { return types.empty() && equations && equations->empty(); }
  };
  void keepEquations(loop::TileOp store, Needed &needed);
  void keepStoredOnce(loop::TileOp tile, Needed &needed,
                      llvm::SmallPtrSetImpl<Operation *> &visited);
  bool isOfLoopsAround(loop::TileOp tile, AffineExpr expr);
  void readOnce(loop::TileOp tile);
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

/// True if the tile only moves or computes an element, of an argument that the kernel may write.
bool LaunchPlanner::readsWrittenArgument(loop::TileOp tile) {
  return tile.getStep() == loop::TileStep::Element &&
         llvm::any_of(tile.getInputs(), [&](Value input) {
           auto argument = dyn_cast<BlockArgument>(input);
           return argument && argument.getOwner() == &kernel.getBlock() &&
                  isa<loop::BufferType>(input.getType()) &&
                  !kernel.getBinding(argument.getArgNumber()).getReadonly();
         });
}

/// Drops the equations that are no condition of the store.
void LaunchPlanner::keepEquations(loop::TileOp store, Needed &needed) {
  const Constraints guard = facts.lift(store).guard;
  if (!needed.equations) {
    needed.equations.emplace();
    llvm::copy_if(guard, std::back_inserter(*needed.equations), [](const Constraint &constraint) {
      return constraint.kind == loop::ConstraintKind::Equal;
    });
  }
  llvm::erase_if(*needed.equations,
                 [&](const Constraint &equation) { return !llvm::is_contained(guard, equation); });
}

/// Drops the types on more than one index of which what the tile computes is needed, and the
/// equations without which it is.
void LaunchPlanner::keepStoredOnce(loop::TileOp tile, Needed &needed,
                                   llvm::SmallPtrSetImpl<Operation *> &visited) {
  if (!visited.insert(tile).second)
    return;
  const bool isInMemory = storesTo(tile, MemoryType::Global) || storesTo(tile, MemoryType::Shared);
  llvm::erase_if(needed.types, [&](ParallelType type) {
    return getDistributingLoop(tile, type) ||
           (isInMemory && !llvm::is_contained(tile.getOnce().getTypes(), type));
  });
  if (isInMemory)
    return keepEquations(tile, needed);
  for (Value output : tile.getOutputs())
    for (Operation *user : output.getUsers()) {
      auto reader = dyn_cast<loop::TileOp>(user);
      if (reader == tile)
        continue;
      if (!reader || reader.getStep() != loop::TileStep::Element ||
          llvm::is_contained(reader.getOutputs(), output))
        needed.atAnyIndex();
      if (needed.isAtAnyIndex())
        return;
      keepStoredOnce(reader, needed, visited);
    }
}

/// True if the expression is one of the induction variables of loops around the tile.
bool LaunchPlanner::isOfLoopsAround(loop::TileOp tile, AffineExpr expr) {
  llvm::SmallDenseSet<AffineExpr, 8> around;
  for (auto loop = tile->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    around.insert(facts.getExpr(loop.getInductionVar()));
  bool isOfThese = true;
  expr.walk(
      [&](AffineExpr part) { isOfThese &= !isa<AffineDimExpr>(part) || around.contains(part); });
  return isOfThese;
}

/// An argument that the kernel writes is read by the threads that store what is computed from it:
/// another thread would read an element while one of these overwrites it.
void LaunchPlanner::readOnce(loop::TileOp tile) {
  if (!readsWrittenArgument(tile) || isRunInTurn(tile) || storesTo(tile, MemoryType::Global) ||
      storesTo(tile, MemoryType::Shared))
    return;
  Needed needed{SmallVector<ParallelType>(std::begin(kTypes[0]), std::end(kTypes[0])), {}};
  llvm::SmallPtrSet<Operation *, 16> visited;
  keepStoredOnce(tile, needed, visited);
  tile.setOnceAttr(loop::ParallelTypesAttr::get(tile.getContext(), needed.types));
  if (!needed.equations)
    return;
  llvm::erase_if(*needed.equations, [&](const Constraint &equation) {
    return !isOfLoopsAround(tile, equation.lhs) || !isOfLoopsAround(tile, equation.rhs);
  });
  if (needed.equations->empty())
    return;
  TileExprs exprs = facts.lift(tile);
  for (const Constraint &equation : *needed.equations)
    if (!llvm::is_contained(exprs.guard, equation))
      exprs.guard.push_back(equation);
  setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
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
  kernel.walk([&](loop::TileOp tile) { readOnce(tile); });
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
