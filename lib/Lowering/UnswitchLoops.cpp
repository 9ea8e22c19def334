//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UnswitchLoops.h"
#include "ScheduledOp.h"

using namespace mlir;
using namespace fuser;

static constexpr ParallelType kHardwareTypes[] = {
    ParallelType::BlockX,  ParallelType::BlockY,  ParallelType::BlockZ,  ParallelType::ClusterX,
    ParallelType::ThreadX, ParallelType::ThreadY, ParallelType::ThreadZ,
};

namespace {
/// The largest or smallest value of an expression: value - minus. Neither has terms below 0 that
/// the expression does not have: `minus` is 1 for the last index of a loop that may have none.
struct Bound {
  AffineExpr value, minus;
};

/// Constraints of what is in a loop or branch, as constraints over the indices around it.
class OuterConstraints {
public:
  /// `opensLoops`: a hardware index that no loop around `root` has is a dimension without value.
  OuterConstraints(Operation *root, LoopFacts &facts, bool opensLoops)
      : root(root), facts(facts), zero(getAffineConstantExpr(0, root->getContext())),
        opensLoops(opensLoops) {}

  /// Constraints that suffice for all indices of the loops within; none if it is not known which.
  std::optional<Constraints> get(const Constraint &constraint);
  /// True if the constraint is the same for all indices of the loops within.
  bool isFixed(const Constraint &constraint) {
    return !varies(moveOut(constraint.lhs)) && !varies(moveOut(constraint.rhs));
  }
  /// The dimension without value of a hardware type; null if none was used.
  AffineExpr getOpened(ParallelType type) const { return opened.lookup(unsigned(type)); }

private:
  bool isInner(AffineExpr leaf) const;
  bool varies(AffineExpr expr) const;
  AffineExpr getHardwareIndex(ParallelType type);
  AffineExpr moveOut(AffineExpr expr);
  std::optional<Bound> getBound(AffineExpr expr, bool isUpper);
  std::optional<Bound> deriveBound(AffineExpr expr, bool isUpper);
  std::optional<Bound> getLeafBound(AffineExpr leaf, bool isUpper);
  std::optional<Bound> getProductBound(AffineBinaryOpExpr product, bool isUpper);
  std::optional<Bound> getQuotientBound(AffineBinaryOpExpr quotient, bool isUpper);
  std::optional<Bound> getRemainderBound(AffineBinaryOpExpr remainder, bool isUpper);
  Bound cancel(Bound bound) const;

  AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, root->getContext());
  }

  Operation *root;
  LoopFacts &facts;
  AffineExpr zero;
  bool opensLoops;
  llvm::DenseMap<unsigned, AffineExpr> opened;
};
} // namespace

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// True for an index of a loop, or of an op, within.
bool OuterConstraints::isInner(AffineExpr leaf) const {
  if (!isa<AffineDimExpr>(leaf))
    return false;
  Value value = facts.getValue(leaf);
  return value && root->isAncestor(value.getParentRegion()->getParentOp());
}

bool OuterConstraints::varies(AffineExpr expr) const {
  return expr
      .walk([&](AffineExpr part) {
        return isInner(part) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static loop::ForOp getLoop(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  return argument ? dyn_cast<loop::ForOp>(argument.getOwner()->getParentOp()) : loop::ForOp();
}

/// The index of the thread or block from a loop around; null if there is none.
AffineExpr OuterConstraints::getHardwareIndex(ParallelType type) {
  for (auto loop = root->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (loop.getType() == type)
      return facts.getExpr(loop.getInductionVar());
  if (!opensLoops)
    return {};
  AffineExpr &index = opened[unsigned(type)];
  if (!index)
    index = facts.addDim({0, IntegerRange::kUnboundedAbove}, /*divisor=*/1);
  return index;
}

/// The expression with hardware indices from loops around.
AffineExpr OuterConstraints::moveOut(AffineExpr expr) {
  llvm::DenseMap<AffineExpr, AffineExpr> replacement;
  expr.walk([&](AffineExpr part) {
    loop::ForOp loop = isInner(part) ? getLoop(facts.getValue(part)) : loop::ForOp();
    if (!loop || !isHardwareType(loop.getType()))
      return;
    if (AffineExpr index = getHardwareIndex(loop.getType()))
      replacement[part] = index;
  });
  return expr.replace(replacement);
}

/// Subtracts constants from each other.
Bound OuterConstraints::cancel(Bound bound) const {
  auto minus = dyn_cast<AffineConstantExpr>(bound.minus);
  if (!minus)
    return bound;
  const AffineExpr difference = bound.value - minus.getValue();
  if (auto constant = dyn_cast<AffineConstantExpr>(difference); constant && constant.getValue() < 0)
    return {zero, -constant};
  auto sum = dyn_cast<AffineBinaryOpExpr>(difference);
  if (!sum || difference.getKind() != AffineExprKind::Add)
    return {difference, zero};
  auto last = dyn_cast<AffineConstantExpr>(sum.getRHS());
  return last && last.getValue() < 0 ? Bound{sum.getLHS(), -sum.getRHS()} : Bound{difference, zero};
}

/// By the form of the expression or, if that tells nothing, by its range.
std::optional<Bound> OuterConstraints::getBound(AffineExpr expr, bool isUpper) {
  if (!varies(expr))
    return Bound{expr, zero};
  if (std::optional<Bound> bound = deriveBound(expr, isUpper))
    return cancel(*bound);
  const IntegerRange range = facts.getRange(expr);
  if (range.lower < 0 || (isUpper && range.upper == IntegerRange::kUnboundedAbove))
    return std::nullopt;
  return Bound{constant(isUpper ? range.upper : range.lower), zero};
}

std::optional<Bound> OuterConstraints::deriveBound(AffineExpr expr, bool isUpper) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return getLeafBound(expr, isUpper);
  switch (expr.getKind()) {
  case AffineExprKind::Add: {
    std::optional<Bound> lhs = getBound(binary.getLHS(), isUpper),
                         rhs = getBound(binary.getRHS(), isUpper);
    if (!lhs || !rhs)
      return std::nullopt;
    return Bound{lhs->value + rhs->value, lhs->minus + rhs->minus};
  }
  case AffineExprKind::Mul:
    return getProductBound(binary, isUpper);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return getQuotientBound(binary, isUpper);
  case AffineExprKind::Mod:
    return getRemainderBound(binary, isUpper);
  default:
    return std::nullopt;
  }
}

/// The first or last iteration of a loop; the last copy of one that is written out.
std::optional<Bound> OuterConstraints::getLeafBound(AffineExpr leaf, bool isUpper) {
  loop::ForOp loop = getLoop(facts.getValue(leaf));
  if (!loop || isHardwareType(loop.getType()))
    return std::nullopt;
  if (!isUpper)
    return Bound{zero, zero};
  if (loop.isWrittenOut()) {
    const int64_t copies = *loop.getStaticBound();
    return copies < 1 ? std::nullopt : std::optional(Bound{constant(copies - 1), zero});
  }
  std::optional<Bound> extent = getBound(moveOut(facts.getExtent(loop)), /*isUpper=*/true);
  return extent ? std::optional(Bound{extent->value, extent->minus + 1}) : std::nullopt;
}

std::optional<Bound> OuterConstraints::getProductBound(AffineBinaryOpExpr product, bool isUpper) {
  AffineExpr varying = product.getLHS(), factor = product.getRHS();
  if (varies(factor))
    std::swap(varying, factor);
  if (varies(factor))
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(factor);
  const bool isNegative = constant && constant.getValue() < 0;
  if (!isNegative && facts.getRange(factor).lower < 0)
    return std::nullopt;
  std::optional<Bound> bound = getBound(varying, isUpper != isNegative);
  if (!bound)
    return std::nullopt;
  return isNegative ? Bound{bound->minus * -factor, bound->value * -factor}
                    : Bound{bound->value * factor, bound->minus * factor};
}

/// (v - m) floordiv d = (v + d - m) floordiv d - 1
std::optional<Bound> OuterConstraints::getQuotientBound(AffineBinaryOpExpr quotient, bool isUpper) {
  const AffineExpr divisor = quotient.getRHS();
  std::optional<Bound> bound =
      varies(divisor) ? std::nullopt : getBound(quotient.getLHS(), isUpper);
  if (!bound)
    return std::nullopt;
  const AffineExpr value = bound->value;
  if (bound->minus == zero)
    return Bound{getAffineBinaryOpExpr(quotient.getKind(), value, divisor), zero};
  if (!isUpper)
    return std::nullopt;
  if (quotient.getKind() == AffineExprKind::CeilDiv)
    return Bound{value.ceilDiv(divisor), zero};
  auto minus = dyn_cast<AffineConstantExpr>(bound->minus);
  auto factor = dyn_cast<AffineConstantExpr>(divisor);
  if (!minus || minus.getValue() < 1)
    return std::nullopt;
  // At most what it is for m = 1.
  if (!factor)
    return Bound{value.ceilDiv(divisor), constant(1)};
  if (factor.getValue() < 1)
    return std::nullopt;
  const int64_t whole = (minus.getValue() - 1) / factor.getValue() + 1;
  return Bound{(value + (whole * factor.getValue() - minus.getValue())).floorDiv(divisor),
               constant(whole)};
}

/// A remainder does not grow with the dividend.
std::optional<Bound> OuterConstraints::getRemainderBound(AffineBinaryOpExpr remainder,
                                                         bool isUpper) {
  const AffineExpr dividend = remainder.getLHS(), divisor = remainder.getRHS();
  const IntegerRange range = facts.getRange(dividend);
  if (range.lower >= 0 && range.upper < facts.getRange(divisor).lower)
    return getBound(dividend, isUpper);
  if (!isUpper)
    return Bound{zero, zero};
  return varies(divisor) ? std::nullopt : std::optional(Bound{divisor, constant(1)});
}

std::optional<Constraints> OuterConstraints::get(const Constraint &constraint) {
  const AffineExpr lhs = moveOut(constraint.lhs), rhs = moveOut(constraint.rhs);
  if (!varies(lhs) && !varies(rhs))
    return Constraints{{constraint.kind, lhs, rhs}};
  // One index is equal to a number, of several.
  if (constraint.kind != loop::ConstraintKind::Less)
    return std::nullopt;
  std::optional<Bound> last = getBound(lhs, /*isUpper=*/true), end = getBound(rhs, false);
  if (!last || !end || end->minus != zero)
    return std::nullopt;
  Constraints sufficient = {Constraint::less(last->value - last->minus, end->value)};
  if (facts.getRange(constraint.lhs).lower >= 0)
    return sufficient;
  // An index below 0 is not less than anything.
  std::optional<Bound> first = getBound(lhs, /*isUpper=*/false);
  if (!first)
    return std::nullopt;
  sufficient.push_back(Constraint::less(first->value - first->minus, end->value));
  return sufficient;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

bool fuser::isImpliedByBranches(const Constraint &constraint, loop::TileOp tile, LoopFacts &facts) {
  Region *version = tile->getParentRegion();
  for (; version; version = version->getParentRegion()) {
    auto branch = dyn_cast<loop::IfOp>(version->getParentOp());
    if (!branch || version != &branch.getBody())
      continue;
    std::optional<Constraints> sufficient =
        OuterConstraints(branch, facts, /*opensLoops=*/false).get(constraint);
    const Constraints given = facts.lift(branch.getGuard(), branch.getIndices());
    // A guard that nothing was moved out of is not proved: the range of a loop is no fact for
    // threads beyond it.
    auto holds = [&](const Constraint &each) {
      return (!facts.isSame(each, constraint) && facts.isProved(each)) ||
             llvm::any_of(given,
                          [&](const Constraint &other) { return facts.isSame(each, other); });
    };
    if (sufficient && llvm::all_of(*sufficient, holds))
      return true;
  }
  return false;
}

/// True if threads execute some op of the loop together.
static bool hasConvergentOps(loop::ForOp loop) {
  return loop
      .walk([](Operation *op) {
        auto tile = dyn_cast<loop::TileOp>(op);
        return isa<loop::BarrierOp, loop::ClusterBarrierOp, loop::LastBlockOp, loop::WaitPhaseOp>(
                   op) ||
                       (tile && tile.isConvergent())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if the tile must not run where its element does not exist: data that it reads neither.
static bool needsGuard(loop::TileOp tile) {
  return tile.needsGuard() || llvm::any_of(tile.getIndices(), [](Value index) {
           return isa_and_present<loop::IndexOp, loop::XorOp>(index.getDefiningOp());
         });
}

/// What suffices for the guards of all tiles in the loop. Equalities select some threads or
/// iterations, so that they stay guards.
static Constraints getCondition(loop::ForOp loop, OuterConstraints &outer, LoopFacts &facts,
                                function_ref<Constraints(loop::TileOp)> getGuard) {
  Constraints condition;
  auto add = [&](const Constraint &constraint, const Constraint &guard) {
    // A guard as it was is not proved: that it is inside of a loop of threads.
    if (!facts.isSame(constraint, guard) && facts.isProved(constraint))
      return;
    if (llvm::none_of(condition,
                      [&](const Constraint &other) { return facts.isSame(constraint, other); }))
      condition.push_back(constraint);
  };
  loop.walk([&](loop::TileOp tile) {
    if (!needsGuard(tile))
      return;
    for (const Constraint &constraint : getGuard(tile))
      if (constraint.kind == loop::ConstraintKind::Less)
        if (std::optional<Constraints> sufficient = outer.get(constraint))
          for (const Constraint &each : *sufficient)
            add(each, constraint);
  });
  return condition;
}

/// True if no tile of the loop runs unless all of the condition holds.
static bool isGuardOfAll(const Constraints &condition, loop::ForOp loop, OuterConstraints &outer,
                         LoopFacts &facts, function_ref<Constraints(loop::TileOp)> getGuard) {
  WalkResult result = loop.walk([&](loop::TileOp tile) {
    Constraints fixed;
    for (const Constraint &constraint : getGuard(tile))
      if (outer.isFixed(constraint))
        fixed.append(*outer.get(constraint));
    const bool isGuard = llvm::all_of(condition, [&](const Constraint &each) {
      return llvm::any_of(fixed,
                          [&](const Constraint &other) { return facts.isSame(each, other); });
    });
    return isGuard ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// The indices of a hardware type that the launch has.
static AffineExpr getLaunched(loop::KernelOp kernel, ParallelType type) {
  MLIRContext *context = kernel.getContext();
  if (type == ParallelType::ClusterX)
    return getAffineConstantExpr(kernel.getClusterBlocks(), context);
  if (isThreadType(type))
    return getAffineConstantExpr(
        (*kernel.getThreads())[unsigned(type) - unsigned(ParallelType::ThreadX)], context);
  return kernel.getGrid()->getResult(unsigned(type) - unsigned(ParallelType::BlockX));
}

bool fuser::isInSecondVersion(Operation *op) {
  for (Region *region = op->getParentRegion(); region; region = region->getParentRegion())
    if (auto branch = dyn_cast<loop::IfOp>(region->getParentOp());
        branch && region == &branch.getOtherwise())
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Versions of loads
//===----------------------------------------------------------------------===//

/// From so many lanes of computed tiles on, the guard of a copy is cheap compared with the copy.
static constexpr int64_t kLeastLanes = 64;

static bool readsArguments(loop::TileOp tile) { return llvm::any_of(tile.getInputs(), isGlobal); }

/// True if all tiles of the loop move elements of arguments to registers.
static bool isOfLoads(loop::ForOp loop) {
  return !loop.walk([](loop::TileOp tile) {
                const bool isLoad =
                    !tile.getElementOp() && tile.getStep() == loop::TileStep::Element &&
                    readsArguments(tile) &&
                    cast<loop::BufferType>(tile.getOutputs().front().getType()).isPrivate();
                return isLoad ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// True if an unrolled loop computes much from registers.
static bool computesMuch(loop::ForOp loop) {
  if (loop.getType() != ParallelType::Unroll || loop.getConstantExtent().value_or(0) < 2)
    return false;
  int64_t lanes = 0;
  WalkResult result = loop.walk([&](loop::TileOp tile) {
    lanes += tile.getElementOp() ? tile.getWidth() : 0;
    return readsArguments(tile) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted() && lanes >= kLeastLanes;
}

/// Else the conversion of an element that only one version loads would be done in that version, and
/// its result stay in wider registers until it is used.
static void keepReads(loop::ForOp loop, const llvm::SmallDenseSet<Value, 4> &loaded,
                      LoopFacts &facts) {
  loop.walk([&](loop::TileOp tile) {
    TileExprs exprs = facts.lift(tile);
    bool isChanged = false;
    for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
      if (loaded.contains(input))
        isChanged = access->kept = true;
    if (isChanged)
      setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  });
}

/// Where one loop computes much from what those before it have loaded, the loop around them gets no
/// second version of what it computes: a loop around the loads is unswitched in its place.
static bool splitLoads(loop::ForOp loop, LoopFacts &facts) {
  auto last =
      loop.getBlock().empty() ? loop::ForOp() : dyn_cast<loop::ForOp>(loop.getBlock().back());
  if (loop.getType() != ParallelType::Unroll || loop.getConstantExtent() != 1 || !last ||
      !computesMuch(last))
    return false;
  SmallVector<Operation *> loads;
  for (Operation &op : loop.getBlock()) {
    if (isa<loop::BufferOp>(op) || &op == last)
      continue;
    auto each = dyn_cast<loop::ForOp>(op);
    if (!each || !isOfLoads(each))
      return false;
    loads.push_back(each);
  }
  if (loads.empty())
    return false;
  OpBuilder builder(last);
  auto around =
      createFor(builder, loop.getLoc(), getAffineConstantExpr(1, loop.getContext()),
                ParallelType::Unroll, /*bound=*/std::nullopt, [](AffineExpr) { return Value(); });
  around.setUnswitch(true);
  llvm::SmallDenseSet<Value, 4> loaded;
  for (Operation *each : loads) {
    each->moveBefore(&around.getBlock(), around.getBlock().end());
    each->walk([&](loop::TileOp tile) {
      loaded.insert(tile.getOutputs().begin(), tile.getOutputs().end());
    });
  }
  keepReads(last, loaded, facts);
  return true;
}

bool fuser::unswitchLoop(loop::ForOp loop, LoopFacts &facts,
                         function_ref<Constraints(loop::TileOp)> getGuard) {
  loop.setUnswitch(false);
  if (hasConvergentOps(loop))
    return false;
  OuterConstraints outer(loop, facts, /*opensLoops=*/true);
  const Constraints condition = getCondition(loop, outer, facts, getGuard);
  if (condition.empty())
    return false;
  const bool hasElse = !isGuardOfAll(condition, loop, outer, facts, getGuard);
  if (hasElse && splitLoads(loop, facts))
    return true;
  OpBuilder builder(loop);
  llvm::DenseMap<AffineExpr, Value> valueOf;
  auto getValue = [&](AffineExpr leaf) {
    Value opened = valueOf.lookup(leaf);
    return opened ? opened : facts.getValue(leaf);
  };
  // The condition names the threads of loops within.
  auto kernel = loop->getParentOfType<loop::KernelOp>();
  for (ParallelType type : kHardwareTypes) {
    const AffineExpr index = outer.getOpened(type);
    auto isUsed = [&](const Constraint &constraint) {
      const unsigned dim = cast<AffineDimExpr>(index).getPosition();
      return constraint.lhs.isFunctionOfDim(dim) || constraint.rhs.isFunctionOfDim(dim);
    };
    if (!index || llvm::none_of(condition, isUsed))
      continue;
    auto around = createFor(builder, loop.getLoc(), getLaunched(kernel, type), type,
                            /*bound=*/std::nullopt, getValue);
    valueOf[index] = around.getInductionVar();
    builder.setInsertionPointToEnd(&around.getBlock());
  }
  auto branch = createIf(builder, loop.getLoc(), condition,
                         loop::ParallelTypesAttr::get(kernel.getContext(), {}), getValue);
  loop->moveBefore(&branch.getBlock(), branch.getBlock().end());
  if (!hasElse)
    return true;
  builder.setInsertionPointToEnd(&branch.getOtherwise().emplaceBlock());
  builder.clone(*loop);
  return true;
}
