//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;
using loop::AccessAttr;
using loop::ConstraintKind;
using loop::ConstraintsAttr;

//===----------------------------------------------------------------------===//
// OperandNumbering
//===----------------------------------------------------------------------===//

/// The expression of a leaf over the operands.
AffineExpr OperandNumbering::addLeaf(AffineExpr leaf) {
  auto dim = dyn_cast<AffineDimExpr>(leaf);
  const unsigned position = dim ? dim.getPosition() : cast<AffineSymbolExpr>(leaf).getPosition();
  SmallVectorImpl<AffineExpr> &numbers = dim ? dimOf : symbolOf;
  SmallVectorImpl<Value> &values = dim ? dims : symbols;
  if (numbers.size() <= position)
    numbers.resize(position + 1, getAffineConstantExpr(0, context));
  AffineExpr &number = numbers[position];
  if (isa<AffineConstantExpr>(number)) {
    number = dim ? getAffineDimExpr(values.size(), context)
                 : getAffineSymbolExpr(values.size(), context);
    values.push_back(getValue(leaf));
  }
  return number;
}

AffineExpr OperandNumbering::add(AffineExpr expr) {
  if (isa<AffineConstantExpr>(expr))
    return expr;
  if (!isa<AffineBinaryOpExpr>(expr))
    return addLeaf(expr);
  expr.walk([&](AffineExpr part) {
    if (isa<AffineDimExpr, AffineSymbolExpr>(part))
      addLeaf(part);
  });
  return expr.replaceDimsAndSymbols(dimOf, symbolOf);
}

SmallVector<AffineExpr> OperandNumbering::add(ArrayRef<AffineExpr> exprs) {
  return llvm::map_to_vector(exprs, [&](AffineExpr expr) { return add(expr); });
}

SmallVector<AffineExpr> OperandNumbering::add(const Constraints &constraints) {
  SmallVector<AffineExpr> bounds;
  for (const Constraint &constraint : constraints)
    bounds.append({add(constraint.lhs), add(constraint.rhs)});
  return bounds;
}

SmallVector<Value> OperandNumbering::getOperands() const {
  SmallVector<Value> operands(dims);
  llvm::append_range(operands, symbols);
  return operands;
}

AffineMap OperandNumbering::getMap(ArrayRef<AffineExpr> results) const {
  return AffineMap::get(dims.size(), symbols.size(), results, context);
}

ConstraintsAttr OperandNumbering::getConstraints(const Constraints &constraints,
                                                 ArrayRef<AffineExpr> bounds) const {
  SmallVector<ConstraintKind> kinds =
      llvm::map_to_vector(constraints, [](const Constraint &each) { return each.kind; });
  return ConstraintsAttr::get(context, kinds, getMap(bounds));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
/// An access over the operands of its op.
struct NumberedAccess {
  SmallVector<AffineExpr> results, bounds;

  NumberedAccess(const AccessExprs &access, OperandNumbering &numbering)
      : results(numbering.add(ArrayRef<AffineExpr>(access.results))),
        bounds(numbering.add(access.guard)) {}

  AccessAttr get(const AccessExprs &access, const OperandNumbering &numbering,
                 MLIRContext *context) const {
    return AccessAttr::get(context, numbering.getMap(results),
                           numbering.getConstraints(access.guard, bounds), access.chunk,
                           access.alignment, access.clamped, access.kept,
                           loop::ParallelTypesAttr::get(context, access.follows));
  }
};
} // namespace

void fuser::setTileExprs(loop::TileOp tile, const TileExprs &exprs,
                         OperandNumbering::GetValue getValue) {
  MLIRContext *context = tile.getContext();
  OperandNumbering numbering(getValue, context);
  SmallVector<NumberedAccess> writes;
  SmallVector<std::optional<NumberedAccess>> reads;
  for (const AccessExprs &access : exprs.writes)
    writes.emplace_back(access, numbering);
  for (const std::optional<AccessExprs> &access : exprs.reads) {
    reads.emplace_back();
    if (access)
      reads.back().emplace(*access, numbering);
  }
  SmallVector<AffineExpr> roots = numbering.add(ArrayRef<AffineExpr>(exprs.roots));
  SmallVector<AffineExpr> bounds = numbering.add(exprs.guard);
  SmallVector<Attribute> readAttrs, writeAttrs;
  for (auto [access, numbered] : llvm::zip_equal(exprs.reads, reads))
    readAttrs.push_back(access ? Attribute(numbered->get(*access, numbering, context))
                               : UnitAttr::get(context));
  for (auto [access, numbered] : llvm::zip_equal(exprs.writes, writes))
    writeAttrs.push_back(numbered.get(access, numbering, context));
  tile.getIndicesMutable().assign(numbering.getOperands());
  tile.setReadsAttr(ArrayAttr::get(context, readAttrs));
  tile.setWritesAttr(ArrayAttr::get(context, writeAttrs));
  tile.setRootsAttr(AffineMapAttr::get(numbering.getMap(roots)));
  tile.setGuardAttr(numbering.getConstraints(exprs.guard, bounds));
}

void fuser::setIndexExprs(loop::IndexOp index, const AccessExprs &access,
                          OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, index.getContext());
  const NumberedAccess numbered(access, numbering);
  index.getIndicesMutable().assign(numbering.getOperands());
  index.setAccessAttr(numbered.get(access, numbering, index.getContext()));
}

template <typename Op>
static void setPlace(Op op, AffineExpr place, const Constraints &guard,
                     OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, op.getContext());
  const AffineExpr numbered = numbering.add(place);
  SmallVector<AffineExpr> bounds = numbering.add(guard);
  op.getIndicesMutable().assign(numbering.getOperands());
  op.setPlaceAttr(AffineMapAttr::get(numbering.getMap(numbered)));
  op.setGuardAttr(numbering.getConstraints(guard, bounds));
}

void fuser::setChainExprs(loop::PublishOp publish, AffineExpr place, const Constraints &guard,
                          OperandNumbering::GetValue getValue) {
  setPlace(publish, place, guard, getValue);
}

void fuser::setChainExprs(loop::AwaitOp await, AffineExpr place, const Constraints &guard,
                          OperandNumbering::GetValue getValue) {
  setPlace(await, place, guard, getValue);
}

loop::TileOp fuser::createTile(OpBuilder &builder, Location loc, ValueRange inputs,
                               ValueRange outputs, const TileExprs &exprs,
                               ArrayRef<ParallelType> replicated,
                               OperandNumbering::GetValue getValue) {
  MLIRContext *context = builder.getContext();
  auto none = ArrayAttr::get(context, {});
  auto tile = loop::TileOp::create(
      builder, loc, inputs, outputs, /*indices=*/ValueRange(), none, none,
      AffineMapAttr::get(AffineMap::get(0, 0, context)), ConstraintsAttr::getEmpty(context, 0, 0),
      loop::ParallelTypesAttr::get(context, {}), loop::ParallelTypesAttr::get(context, replicated),
      loop::TileStepAttr::get(context, loop::TileStep::Element), /*distance=*/IntegerAttr(),
      /*instruction=*/Attribute(), /*combination=*/Attribute());
  setTileExprs(tile, exprs, getValue);
  return tile;
}

loop::TileOp fuser::createMove(OpBuilder &builder, Location loc, Value from, Value to,
                               const TileExprs &exprs, ArrayRef<ParallelType> replicated,
                               OperandNumbering::GetValue getValue) {
  auto tile = createTile(builder, loc, from, to, exprs, replicated, getValue);
  OpBuilder::InsertionGuard guard(builder);
  Block &block = tile.getBody().emplaceBlock();
  const Type element = cast<loop::BufferType>(from.getType()).getElementType();
  block.addArgument(RankedTensorType::get({}, element), loc);
  builder.setInsertionPointToEnd(&block);
  loop::YieldOp::create(builder, loc, block.getArguments());
  return tile;
}

loop::ForOp fuser::createFor(OpBuilder &builder, Location loc, AffineExpr extent, ParallelType type,
                             std::optional<int64_t> bound, OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  AffineExpr numbered = numbering.add(extent);
  return loop::ForOp::create(builder, loc, numbering.getOperands(), numbering.getMap(numbered),
                             type, bound);
}

loop::IndexOp fuser::createIndex(OpBuilder &builder, Location loc, Value buffer,
                                 const AccessExprs &access, OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  const NumberedAccess numbered(access, numbering);
  return loop::IndexOp::create(builder, loc, builder.getIndexType(), buffer,
                               numbering.getOperands(),
                               numbered.get(access, numbering, builder.getContext()));
}

loop::WholeOp fuser::createWhole(OpBuilder &builder, Location loc, AffineExpr extent,
                                 OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  const AffineExpr numbered = numbering.add(extent);
  return loop::WholeOp::create(builder, loc, builder.getIndexType(), numbering.getOperands(),
                               numbering.getMap(numbered));
}

loop::XorOp fuser::createXor(OpBuilder &builder, Location loc, AffineExpr lhs, AffineExpr rhs,
                             OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  const AffineExpr terms[] = {numbering.add(lhs), numbering.add(rhs)};
  return loop::XorOp::create(builder, loc, builder.getIndexType(), numbering.getOperands(),
                             numbering.getMap(terms));
}

loop::HoldsOp fuser::createHolds(OpBuilder &builder, Location loc, const Constraints &constraints,
                                 OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> bounds = numbering.add(constraints);
  return loop::HoldsOp::create(builder, loc, builder.getIndexType(), numbering.getOperands(),
                               numbering.getConstraints(constraints, bounds));
}

loop::BarrierOp fuser::createBarrier(OpBuilder &builder, Location loc, Value counter,
                                     const Constraints &guard,
                                     OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> bounds = numbering.add(guard);
  return loop::BarrierOp::create(builder, loc, counter, numbering.getOperands(),
                                 numbering.getConstraints(guard, bounds));
}

loop::OrderBlocksOp fuser::createOrderBlocks(OpBuilder &builder, Location loc, Value counter,
                                             Value slot, ArrayRef<AffineExpr> counts,
                                             OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> numbered = numbering.add(counts);
  return loop::OrderBlocksOp::create(builder, loc, counter, slot, numbering.getOperands(),
                                     numbering.getMap(numbered));
}

loop::PublishOp fuser::createPublish(OpBuilder &builder, Location loc, Value flags,
                                     ValueRange memory, AffineExpr place, const Constraints &guard,
                                     ArrayRef<ParallelType> follows,
                                     OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  const AffineExpr numbered = numbering.add(place);
  SmallVector<AffineExpr> bounds = numbering.add(guard);
  return loop::PublishOp::create(builder, loc, flags, memory, numbering.getOperands(),
                                 numbering.getMap(numbered),
                                 numbering.getConstraints(guard, bounds),
                                 loop::ParallelTypesAttr::get(builder.getContext(), follows));
}

loop::AwaitOp fuser::createAwait(OpBuilder &builder, Location loc, Value flags, AffineExpr place,
                                 const Constraints &guard, OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  const AffineExpr numbered = numbering.add(place);
  SmallVector<AffineExpr> bounds = numbering.add(guard);
  return loop::AwaitOp::create(builder, loc, flags, numbering.getOperands(),
                               numbering.getMap(numbered), numbering.getConstraints(guard, bounds));
}

loop::WaitPhaseOp fuser::createWaitPhase(OpBuilder &builder, Location loc, ValueRange buffers,
                                         Value barriers, AffineExpr use,
                                         OperandNumbering::GetValue getValue) {
  const int64_t stages = cast<loop::BufferType>(barriers.getType()).getShape().front();
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> numbered = numbering.add({use % stages, use.floorDiv(stages)});
  return loop::WaitPhaseOp::create(builder, loc, buffers, barriers, numbering.getOperands(),
                                   numbering.getMap(numbered));
}

loop::AcquireOp fuser::createAcquire(OpBuilder &builder, Location loc, ValueRange buffers,
                                     Value barriers, AffineExpr use,
                                     OperandNumbering::GetValue getValue) {
  const int64_t stages = cast<loop::BufferType>(barriers.getType()).getShape().front();
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> numbered = numbering.add({use % stages, use.floorDiv(stages) - 1});
  const Constraints isLater = {
      Constraint::less(getAffineConstantExpr(stages - 1, builder.getContext()), use)};
  SmallVector<AffineExpr> bounds = numbering.add(isLater);
  return loop::AcquireOp::create(builder, loc, buffers, barriers, numbering.getOperands(),
                                 numbering.getMap(numbered),
                                 numbering.getConstraints(isLater, bounds));
}

loop::ReleaseOp fuser::createRelease(OpBuilder &builder, Location loc, ValueRange buffers,
                                     Value barriers, AffineExpr use,
                                     OperandNumbering::GetValue getValue) {
  const int64_t stages = cast<loop::BufferType>(barriers.getType()).getShape().front();
  OperandNumbering numbering(getValue, builder.getContext());
  AffineExpr place = numbering.add(use % stages);
  return loop::ReleaseOp::create(builder, loc, buffers, barriers, numbering.getOperands(),
                                 numbering.getMap(place));
}

loop::BufferOp fuser::createWorkspace(loop::KernelOp kernel, Location loc, Type element,
                                      ArrayRef<AffineExpr> extents, bool zeroed,
                                      OperandNumbering::GetValue getValue) {
  Block &block = kernel.getBlock();
  auto isWorkspace = [](Operation &op) {
    auto buffer = dyn_cast<loop::BufferOp>(op);
    return buffer && buffer.isWorkspace();
  };
  OpBuilder builder(&block, llvm::find_if_not(block, isWorkspace));
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> numbered = numbering.add(extents);
  SmallVector<int64_t> shape = llvm::map_to_vector(extents, [](AffineExpr extent) {
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    return constant ? constant.getValue() : ShapedType::kDynamic;
  });
  return loop::BufferOp::create(
      builder, loc, loop::BufferType::get(builder.getContext(), shape, element, MemoryType::Global),
      numbering.getOperands(), numbering.getMap(numbered), zeroed);
}

loop::ClusterBarrierOp fuser::createClusterBarrier(OpBuilder &builder, Location loc,
                                                   loop::BarrierPhase phase,
                                                   const Constraints &guard,
                                                   OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> bounds = numbering.add(guard);
  return loop::ClusterBarrierOp::create(builder, loc, numbering.getOperands(),
                                        numbering.getConstraints(guard, bounds), phase);
}

loop::IfOp fuser::createIf(OpBuilder &builder, Location loc, const Constraints &guard,
                           loop::ParallelTypesAttr once, OperandNumbering::GetValue getValue) {
  OperandNumbering numbering(getValue, builder.getContext());
  SmallVector<AffineExpr> bounds = numbering.add(guard);
  return loop::IfOp::create(builder, loc, numbering.getOperands(),
                            numbering.getConstraints(guard, bounds), once);
}

//===----------------------------------------------------------------------===//
// LoopFacts
//===----------------------------------------------------------------------===//

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
  facts.addRange(getExpr(loop.getInductionVar()), {0, range.upper});
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

bool LoopFacts::isProved(const Constraint &constraint) const {
  if (constraint.kind != ConstraintKind::Less)
    return constraint.lhs == constraint.rhs;
  return getRange(constraint.lhs).lower >= 0 && getRange(constraint.rhs - constraint.lhs).lower > 0;
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
