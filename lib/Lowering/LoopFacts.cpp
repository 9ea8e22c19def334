//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the text of a kernel states of its index values, and what follows from it.
//
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;
using loop::AccessAttr;
using loop::ConstraintKind;
using loop::ConstraintsAttr;

LoopFacts::LoopFacts(loop::KernelOp kernel)
    : context(kernel.getContext()), symbols(kernel.getSymbols()) {
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    AffineExpr expr = exprOf[symbol] = getAffineSymbolExpr(number, context);
    Attribute source = kernel.getBinding(cast<BlockArgument>(symbol).getArgNumber()).getSource();
    if (isa<kernel_ir::SizeAttr>(source))
      facts.addRange(expr, {0, IntegerRange::kUnboundedAbove});
  }
  for (const Constraint &constraint : lift(kernel.getAssumptions(), symbols))
    assume(constraint);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<loop::ForOp>(op))
      addRange(loop);
    else if (auto index = dyn_cast<loop::XorOp>(op))
      addRange(index);
  });
  kernel.walk([&](Operation *op) {
    if (isa<loop::IsLastOp, loop::HoldsOp>(op))
      facts.addRange(getExpr(op->getResult(0)), {0, 1});
  });
}

void LoopFacts::addRange(loop::ForOp loop) {
  IntegerRange range = getRange(getExtent(loop));
  if (loop.getStaticBound())
    range.upper = std::min(range.upper, *loop.getStaticBound());
  if (range.upper != IntegerRange::kUnboundedAbove)
    range.upper = std::max<int64_t>(range.upper - 1, 0);
  const AffineExpr variable = getExpr(loop.getInductionVar()), extent = getExtent(loop);
  facts.addRange(variable, {0, range.upper});
  if (!isa<AffineConstantExpr>(extent))
    extents[variable] = extent;
}

/// No bit is set that neither term may have.
void LoopFacts::addRange(loop::XorOp index) {
  int64_t upper = 0;
  for (AffineExpr term : index.getTerms().getResults()) {
    const IntegerRange range =
        getRange(lift(term, index.getIndices(), index.getTerms().getNumDims()));
    if (range.lower < 0 || range.upper >= int64_t(1) << 62)
      return;
    upper = std::max(upper, range.upper);
  }
  facts.addRange(getExpr(index.getResult()), {0, int64_t(llvm::NextPowerOf2(upper)) - 1});
}

AffineExpr LoopFacts::getExpr(Value index) {
  AffineExpr &expr = exprOf[index];
  if (!expr) {
    expr = getAffineDimExpr(dims.size(), context);
    dims.push_back(index);
  }
  return expr;
}

Value LoopFacts::getValue(AffineExpr leaf) const {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(leaf))
    return symbols[symbol.getPosition()];
  return dims[cast<AffineDimExpr>(leaf).getPosition()];
}

AffineExpr LoopFacts::addDim(IntegerRange range, int64_t divisor) {
  AffineExpr expr = getAffineDimExpr(dims.size(), context);
  dims.push_back({});
  facts.addRange(expr, range);
  facts.addDivisor(expr, divisor);
  return expr;
}

AffineExpr LoopFacts::lift(AffineExpr expr, ValueRange indices, unsigned numDims) {
  if (isa<AffineConstantExpr>(expr))
    return expr;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getExpr(indices[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getExpr(indices[numDims + symbol.getPosition()]);
  SmallVector<AffineExpr> exprs =
      llvm::map_to_vector(indices, [&](Value index) { return getExpr(index); });
  return expr.replaceDimsAndSymbols(ArrayRef(exprs).take_front(numDims),
                                    ArrayRef(exprs).drop_front(numDims));
}

Constraints LoopFacts::lift(ConstraintsAttr constraints, ValueRange indices) {
  const unsigned numDims = constraints.getBounds().getNumDims();
  Constraints lifted;
  for (auto [number, kind] : llvm::enumerate(constraints.getKinds()))
    lifted.push_back({kind, lift(constraints.getLhs(number), indices, numDims),
                      lift(constraints.getRhs(number), indices, numDims)});
  return lifted;
}

AccessExprs LoopFacts::lift(AccessAttr access, ValueRange indices) {
  AccessExprs exprs;
  for (AffineExpr result : access.getMap().getResults())
    exprs.results.push_back(lift(result, indices, access.getMap().getNumDims()));
  exprs.guard = lift(access.getGuard(), indices);
  exprs.chunk = access.getChunk();
  exprs.alignment = access.getAlignment();
  exprs.clamped = access.getClamped();
  exprs.kept = access.getKept();
  exprs.follows.assign(access.getFollows().getTypes().begin(),
                       access.getFollows().getTypes().end());
  return exprs;
}

TileExprs LoopFacts::lift(loop::TileOp tile) {
  ValueRange indices = tile.getIndices();
  TileExprs exprs;
  for (Attribute access : tile.getReads()) {
    exprs.reads.emplace_back();
    if (auto read = dyn_cast<AccessAttr>(access))
      exprs.reads.back() = lift(read, indices);
  }
  for (AccessAttr access : tile.getWrites().getAsRange<AccessAttr>())
    exprs.writes.push_back(lift(access, indices));
  for (AffineExpr root : tile.getRoots().getResults())
    exprs.roots.push_back(lift(root, indices, tile.getNumDims()));
  exprs.guard = lift(tile.getGuard(), indices);
  return exprs;
}

AffineExpr LoopFacts::getExtent(loop::ForOp loop) {
  return lift(loop.getExtentExpr(), loop.getIndices(), loop.getExtent().getNumDims());
}

int64_t LoopFacts::getDivisor(AffineExpr expr) const {
  const int64_t divisor = facts.getDivisor(expr);
  const AffineExpr form = facts.normalize(expr);
  const int64_t normal = form == expr ? divisor : facts.getDivisor(form);
  return divisor == 0 || normal == 0 ? 0 : std::max(divisor, normal);
}

IntegerRange LoopFacts::getRange(AffineExpr expr) const {
  const IntegerRange range = facts.getRange(expr);
  const AffineExpr normal = facts.normalize(expr);
  return normal == expr ? range : range.intersect(facts.getRange(normal));
}

std::optional<int64_t> LoopFacts::getConstant(AffineExpr expr) const {
  IntegerRange range = getRange(expr);
  return range.isConstant() ? std::optional(range.lower) : std::nullopt;
}

/// Splits a sum into its terms.
static void getTerms(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
  if (expr.getKind() != AffineExprKind::Add)
    return terms.push_back(expr);
  auto sum = cast<AffineBinaryOpExpr>(expr);
  getTerms(sum.getLHS(), terms);
  getTerms(sum.getRHS(), terms);
}

/// What a leaf is multiplied by in a product of other factors; null if it is none.
static AffineExpr getFactor(AffineExpr term, AffineExpr leaf) {
  if (term == leaf)
    return getAffineConstantExpr(1, term.getContext());
  if (term.getKind() != AffineExprKind::Mul)
    return {};
  auto product = cast<AffineBinaryOpExpr>(term);
  const AffineExpr lhs = product.getLHS(), rhs = product.getRHS();
  const bool isLeft = lhs.isFunctionOfDim(cast<AffineDimExpr>(leaf).getPosition());
  const AffineExpr factor = getFactor(isLeft ? lhs : rhs, leaf), other = isLeft ? rhs : lhs;
  return factor && !other.isFunctionOfDim(cast<AffineDimExpr>(leaf).getPosition()) ? factor * other
                                                                                   : AffineExpr();
}

/// The lower bound of a sum that decreases as the variables of some loops increase, whose extents
/// are not constants: where each has its last value. The extent is often what the rest of the sum
/// is about, so that both cancel.
int64_t LoopFacts::getLeastAtEnds(AffineExpr expr) const {
  SmallVector<AffineExpr> terms;
  getTerms(facts.normalize(expr), terms);
  ExprReplacement ends;
  for (const auto &loop : extents) {
    const AffineExpr variable = loop.first, extent = loop.second;
    const unsigned position = cast<AffineDimExpr>(variable).getPosition();
    const bool decreases = llvm::all_of(terms, [&](AffineExpr term) {
      if (!term.isFunctionOfDim(position))
        return true;
      const AffineExpr factor = getFactor(term, variable);
      return factor && getRange(factor).upper <= 0;
    });
    if (decreases)
      ends[variable] = extent - 1;
  }
  return ends.empty() ? IntegerRange::kUnboundedBelow : getRange(expr.replace(ends)).lower;
}

bool LoopFacts::isProved(const Constraint &constraint) const {
  const AffineExpr lhs = constraint.lhs, rest = constraint.rhs - lhs;
  if (constraint.kind != ConstraintKind::Less)
    return lhs == constraint.rhs;
  return getRange(lhs).lower >= 0 && (getRange(rest).lower > 0 || getLeastAtEnds(rest) > 0);
}

bool LoopFacts::isSame(const Constraint &a, const Constraint &b) const {
  return a.kind == b.kind && a.lhs == b.lhs && (a.rhs == b.rhs || facts.isEqual(a.rhs, b.rhs));
}

bool fuser::runsBeyond(loop::ForOp loop, LoopFacts &facts) {
  auto kernel = loop->getParentOfType<loop::KernelOp>();
  const ParallelType type = loop.getType();
  std::optional<int64_t> extent = loop.getConstantExtent();
  if (isThreadType(type)) {
    const unsigned axis = unsigned(type) - unsigned(ParallelType::ThreadX);
    return extent != (*kernel.getThreads())[axis];
  }
  if (type == ParallelType::ClusterX)
    return extent != kernel.getClusterBlocks();
  if (isBlockType(type)) {
    const unsigned axis = unsigned(type) - unsigned(ParallelType::BlockX);
    return !facts.get().isEqual(facts.getExtent(loop), kernel.getGrid()->getResult(axis));
  }
  return type == ParallelType::Unroll && !extent;
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

/// Beyond it, a lower bound is no help and its negation may overflow.
static constexpr int64_t kMaxAssumed = int64_t(1) << 62;

Constraints fuser::getAssumptions(const SymbolFacts &facts, MLIRContext *context) {
  auto constant = [&](int64_t value) { return getAffineConstantExpr(value, context); };
  Constraints constraints;
  for (const SymbolFacts::Known &known : facts.getKnown()) {
    const AffineExpr expr = known.expr;
    if (isa<AffineConstantExpr>(expr))
      continue;
    if (known.divisor > 1)
      constraints.push_back(Constraint::equal(expr % known.divisor, constant(0)));
    const auto [lower, upper] = known.range;
    // An upper bound implies that the expression is not negative.
    if (lower >= 0 && upper < IntegerRange::kUnboundedAbove)
      constraints.push_back(Constraint::less(expr, constant(upper + 1)));
    const bool isImplied =
        lower == 0 && (upper < IntegerRange::kUnboundedAbove || !isa<AffineBinaryOpExpr>(expr));
    if (lower > -kMaxAssumed && lower < kMaxAssumed && !isImplied)
      constraints.push_back(Constraint::less(constant(0), expr + (1 - lower)));
  }
  return constraints;
}

void LoopFacts::assume(const Constraint &constraint) {
  const AffineExpr lhs = constraint.lhs, rhs = constraint.rhs;
  auto binary = dyn_cast<AffineBinaryOpExpr>(constraint.kind == ConstraintKind::Equal ? lhs : rhs);
  auto constant = dyn_cast_if_present<AffineConstantExpr>(binary ? binary.getRHS() : AffineExpr());
  if (constraint.kind == ConstraintKind::Equal) {
    if (constant && constant.getValue() > 0 && binary.getKind() == AffineExprKind::Mod &&
        rhs == getAffineConstantExpr(0, context))
      facts.addDivisor(binary.getLHS(), constant.getValue());
    return;
  }
  if (auto bound = dyn_cast<AffineConstantExpr>(rhs))
    facts.addRange(lhs, {0, bound.getValue() - 1});
  if (lhs != getAffineConstantExpr(0, context))
    return;
  // 0 < expr + c
  const bool isSum = constant && binary.getKind() == AffineExprKind::Add;
  facts.addRange(isSum ? binary.getLHS() : rhs,
                 {isSum ? 1 - constant.getValue() : 1, IntegerRange::kUnboundedAbove});
}
