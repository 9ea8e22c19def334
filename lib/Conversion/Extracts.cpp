//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads of tensors at indices that the body of a structured op computes: slices where the index is
// a loop, gathers where it is data.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

/// An index of the body as an expression of loops (dimensions) and symbols of the importer; null if
/// it is none.
AffineExpr GenericImporter::getIndexExprOfBody(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return im.builder.getAffineConstantExpr(constant.getSExtValue());
  Operation *bodyOp = index.getDefiningOp();
  if (!bodyOp || !op->isProperAncestor(bodyOp)) {
    bool isArgument =
        isa<BlockArgument>(index) && op->isAncestor(index.getParentBlock()->getParentOp());
    bool isData = isArgument || im.readsTensor(index) || !index.getType().isIndex();
    return isData ? AffineExpr() : im.getIndexExpr(index);
  }
  auto combine = [&](function_ref<AffineExpr(AffineExpr, AffineExpr)> apply) -> AffineExpr {
    AffineExpr lhs = getIndexExprOfBody(bodyOp->getOperand(0)),
               rhs = lhs ? getIndexExprOfBody(bodyOp->getOperand(1)) : AffineExpr();
    return rhs ? apply(lhs, rhs) : AffineExpr();
  };
  return llvm::TypeSwitch<Operation *, AffineExpr>(bodyOp)
      .Case([&](linalg::IndexOp loop) {
        return isTap(loop.getDim()) ? im.builder.getAffineConstantExpr(taps.lookup(loop.getDim()))
                                    : im.builder.getAffineDimExpr(loop.getDim());
      })
      .Case([&](arith::IndexCastOp cast) { return getIndexExprOfBody(cast.getIn()); })
      .Case([&](arith::AddIOp) { return combine([](auto a, auto b) { return a + b; }); })
      .Case([&](arith::SubIOp) { return combine([](auto a, auto b) { return a - b; }); })
      .Case([&](arith::MulIOp) {
        return combine([](AffineExpr a, AffineExpr b) {
          return a.isSymbolicOrConstant() || b.isSymbolicOrConstant() ? a * b : AffineExpr();
        });
      })
      .Default([](Operation *) { return AffineExpr(); });
}

FailureOr<GenericImporter::Position> GenericImporter::findPosition(Value index, Value oldTable,
                                                                   unsigned dim, Loops &used) {
  Position position;
  AffineExpr expr = getIndexExprOfBody(index);
  if (expr)
    expr = simplifyAffineExpr(expr, op.getNumLoops(), im.symbols.size());
  if (expr && expr.isSymbolicOrConstant()) {
    position.offset = expr;
    return position;
  }
  // offset + step * loop, where no other dimension is read at the loop.
  std::optional<unsigned> only;
  bool isSingle = bool(expr);
  for (unsigned loop = 0; expr && loop < op.getNumLoops(); ++loop)
    if (expr.isFunctionOfDim(loop)) {
      isSingle &= !only;
      only = loop;
    }
  if (isSingle && !llvm::is_contained(used, *only)) {
    SmallVector<AffineExpr> zero;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      zero.push_back(im.builder.getAffineConstantExpr(0));
    AffineExpr offset = expr.replaceDims(zero);
    AffineExpr moved = simplifyAffineExpr(expr - offset, op.getNumLoops(), im.symbols.size());
    std::optional<int64_t> step;
    if (isa<AffineDimExpr>(moved))
      step = 1;
    else if (auto product = dyn_cast<AffineBinaryOpExpr>(moved);
             product && product.getKind() == AffineExprKind::Mul &&
             isa<AffineDimExpr>(product.getLHS()) && isa<AffineConstantExpr>(product.getRHS()))
      step = cast<AffineConstantExpr>(product.getRHS()).getValue();
    if (step && *step > 0) {
      position.loop = only;
      position.step = *step;
      position.offset = offset;
      position.isWhole = im.getSizeExpr(oldTable, dim) == sizes[*only];
      used.push_back(*only);
      return position;
    }
  }
  position.data = eval(index);
  if (!position.data)
    return failure();
  if (position.data.getType().isIndex())
    position.data =
        arith::IndexCastOp::create(im.builder, im.loc, im.builder.getI64Type(), position.data);
  return position;
}

Value GenericImporter::evalExtract(tensor::ExtractOp extract) {
  if (op->isProperAncestor(extract.getTensor().getParentBlock()->getParentOp()) ||
      extract.getTensor().getParentBlock() == op.getBody())
    return im.refuse("expected a read of a tensor from outside of the body, but got another");
  Value table = im.lookup(extract.getTensor());
  if (!table)
    return {};
  SmallVector<Position> positions;
  Loops used;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    FailureOr<Position> position = findPosition(index, extract.getTensor(), dim, used);
    if (failed(position))
      return {};
    positions.push_back(*position);
  }
  return readAt(table, positions);
}

/// Slices the dimensions that are read at loops and at constants.
Value GenericImporter::readBox(Value table, MutableArrayRef<Position> positions) {
  auto type = cast<RankedTensorType>(table.getType());
  SmallVector<OpFoldResult> offsets, sizesOfBox;
  SmallVector<int64_t> steps;
  bool isWhole = true;
  for (unsigned dim = 0; dim < positions.size(); ++dim) {
    Position &position = positions[dim];
    OpFoldResult whole = type.isDynamicDim(dim)
                             ? OpFoldResult()
                             : OpFoldResult(im.builder.getIndexAttr(type.getDimSize(dim)));
    auto takeWhole = [&] {
      if (!whole)
        whole = Value(tensor::DimOp::create(im.builder, im.loc, table, dim));
      offsets.push_back(im.builder.getIndexAttr(0));
      sizesOfBox.push_back(whole);
      steps.push_back(1);
    };
    if (position.data) {
      takeWhole();
      continue;
    }
    OpFoldResult offset = im.materialize(position.offset);
    if (!offset)
      return {};
    OpFoldResult size = im.builder.getIndexAttr(1);
    if (position.loop) {
      size = im.materialize(sizes[*position.loop]);
      if (!size)
        return {};
      std::optional<int64_t> fixed = getConstantIntValue(size);
      // A whole dimension is read as such; two dynamic sizes are equal if they are one expression.
      bool isAll =
          isConstantIntValue(offset, 0) && position.step == 1 &&
          (fixed ? *fixed == type.getDimSize(dim) : type.isDynamicDim(dim) && position.isWhole);
      if (isAll) {
        takeWhole();
        continue;
      }
    }
    isWhole &= !position.loop && type.getDimSize(dim) == 1;
    offsets.push_back(offset);
    sizesOfBox.push_back(size);
    steps.push_back(position.loop ? position.step : 1);
  }
  if (isWhole)
    return table;
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizesOfBox, dynamicSizes, staticSizes);
  bool unit = llvm::all_of(steps, [](int64_t step) { return step == 1; });
  return SliceOp::create(
      im.builder, im.loc, RankedTensorType::get(staticSizes, type.getElementType()), table,
      dynamicOffsets, dynamicSizes, im.builder.getDenseI64ArrayAttr(staticOffsets),
      im.builder.getDenseI64ArrayAttr(staticSizes),
      unit ? DenseI64ArrayAttr() : im.builder.getDenseI64ArrayAttr(steps), {}, {}, {});
}

/// An integer op on values of which each is a tensor or a scalar.
template <typename TensorOp, typename ScalarOp>
static Value combine(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<RankedTensorType>(lhs.getType()) || isa<RankedTensorType>(rhs.getType()))
    return TensorOp::create(builder, loc, lhs, rhs);
  return ScalarOp::create(builder, loc, lhs, rhs);
}

/// True if dimensions of these sizes can be merged to one next to the others: a reshape has one
/// dynamic result, or only one of the merged is dynamic.
static bool canMerge(ArrayRef<int64_t> kept, ArrayRef<int64_t> merged) {
  return llvm::count_if(merged, ShapedType::isDynamic) <= 1 ||
         llvm::none_of(kept, ShapedType::isDynamic);
}

/// Merges all dimensions that are read at data to one, the last, at the row-major index.
Value GenericImporter::mergeData(Value table, SmallVectorImpl<Position> &positions) {
  auto type = cast<RankedTensorType>(table.getType());
  SmallVector<int64_t> permutation, merged, keptSizes, mergedSizes;
  for (auto [dim, position] : llvm::enumerate(positions)) {
    (position.data ? merged : permutation).push_back(dim);
    (position.data ? mergedSizes : keptSizes).push_back(type.getDimSize(dim));
  }
  if (merged.size() < 2)
    return table;
  if (!canMerge(keptSizes, mergedSizes)) {
    // All dimensions are merged, those of loops at the loops.
    for (Position &position : positions)
      if (position.loop) {
        position.data = evalIndex(*position.loop);
        position.loop.reset();
        if (!position.data)
          return {};
      }
    permutation.clear();
    merged = llvm::to_vector(llvm::seq<int64_t>(0, positions.size()));
  }
  SmallVector<Position> kept;
  for (int64_t dim : permutation)
    kept.push_back(positions[dim]);
  Value index;
  Type i64 = im.builder.getI64Type();
  for (int64_t dim : merged) {
    int64_t size = type.getDimSize(dim);
    Value data = positions[dim].data;
    if (getElementTypeOrSelf(data.getType()) != i64) {
      if (!isa<RankedTensorType>(data.getType()))
        data = arith::ExtSIOp::create(im.builder, im.loc, i64, data);
      else
        data = CastOp::create(im.builder, im.loc, i64, data);
    }
    if (!index) {
      index = data;
      continue;
    }
    Value extent;
    if (ShapedType::isDynamic(size)) {
      extent = tensor::DimOp::create(im.builder, im.loc, table, dim);
      extent = arith::IndexCastOp::create(im.builder, im.loc, i64, extent);
    } else {
      extent = im.makeScalar(im.builder.getI64IntegerAttr(size));
    }
    index = combine<MulOp, arith::MulIOp>(im.builder, im.loc, index, extent);
    index = combine<AddOp, arith::AddIOp>(im.builder, im.loc, index, data);
  }
  llvm::append_range(permutation, merged);
  if (!llvm::is_sorted(permutation))
    table = PermuteOp::create(im.builder, im.loc, table, permutation);
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, rank = type.getRank(), last = kept.size(); dim < rank; ++dim) {
    if (dim <= last)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  table = im.collapse(table, groups);
  if (!table)
    return {};
  kept.push_back(Position());
  kept.back().data = index;
  positions.assign(kept.begin(), kept.end());
  return table;
}

/// Gathers along the only dimension that is read at data; the others are loops.
Value GenericImporter::gather(Value table, ArrayRef<Position> positions) {
  OpBuilder &builder = im.builder;
  const Position *found =
      llvm::find_if(positions, [](const Position &position) { return bool(position.data); });
  Value index = found->data;
  int64_t dataDim = found - positions.begin();
  // The index over all loops, of i32 or i64.
  auto indexType = dyn_cast<RankedTensorType>(index.getType());
  if (!indexType) {
    index =
        im.makeFull(index, SmallVector<AffineExpr>(loops.size(), builder.getAffineConstantExpr(1)),
                    convertElementType(index.getType()));
    indexType = cast<RankedTensorType>(index.getType());
  }
  if (!indexType.getElementType().isInteger(32) && !indexType.getElementType().isInteger(64)) {
    index = CastOp::create(builder, im.loc, builder.getI64Type(), index);
    indexType = cast<RankedTensorType>(index.getType());
  }
  // The loops that the index depends on, and one of them that the table does not have.
  auto isOfTable = [&](unsigned loop) {
    return llvm::any_of(positions, [&](const Position &position) { return position.loop == loop; });
  };
  Loops ofIndex;
  std::optional<unsigned> place;
  bool isDisjoint = true;
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (indexType.getDimSize(dim) == 1)
      continue;
    ofIndex.push_back(loop);
    isDisjoint &= !isOfTable(loop);
    if (!isOfTable(loop))
      place = loop;
  }
  // Dimensions of the table in the order of loops, the gathered one at `place`, else in front.
  SmallVector<std::pair<int64_t, int64_t>> order;
  for (auto [dim, position] : llvm::enumerate(positions))
    order.push_back({position.data ? place ? int64_t(*place) : -1 : int64_t(*position.loop), dim});
  llvm::sort(order);
  SmallVector<int64_t> permutation, missing;
  for (auto [loop, dim] : order)
    permutation.push_back(dim);
  if (!llvm::is_sorted(permutation))
    table = PermuteOp::create(builder, im.loc, table, permutation);
  int64_t dim = llvm::find(permutation, dataDim) - permutation.begin();
  for (auto [position, loop] : llvm::enumerate(loops))
    if (loop != place && !isOfTable(loop))
      missing.push_back(position);

  if (place && isDisjoint && ofIndex.size() == 1) {
    SmallVector<int64_t> ones;
    for (auto [position, loop] : llvm::enumerate(loops))
      if (loop != *place)
        ones.push_back(position);
    if (!ones.empty())
      index = SqueezeOp::create(builder, im.loc, index, ones);
    auto type = cast<RankedTensorType>(table.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = cast<RankedTensorType>(index.getType()).getDimSize(0);
    Value result =
        IndexSelectOp::create(builder, im.loc, RankedTensorType::get(shape, type.getElementType()),
                              table, index, dim, {}, {}, {});
    return missing.empty() ? result : Value(BroadcastOp::create(builder, im.loc, result, missing));
  }
  if (!place) {
    index = BroadcastOp::create(builder, im.loc, index, 0);
    for (int64_t &position : missing)
      ++position;
  }
  if (!missing.empty())
    table = BroadcastOp::create(builder, im.loc, table, missing);
  auto type = cast<RankedTensorType>(table.getType());
  indexType = cast<RankedTensorType>(index.getType());
  int64_t at = place ? llvm::find(loops, *place) - loops.begin() : 0;
  SmallVector<int64_t> shape;
  for (auto [position, size, other] : llvm::enumerate(indexType.getShape(), type.getShape()))
    shape.push_back(int64_t(position) == at || other == 1 || (size != 1 && other < 0) ? size
                                                                                      : other);
  Value result =
      TakeAlongAxisOp::create(builder, im.loc, RankedTensorType::get(shape, type.getElementType()),
                              table, index, at, {}, {}, {});
  return place ? result : Value(SqueezeOp::create(builder, im.loc, result, 0));
}

Value GenericImporter::readAt(Value table, MutableArrayRef<Position> given) {
  // Loops that span the dimension that they read, before it is sliced.
  table = readBox(table, given);
  if (!table)
    return {};
  SmallVector<Position> positions;
  SmallVector<int64_t> fixed;
  for (auto [dim, position] : llvm::enumerate(given))
    if (position.loop || position.data)
      positions.push_back(position);
    else
      fixed.push_back(dim);
  if (!fixed.empty())
    table = SqueezeOp::create(im.builder, im.loc, table, fixed);
  table = mergeData(table, positions);
  if (!table)
    return {};
  if (llvm::any_of(positions, [](const Position &position) { return bool(position.data); }))
    return gather(table, positions);
  SmallVector<AffineExpr> maps;
  for (const Position &position : positions)
    maps.push_back(im.builder.getAffineDimExpr(*position.loop));
  return align(table, AffineMap::get(op.getNumLoops(), 0, maps, op.getContext()), loops);
}

Value GenericImporter::evalIndexExpr(AffineExpr expr) {
  OpBuilder &builder = im.builder;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return im.makeScalar(builder.getI64IntegerAttr(constant.getValue()));
  if (auto loop = dyn_cast<AffineDimExpr>(expr))
    return evalIndex(loop.getPosition());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  Value lhs = binary ? evalIndexExpr(binary.getLHS()) : Value(),
        rhs = lhs ? evalIndexExpr(binary.getRHS()) : Value();
  if (!rhs)
    return {};
  auto divide = [&] { return combine<FloorDivOp, arith::FloorDivSIOp>(builder, im.loc, lhs, rhs); };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return combine<AddOp, arith::AddIOp>(builder, im.loc, lhs, rhs);
  case AffineExprKind::Mul:
    return combine<MulOp, arith::MulIOp>(builder, im.loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return divide();
  case AffineExprKind::CeilDiv:
    return combine<CeilDivOp, arith::CeilDivSIOp>(builder, im.loc, lhs, rhs);
  case AffineExprKind::Mod: {
    Value whole = combine<MulOp, arith::MulIOp>(builder, im.loc, divide(), rhs);
    return combine<SubOp, arith::SubIOp>(builder, im.loc, lhs, whole);
  }
  default:
    return {};
  }
}

Value GenericImporter::readAtMap(Value value, Value oldValue, AffineMap map) {
  SmallVector<Position> positions;
  Loops used;
  AffineExpr zero = im.builder.getAffineConstantExpr(0);
  for (auto [dim, old] : llvm::enumerate(map.getResults())) {
    AffineExpr expr = substituteTaps(old);
    Position position;
    position.offset = zero;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop && !llvm::is_contained(used, loop.getPosition())) {
      used.push_back(loop.getPosition());
      position.loop = loop.getPosition();
      position.isWhole = im.getSizeExpr(oldValue, dim) == sizes[*position.loop];
    } else if (isa<AffineConstantExpr>(expr)) {
      position.offset = expr;
    } else {
      position.data = evalIndexExpr(expr);
      if (!position.data)
        return im.refuse("expected maps of iterators and constants, but got another");
    }
    positions.push_back(position);
  }
  return readAt(value, positions);
}
