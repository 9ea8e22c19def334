//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-place-guards: branches that skip elements that do not exist.
//
//===----------------------------------------------------------------------===//

#include "ExtentOrder.h"
#include "LoopExprs.h"
#include "Stages.h"
#include "UnswitchLoops.h"
#include "fuser/Lowering/Passes.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPLACEGUARDS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// What must hold for tiles to run.
struct Guard {
  Constraints constraints;
  loop::ParallelTypesAttr once;

  bool empty() const { return constraints.empty() && once.getTypes().empty(); }
};

/// A tile, or a loop whose tiles all have one guard that the loop does not change.
struct GuardedItem {
  Guard guard;
  /// False for tiles that may also run where their element does not exist.
  bool needsGuard = false;
};

class GuardPlacer {
public:
  explicit GuardPlacer(loop::KernelOp kernel) : kernel(kernel), facts(kernel) {}
  void run();

private:
  Guard getGuard(loop::TileOp tile);
  bool leavesRegisters(loop::TileOp tile);
  Guard getGuardOfChain(Operation &op);
  bool isSame(const Guard &a, const Guard &b) const;
  bool isImplied(const Constraint &constraint, const Constraints &given) const;
  void dropIteration(Constraints &constraints) const;
  AffineExpr getCoefficient(AffineExpr expr, AffineExpr variable) const;
  bool covers(AffineExpr coefficient, AffineExpr extent, AffineExpr bound) const;
  std::optional<GuardedItem> analyze(Operation &op);
  bool isUniform(const Constraint &constraint, bool inWarp);
  bool isDefinedAround(const Constraint &constraint, Block &block) const;
  void guardAll(Block &block);
  void unswitchLoops();
  std::optional<GuardedItem> analyze(loop::ForOp loop);
  void analyze(Block &block);
  const Guard *getGuardOfReaders(Operation &op);
  bool readsOverwritten(Operation &op);
  bool contains(const Guard &guard, const Guard &part) const;
  bool isKnownAt(const Guard &guard, Operation &op) const;
  std::optional<Constraints> getRest(const Guard &guard, const Guard &given) const;
  bool isMovable(Operation &op, Operation &before);
  void groupReads(Block &block);
  void place(Block &block);

  loop::KernelOp kernel;
  LoopFacts facts;
  llvm::DenseMap<Operation *, std::optional<GuardedItem>> items;
};
} // namespace

/// True if some part of the expression satisfies a predicate.
static bool has(AffineExpr expr, function_ref<bool(AffineExpr)> holds) {
  return expr
      .walk([&](AffineExpr part) {
        return holds(part) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// The factor of a variable in a sum whose other terms are at least 0; null if there is none.
AffineExpr GuardPlacer::getCoefficient(AffineExpr expr, AffineExpr variable) const {
  if (expr == variable)
    return getAffineConstantExpr(1, expr.getContext());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  auto isNatural = [&](AffineExpr part) { return facts.getRange(part).lower >= 0; };
  const AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (expr.getKind() == AffineExprKind::Mul) {
    AffineExpr coefficient = isNatural(rhs) ? getCoefficient(lhs, variable) : AffineExpr();
    return coefficient ? coefficient * rhs : AffineExpr();
  }
  if (expr.getKind() != AffineExprKind::Add)
    return {};
  if (AffineExpr coefficient = getCoefficient(lhs, variable))
    return isNatural(rhs) ? coefficient : AffineExpr();
  AffineExpr coefficient = getCoefficient(rhs, variable);
  return coefficient && isNatural(lhs) ? coefficient : AffineExpr();
}

/// True if coefficient * extent is at least `bound`.
bool GuardPlacer::covers(AffineExpr coefficient, AffineExpr extent, AffineExpr bound) const {
  if (isAtLeast(coefficient * extent, bound,
                [&](AffineExpr expr) { return facts.getRange(expr).lower; }))
    return true;
  // c * (y ceildiv d) is at least c / d * y.
  if (extent.getKind() != AffineExprKind::CeilDiv)
    return false;
  auto quotient = cast<AffineBinaryOpExpr>(extent);
  const AffineExpr one = getAffineConstantExpr(1, extent.getContext());
  if (coefficient == quotient.getRHS())
    return covers(one, quotient.getLHS(), bound);
  auto factor = dyn_cast<AffineConstantExpr>(coefficient);
  auto divisor = dyn_cast<AffineConstantExpr>(quotient.getRHS());
  return factor && divisor && divisor.getValue() > 0 &&
         factor.getValue() % divisor.getValue() == 0 &&
         covers(one * (factor.getValue() / divisor.getValue()), quotient.getLHS(), bound);
}

/// True if `variable < extent` follows from a constraint on an index that the variable is the outer
/// part of: beyond the extent, the index is beyond its bound.
bool GuardPlacer::isImplied(const Constraint &constraint, const Constraints &given) const {
  return llvm::any_of(given, [&](const Constraint &other) {
    if (other.kind != loop::ConstraintKind::Less)
      return false;
    AffineExpr index = other.lhs, bound = other.rhs;
    // e floordiv d < b if and only if e < b * d.
    for (; index.getKind() == AffineExprKind::FloorDiv;
         index = cast<AffineBinaryOpExpr>(index).getLHS())
      bound = bound * cast<AffineBinaryOpExpr>(index).getRHS();
    const AffineExpr coefficient = getCoefficient(index, constraint.lhs);
    return coefficient && covers(coefficient, constraint.rhs, bound);
  });
}

/// The constraints of a tile that nothing proves: those of its element, then those of its loops.
/// Proofs use the ranges of loops, so that what they drop implies nothing of a loop.
Guard GuardPlacer::getGuard(loop::TileOp tile) {
  Guard guard{facts.lift(tile.getGuard(), tile.getIndices()), tile.getOnce()};
  llvm::erase_if(guard.constraints, [&](const Constraint &each) { return facts.isProved(each); });
  SmallVector<loop::ForOp> loops;
  for (auto loop = tile->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    loops.push_back(loop);
  // A bulk copy arrives wherever its loops run, as all threads wait for it there.
  if (tile.getStep() == loop::TileStep::Bulk)
    loops.clear();
  for (loop::ForOp loop : llvm::reverse(loops)) {
    if (llvm::is_contained(tile.getReplicated().getTypes(), loop.getType()) ||
        !runsBeyond(loop, facts))
      continue;
    Constraint inside =
        Constraint::less(facts.getExpr(loop.getInductionVar()), facts.getExtent(loop));
    if (!isImplied(inside, guard.constraints))
      guard.constraints.push_back(inside);
  }
  llvm::erase_if(guard.constraints,
                 [&](const Constraint &each) { return isImpliedByBranches(each, tile, facts); });
  if (tile.getStep() == loop::TileStep::Copy)
    dropIteration(guard.constraints);
  return guard;
}

/// That the iteration of a copy exists, its first constraint, may follow from its element.
void GuardPlacer::dropIteration(Constraints &constraints) const {
  if (constraints.size() < 2 || constraints.front().kind != loop::ConstraintKind::Less ||
      facts.getRange(constraints.front().lhs).lower < 0)
    return;
  const Constraints rest(llvm::drop_begin(constraints));
  if (isImplied(constraints.front(), rest))
    constraints = rest;
}

/// True if a thread or block beyond the extent of its loop would leave a buffer in registers.
bool GuardPlacer::leavesRegisters(loop::TileOp tile) {
  auto isOfHardware = [&](AffineExpr part) {
    auto dim = dyn_cast<AffineDimExpr>(part);
    auto variable = dim ? dyn_cast<BlockArgument>(facts.getValue(dim)) : BlockArgument();
    auto loop =
        variable ? dyn_cast<loop::ForOp>(variable.getOwner()->getParentOp()) : loop::ForOp();
    return loop && isHardwareType(loop.getType());
  };
  const TileExprs exprs = facts.lift(tile);
  auto isIndexedByHardware = [&](const AccessExprs &access) {
    return llvm::any_of(access.results, [&](AffineExpr index) { return has(index, isOfHardware); });
  };
  return llvm::any_of(exprs.writes, isIndexedByHardware) ||
         llvm::any_of(exprs.reads, [&](const std::optional<AccessExprs> &read) {
           return read && isIndexedByHardware(*read);
         });
}

/// The same for a block that waits for others, or tells them, in all of the launch.
Guard GuardPlacer::getGuardOfChain(Operation &op) {
  auto await = dyn_cast<loop::AwaitOp>(op);
  auto publish = dyn_cast<loop::PublishOp>(op);
  Guard guard{await ? facts.lift(await.getGuard(), await.getIndices())
                    : facts.lift(publish.getGuard(), publish.getIndices()),
              loop::ParallelTypesAttr::get(kernel.getContext(), {})};
  llvm::erase_if(guard.constraints, [&](const Constraint &each) { return facts.isProved(each); });
  return guard;
}

bool GuardPlacer::isSame(const Guard &a, const Guard &b) const {
  return a.once == b.once && a.constraints.size() == b.constraints.size() &&
         llvm::all_of(llvm::zip(a.constraints, b.constraints), [&](auto pair) {
           return facts.isSame(std::get<0>(pair), std::get<1>(pair));
         });
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// True for what needs no element to exist: buffers, and indices that do not depend on data.
static bool isUnguarded(Operation &op) {
  auto dependsOnData = [](Value index) {
    Operation *source = index.getDefiningOp();
    return isa_and_present<loop::IndexOp>(source) ||
           (isa_and_present<loop::XorOp>(source) && !isUnguarded(*source));
  };
  return isa<loop::BufferOp, loop::WholeOp>(op) ||
         (isa<loop::XorOp>(op) && llvm::none_of(op.getOperands(), dependsOnData));
}

/// The guard of all ops that read what an op computes in registers, if these are in its block, and
/// if no other op writes it. Null if there is none.
const Guard *GuardPlacer::getGuardOfReaders(Operation &op) {
  const Guard *common = nullptr;
  auto visit = [&](loop::TileOp tile) {
    for (Value output : tile.getOutputs()) {
      auto buffer = output.getDefiningOp<loop::BufferOp>();
      if (!buffer || buffer.getType().getSpace() != MemoryType::Register)
        return WalkResult::interrupt();
      for (Operation *user : output.getUsers()) {
        Operation *reader = op.getBlock()->findAncestorOpInBlock(*user);
        if (reader == &op)
          continue;
        auto writer = dyn_cast<loop::TileOp>(user);
        const auto item = reader ? items.find(reader) : items.end();
        if (!writer || llvm::is_contained(writer.getOutputs(), output) || item == items.end() ||
            !item->second || !op.isBeforeInBlock(reader) ||
            (common && !isSame(*common, item->second->guard)))
          return WalkResult::interrupt();
        common = &item->second->guard;
      }
    }
    return WalkResult::advance();
  };
  return op.walk(visit).wasInterrupted() ? nullptr : common;
}

/// True for reads of an argument that the kernel writes.
bool GuardPlacer::readsOverwritten(Operation &op) {
  auto isOverwritten = [&](Value input) {
    auto argument = dyn_cast<BlockArgument>(input);
    return argument && argument.getOwner() == &kernel.getBlock() && isGlobal(input) &&
           !kernel.getBinding(argument.getArgNumber()).getReadonly();
  };
  return op
      .walk([&](loop::TileOp tile) {
        return !tile.isConvergent() && llvm::any_of(tile.getInputs(), isOverwritten)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if a guard states all that another one does.
bool GuardPlacer::contains(const Guard &guard, const Guard &part) const {
  return (part.once.getTypes().empty() || part.once == guard.once) &&
         llvm::all_of(part.constraints, [&](const Constraint &each) {
           return llvm::any_of(guard.constraints,
                               [&](const Constraint &other) { return facts.isSame(each, other); });
         });
}

/// False if a guard is about values that are computed after the op, as whether a block is the last.
bool GuardPlacer::isKnownAt(const Guard &guard, Operation &op) const {
  auto isLater = [&](AffineExpr part) {
    Operation *source = isa<AffineDimExpr>(part) ? facts.getValue(part).getDefiningOp() : nullptr;
    Operation *around = source ? source->getBlock()->findAncestorOpInBlock(op) : nullptr;
    return source && !(around && source->isBeforeInBlock(around));
  };
  return llvm::none_of(guard.constraints, [&](const Constraint &each) {
    return has(each.lhs, isLater) || has(each.rhs, isLater);
  });
}

/// What runs unguarded may run only where its readers do: it takes their guard, so that it does not
/// end their branch. A value that one branch computes and another one reads would become a value of
/// each lane. What is read of an argument that the kernel overwrites has to: of threads that
/// compute the same element, the one that stores it may be the first, and others read what it
/// stored.
void GuardPlacer::analyze(Block &block) {
  for (Operation &op : block)
    if (!isUnguarded(op))
      analyze(op);
  for (Operation &op : llvm::reverse(block)) {
    std::optional<GuardedItem> item = items.lookup(&op);
    if (!item || !isa<loop::TileOp, loop::ForOp>(op) || (item->needsGuard && !readsOverwritten(op)))
      continue;
    const Guard *guard = getGuardOfReaders(op);
    if (guard && (!item->needsGuard || (contains(*guard, item->guard) && isKnownAt(*guard, op)))) {
      item->guard = *guard;
      items[&op] = item;
    }
  }
}

std::optional<GuardedItem> GuardPlacer::analyze(loop::ForOp loop) {
  std::optional<GuardedItem> common;
  bool isUniform = loop.isWrittenOut();
  analyze(loop.getBlock());
  for (Operation &op : loop.getBlock()) {
    if (isUnguarded(op))
      continue;
    std::optional<GuardedItem> item = items.lookup(&op);
    if (!item || (common && !isSame(common->guard, item->guard))) {
      isUniform = false;
      continue;
    }
    item->needsGuard |= common && common->needsGuard;
    common = item;
  }
  auto isInLoop = [&](AffineExpr part) {
    return isa<AffineDimExpr>(part) &&
           loop.getBody().isAncestor(facts.getValue(part).getParentRegion());
  };
  auto varies = [&](const Constraint &constraint) {
    return has(constraint.lhs, isInLoop) || has(constraint.rhs, isInLoop);
  };
  if (!isUniform || !common || llvm::any_of(common->guard.constraints, varies))
    return std::nullopt;
  return common;
}

std::optional<GuardedItem> GuardPlacer::analyze(Operation &op) {
  std::optional<GuardedItem> item;
  if (auto tile = dyn_cast<loop::TileOp>(op); tile && !tile.isConvergent()) {
    item = GuardedItem{getGuard(tile), tile.needsGuard()};
    item->needsGuard |= !item->guard.empty() && leavesRegisters(tile);
  } else if (auto loop = dyn_cast<loop::ForOp>(op))
    item = analyze(loop);
  else if (isa<loop::IfOp, loop::RolesOp>(op))
    for (Region &version : op.getRegions())
      for (Block &block : version)
        analyze(block);
  else if (isa<loop::AwaitOp, loop::PublishOp>(op))
    item = GuardedItem{getGuardOfChain(op), /*needsGuard=*/true};
  else if (auto index = dyn_cast<loop::IndexOp>(op); index && loop::TileOp::findServed(index))
    // A read of memory, as its tile is one.
    item = GuardedItem{getGuard(loop::TileOp::findServed(index)), /*needsGuard=*/true};
  else if (auto index = dyn_cast<loop::XorOp>(op); index && loop::TileOp::findServed(index))
    item = GuardedItem{getGuard(loop::TileOp::findServed(index)), /*needsGuard=*/false};
  return items[&op] = item;
}

/// True if the constraint agrees in the threads of a block, or of each warp.
bool GuardPlacer::isUniform(const Constraint &constraint, bool inWarp) {
  auto varies = [&](AffineExpr part) {
    return isa<AffineDimExpr>(part) && !kernel.isUniform(facts.getValue(part), inWarp);
  };
  return !has(constraint.lhs, varies) && !has(constraint.rhs, varies);
}

/// True if the constraint is over indices of loops around the block.
bool GuardPlacer::isDefinedAround(const Constraint &constraint, Block &block) const {
  auto isInner = [&](AffineExpr part) {
    auto loop = isa<AffineDimExpr>(part)
                    ? dyn_cast<loop::ForOp>(facts.getValue(part).getParentBlock()->getParentOp())
                    : loop::ForOp();
    return loop && !loop.getBody().isAncestor(block.getParent());
  };
  return !has(constraint.lhs, isInner) && !has(constraint.rhs, isInner);
}

/// Puts one branch around all of a block that has shuffles, for what all of its tiles need and the
/// threads that shuffle agree on: else each shuffle would end a branch, and what is computed in one
/// branch is not reused in the next. Where there is no such guard, blocks of loops may have one.
void GuardPlacer::guardAll(Block &block) {
  SmallVector<Operation *> items;
  for (Operation &op : block)
    if (!isa<loop::BufferOp>(op) && !op.hasTrait<OpTrait::ConstantLike>())
      items.push_back(&op);
  // Loops that are run in turn stay after the branch.
  auto isRunInTurn = [](Operation *item) {
    auto loop = dyn_cast<loop::ForOp>(item);
    return loop && loop.getInTurn();
  };
  while (!items.empty() && isRunInTurn(items.back()))
    items.pop_back();
  auto guardLoops = [&] {
    for (Operation *item : items)
      if (auto loop = dyn_cast<loop::ForOp>(item))
        guardAll(loop.getBlock());
  };
  if (items.size() == 1 && isa<loop::ForOp>(items.front()))
    return guardLoops();
  bool shuffles = false, waits = false, ofBlocks = false;
  std::optional<Constraints> common;
  auto collect = [&](Operation *op) {
    auto tile = dyn_cast<loop::TileOp>(op);
    auto barrier = dyn_cast<loop::BarrierOp>(op);
    shuffles |= tile && tile.isConvergent();
    waits |= isa<loop::BarrierOp, loop::WaitPhaseOp>(op);
    ofBlocks |= isa<loop::ClusterBarrierOp, loop::LastBlockOp, loop::OrderBlocksOp>(op) ||
                (barrier && barrier.getCounter());
    if (!tile || !tile.needsGuard())
      return;
    const Guard guard = getGuard(tile);
    if (!common)
      common = guard.constraints;
    else
      llvm::erase_if(*common, [&](const Constraint &each) {
        return llvm::none_of(guard.constraints,
                             [&](const Constraint &other) { return facts.isSame(each, other); });
      });
  };
  for (Operation *item : items)
    item->walk(collect);
  if (!shuffles)
    return;
  auto isCommon = [&](const Constraint &each) {
    // Every block has to arrive where blocks wait for each other or are counted.
    return !ofBlocks && isUniform(each, /*inWarp=*/!waits) && isDefinedAround(each, block);
  };
  if (common)
    llvm::erase_if(*common, [&](const Constraint &each) { return !isCommon(each); });
  if (!common || common->empty())
    return guardLoops();
  OpBuilder builder(items.back());
  auto branch = createIf(builder, items.back()->getLoc(), *common,
                         loop::ParallelTypesAttr::get(kernel.getContext(), {}),
                         [&](AffineExpr leaf) { return facts.getValue(leaf); });
  for (Operation *item : items)
    item->moveBefore(&branch.getBlock(), branch.getBlock().end());
}

/// Outer loops first: inside of a version without guards, there is nothing to unswitch.
void GuardPlacer::unswitchLoops() {
  auto findNext = [&]() -> loop::ForOp {
    loop::ForOp next;
    kernel.walk<WalkOrder::PreOrder>([&](loop::ForOp loop) {
      next = loop.getUnswitch() ? loop : loop::ForOp();
      return next ? WalkResult::interrupt() : WalkResult::advance();
    });
    return next;
  };
  while (loop::ForOp loop = findNext())
    if (unswitchLoop(loop, facts, [&](loop::TileOp tile) { return getGuard(tile).constraints; }))
      facts = LoopFacts(kernel);
}

/// True if the op reads only arguments that the kernel does not write, into registers that nothing
/// else from `before` on uses until then: it may run before that op.
bool GuardPlacer::isMovable(Operation &op, Operation &before) {
  auto tile = dyn_cast<loop::TileOp>(op);
  if (!tile || tile.isConvergent() || tile.getStep() != loop::TileStep::Element)
    return false;
  auto isReadonly = [&](Value input) {
    auto argument = dyn_cast<BlockArgument>(input);
    return argument && argument.getOwner() == &kernel.getBlock() &&
           (!isa<loop::BufferType>(input.getType()) ||
            kernel.getBinding(argument.getArgNumber()).getReadonly());
  };
  auto isScalar = [](Value input) { return !isa<loop::BufferType>(input.getType()); };
  auto isEarlier = [&](Value value) {
    Operation *source = value.getDefiningOp();
    return !source || source->getBlock() != op.getBlock() || source->isBeforeInBlock(&before);
  };
  auto isFirst = [&](Value output) {
    auto buffer = output.getDefiningOp<loop::BufferOp>();
    return buffer && buffer.getType().getSpace() == MemoryType::Register &&
           llvm::none_of(output.getUsers(), [&](Operation *user) {
             Operation *own = op.getBlock()->findAncestorOpInBlock(*user);
             return own && own != &op && own->isBeforeInBlock(&op);
           });
  };
  return llvm::any_of(tile.getInputs(), isReadonly) &&
         llvm::all_of(tile.getInputs(),
                      [&](Value input) { return isScalar(input) || isReadonly(input); }) &&
         llvm::all_of(op.getOperands(), isEarlier) && llvm::all_of(tile.getOutputs(), isFirst);
}

/// Reads of arguments whose guards alternate (elements of windows, of which some leave the
/// argument) move to the first of them, those with one guard next to each other: they share a
/// branch, in which loads of adjacent elements can be merged. The weakest guard is first: the other
/// branches are inside of its own.
void GuardPlacer::groupReads(Block &block) {
  SmallVector<std::pair<Guard, SmallVector<Operation *>>> groups;
  Operation *first = nullptr;
  std::optional<size_t> last;
  bool isAlternating = false;
  for (Operation &op : block) {
    const std::optional<GuardedItem> item = items.lookup(&op);
    if (!item || !item->needsGuard || !isMovable(op, first ? *first : op))
      continue;
    first = first ? first : &op;
    auto *group =
        llvm::find_if(groups, [&](const auto &each) { return isSame(each.first, item->guard); });
    const size_t number = group - groups.begin();
    if (group == groups.end())
      groups.push_back({item->guard, {}});
    groups[number].second.push_back(&op);
    isAlternating |= last && number != *last;
    last = number;
  }
  if (!isAlternating)
    return;
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(groups.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(groups[a].first.constraints.size(), a) <
           std::pair(groups[b].first.constraints.size(), b);
  });
  // Lanes with a condition of their own end a run of loads.
  auto hasCondition = [](Operation *op) {
    return llvm::any_of(cast<loop::TileOp>(op).getReads(), [](Attribute read) {
      auto access = dyn_cast<loop::AccessAttr>(read);
      return access && !access.getGuard().getKinds().empty();
    });
  };
  Operation *before = first->getPrevNode();
  SmallVector<Operation *> reads;
  for (size_t number : order)
    for (bool condition : {false, true})
      llvm::copy_if(groups[number].second, std::back_inserter(reads),
                    [&](Operation *op) { return hasCondition(op) == condition; });
  for (Operation *op : reads) {
    if (before)
      op->moveAfter(before);
    else
      op->moveBefore(&block, block.begin());
    before = op;
  }
}

/// What a guard has to check inside of a branch, if that has checked a part of it.
std::optional<Constraints> GuardPlacer::getRest(const Guard &guard, const Guard &given) const {
  if (guard.once != given.once || guard.constraints.size() <= given.constraints.size())
    return std::nullopt;
  auto isIn = [&](const Constraint &each, const Constraints &others) {
    return llvm::any_of(others, [&](const Constraint &other) { return facts.isSame(each, other); });
  };
  if (!llvm::all_of(given.constraints,
                    [&](const Constraint &each) { return isIn(each, guard.constraints); }))
    return std::nullopt;
  Constraints rest = guard.constraints;
  llvm::erase_if(rest, [&](const Constraint &each) { return isIn(each, given.constraints); });
  return rest;
}

/// Items in a row that have one guard share one branch, and those that need more have a branch in
/// it. Tiles on registers run unguarded, but stay in a branch where their own guard holds.
void GuardPlacer::place(Block &block) {
  groupReads(block);
  loop::IfOp open, inner;
  Guard openGuard, innerGuard;
  auto begin = [&](OpBuilder builder, Location loc, const Constraints &constraints,
                   loop::ParallelTypesAttr once) {
    return createIf(builder, loc, constraints, once,
                    [&](AffineExpr leaf) { return facts.getValue(leaf); });
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isUnguarded(op)) {
      if (open)
        op.moveBefore(open);
      continue;
    }
    const std::optional<GuardedItem> &item = items[&op];
    const bool isOpen = item && open && isSame(openGuard, item->guard);
    if (std::optional<Constraints> rest =
            item && open && item->needsGuard ? getRest(item->guard, openGuard) : std::nullopt) {
      if (!inner || !isSame(innerGuard, item->guard)) {
        innerGuard = item->guard;
        inner = begin(OpBuilder::atBlockEnd(&open.getBlock()), op.getLoc(), *rest,
                      loop::ParallelTypesAttr::get(kernel.getContext(), {}));
      }
      op.moveBefore(&inner.getBlock(), inner.getBlock().end());
      continue;
    }
    inner = {};
    if (item && !item->guard.empty() && (item->needsGuard || isOpen)) {
      if (!isOpen) {
        openGuard = item->guard;
        open = begin(OpBuilder(&op), op.getLoc(), openGuard.constraints, openGuard.once);
      }
      op.moveBefore(&open.getBlock(), open.getBlock().end());
      continue;
    }
    open = {};
    if (auto loop = dyn_cast<loop::ForOp>(op))
      place(loop.getBlock());
    else if (isa<loop::IfOp, loop::RolesOp>(op))
      for (Region &version : op.getRegions())
        for (Block &inner : version)
          place(inner);
  }
}

void GuardPlacer::run() {
  guardAll(kernel.getBlock());
  unswitchLoops();
  analyze(kernel.getBlock());
  place(kernel.getBlock());
  kernel.walk([&](loop::TileOp tile) {
    AffineMap roots = tile.getRoots();
    tile.setGuardAttr(loop::ConstraintsAttr::getEmpty(tile.getContext(), roots.getNumDims(),
                                                      roots.getNumSymbols()));
    tile.setOnceAttr(loop::ParallelTypesAttr::get(tile.getContext(), {}));
  });
  auto clear = [](auto op) {
    AffineMap place = op.getPlace();
    op.setGuardAttr(loop::ConstraintsAttr::getEmpty(op.getContext(), place.getNumDims(),
                                                    place.getNumSymbols()));
  };
  kernel.walk([&](loop::AwaitOp await) { clear(await); });
  kernel.walk([&](loop::PublishOp publish) { clear(publish); });
  kernel.setStage(loop::Stage::Guarded);
}

void fuser::placeGuards(loop::KernelOp kernel) {
  if (kernel.getStage() == loop::Stage::Accessed)
    GuardPlacer(kernel).run();
}

namespace {
struct PlaceGuards : fuser::impl::FuserPlaceGuardsBase<PlaceGuards> {
  using FuserPlaceGuardsBase::FuserPlaceGuardsBase;

  void runOnOperation() override { placeGuards(getOperation()); }
};
} // namespace
