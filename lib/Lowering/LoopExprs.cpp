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
