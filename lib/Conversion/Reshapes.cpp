//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reshapes and casts of the tensor dialect.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

/// The dimensions of size 1 in each group of `shape`, if every group has at most one dimension that
/// is not statically 1 (of a group of ones: all but the first); else nullopt.
static std::optional<SmallVector<int64_t>> getUnitDims(ArrayRef<ReassociationIndices> groups,
                                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> units;
  for (ArrayRef<int64_t> group : groups) {
    auto kept = llvm::find_if(group, [&](int64_t dim) { return shape[dim] != 1; });
    int64_t keep = kept == group.end() ? group.front() : *kept;
    for (int64_t dim : group) {
      if (dim == keep)
        continue;
      if (shape[dim] != 1)
        return std::nullopt;
      units.push_back(dim);
    }
  }
  if (groups.empty()) // to or from rank 0
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
      units.push_back(dim);
  return units;
}

static SmallVector<int64_t> getShape(Value value) {
  return llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
}

Value Importer::reshape(Value input, ArrayRef<int64_t> shape, ArrayRef<ReshapeGroup> groups) {
  std::string why;
  // Groups are stated only where the types do not tell them.
  if (!groups.empty() && planReshape(builder.getContext(), getShape(input), shape, why))
    groups = {};
  if (!planReshape(builder.getContext(), getShape(input), shape, why, groups))
    return refuse(why);
  SmallVector<int64_t> from, to;
  for (const ReshapeGroup &group : groups) {
    from.push_back(group.from);
    to.push_back(group.to);
  }
  auto counts = [&](ArrayRef<int64_t> values) {
    return groups.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(values);
  };
  Type element = getElementTypeOrSelf(input.getType());
  return fuser::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, element), input,
                                  counts(from), counts(to), {}, {}, {});
}

Value Importer::expand(Value input, ArrayRef<ReassociationIndices> groups,
                       ArrayRef<int64_t> shape) {
  if (auto units = getUnitDims(groups, shape))
    return units->empty() ? input : Value(BroadcastOp::create(builder, loc, input, *units));
  return reshape(input, shape, llvm::map_to_vector(groups, [](ArrayRef<int64_t> group) {
                   return ReshapeGroup{1, int64_t(group.size())};
                 }));
}

Value Importer::collapse(Value input, ArrayRef<ReassociationIndices> groups) {
  SmallVector<int64_t> from = getShape(input), shape;
  if (auto units = getUnitDims(groups, from))
    return units->empty() ? input : Value(SqueezeOp::create(builder, loc, input, *units));
  SmallVector<ReshapeGroup> merged;
  for (ArrayRef<int64_t> group : groups) {
    shape.push_back(getStaticProduct(ArrayRef(from).slice(group.front(), group.size()))
                        .value_or(ShapedType::kDynamic));
    merged.push_back({int64_t(group.size()), 1});
  }
  return reshape(input, shape, merged);
}

Value Importer::convertReshape(Operation *op) {
  Value input = lookup(op->getOperand(0));
  if (!input)
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<RankedTensorType>(input.getType()))
    return refuse("expected ranked tensors, but got an unranked one");
  if (auto collapsing = dyn_cast<tensor::CollapseShapeOp>(op))
    return collapse(input, collapsing.getReassociationIndices());
  if (auto reshaping = dyn_cast<tensor::ReshapeOp>(op))
    return reshapeToSizes(reshaping, input);
  auto expanding = cast<tensor::ExpandShapeOp>(op);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : expanding.getMixedOutputShape())
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  // A split into several dynamic dimensions is no function of the types: their sizes say where.
  auto isOpen = [&](ArrayRef<int64_t> group) {
    return llvm::count_if(group, [&](int64_t dim) { return ShapedType::isDynamic(shape[dim]); }) >
           1;
  };
  SmallVector<ReassociationIndices> groups = expanding.getReassociationIndices();
  if (llvm::any_of(groups, isOpen))
    return expandAt(expanding);
  return expand(input, groups, shape);
}

/// The groups of a reshape of sizes that are equal at the front and at the back, each a group of
/// its own, and one of what remains.
static SmallVector<ReshapeGroup> matchSizes(ArrayRef<AffineExpr> from, ArrayRef<AffineExpr> to) {
  SmallVector<ReshapeGroup> groups;
  while (!from.empty() && !to.empty() && from.front() == to.front()) {
    groups.push_back({1, 1});
    from = from.drop_front();
    to = to.drop_front();
  }
  int64_t back = 0;
  while (!from.empty() && !to.empty() && from.back() == to.back()) {
    ++back;
    from = from.drop_back();
    to = to.drop_back();
  }
  if (!from.empty() || !to.empty())
    groups.push_back({int64_t(from.size()), int64_t(to.size())});
  groups.append(back, {1, 1});
  return groups;
}

/// True if the groups are those of the sizes: each has as many elements on both sides. One of which
/// this is not known has, too, if all others have, because both tensors have equally many.
static bool haveEqualSizes(MLIRContext *context, ArrayRef<ReshapeGroup> groups,
                           ArrayRef<AffineExpr> from, ArrayRef<AffineExpr> to) {
  auto multiply = [&](ArrayRef<AffineExpr> sizes) {
    AffineExpr product = getAffineConstantExpr(1, context);
    for (AffineExpr size : sizes)
      product = product * size;
    return product;
  };
  unsigned numUnknown = 0;
  for (const ReshapeGroup &group : groups) {
    numUnknown += multiply(from.take_front(group.from)) != multiply(to.take_front(group.to));
    from = from.drop_front(group.from);
    to = to.drop_front(group.to);
  }
  return numUnknown <= 1;
}

Value Importer::reshapeToSizes(tensor::ReshapeOp op, Value input) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  SmallVector<AffineExpr> from, to;
  for (int64_t dim = 0, rank = getShape(input).size(); dim < rank; ++dim)
    from.push_back(simplifyAffineExpr(getSizeExpr(op.getSource(), dim), 0, symbols.size()));
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    to.push_back(simplifyAffineExpr(getSizeExpr(op.getResult(), dim), 0, symbols.size()));
    auto fixed = dyn_cast<AffineConstantExpr>(to.back());
    shape.push_back(fixed ? fixed.getValue() : ShapedType::kDynamic);
  }
  std::string why;
  SmallVector<ReshapeGroup> groups = matchSizes(from, to);
  MLIRContext *context = builder.getContext();
  std::optional<ReshapePlan> plan = planReshape(context, getShape(input), shape, why);
  if (plan && !haveEqualSizes(context, plan->groups, from, to))
    why = "expected sizes that tell which dimensions merge and split, but got others";
  else if (plan || planReshape(context, getShape(input), shape, why, groups))
    return reshape(input, shape, groups);
  if (llvm::any_of(llvm::seq<int64_t>(0, type.getRank()),
                   [&](int64_t dim) { return to[dim] == getSymbol(op.getResult(), dim); }))
    return refuse(why);
  // Which dimensions merge and split is not known.
  return reshapeByPosition(input, shape, to);
}

Value Importer::reshapeByPosition(Value input, ArrayRef<int64_t> shape,
                                  ArrayRef<AffineExpr> sizes) {
  SmallVector<int64_t> from = getShape(input);
  Value flat = reshape(input, {getStaticProduct(from).value_or(ShapedType::kDynamic)});
  if (!flat)
    return {};
  Type i64 = builder.getI64Type();
  auto makeInteger = [&](AffineExpr expr) -> Value {
    Value value = materializeValue(expr);
    return value ? Value(arith::IndexCastOp::create(builder, loc, i64, value)) : Value();
  };
  int64_t rank = shape.size();
  Value position, zero = makeScalar(builder.getI64IntegerAttr(0)),
                  one = makeScalar(builder.getI64IntegerAttr(1));
  AffineExpr stride = builder.getAffineConstantExpr(1);
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    OpFoldResult size = materialize(sizes[dim]);
    Value step = size ? makeInteger(stride) : Value();
    if (!step)
      return {};
    auto length = dyn_cast<Value>(size);
    Value counted =
        IotaOp::create(builder, loc, RankedTensorType::get({shape[dim]}, i64), zero, one,
                       ShapedType::isDynamic(shape[dim]) ? length : Value(), {}, {}, {});
    counted = MulOp::create(builder, loc, counted, step);
    SmallVector<int64_t> others;
    for (int64_t other = 0; other < rank; ++other)
      if (other != dim)
        others.push_back(other);
    if (!others.empty())
      counted = BroadcastOp::create(builder, loc, counted, others);
    position = position ? AddOp::create(builder, loc, counted, position) : counted;
    stride = stride * sizes[dim];
  }
  Value table = flat;
  if (rank > 1)
    table =
        BroadcastOp::create(builder, loc, flat, llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)));
  Type element = getElementTypeOrSelf(input.getType());
  return TakeAlongAxisOp::create(builder, loc, RankedTensorType::get(shape, element), table,
                                 position, rank - 1, {}, {}, {});
}

Value Importer::convertCast(Operation *op) {
  Value input = lookup(op->getOperand(0));
  auto from = input ? dyn_cast<RankedTensorType>(input.getType()) : RankedTensorType();
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to)
    return input ? Value(refuse("expected ranked tensors, but got an unranked one")) : Value();
  if (isa<tensor::BitcastOp>(op))
    return from.getElementType() == to.getElementType()
               ? input
               : Value(BitcastOp::create(builder, loc, to.getElementType(), input));
  // A size that becomes static is a box of that size, and a fact if it is of an argument.
  SmallVector<int64_t> shape(from.getShape()), zero(shape.size(), 0);
  SmallVector<Value> dynamic;
  bool changed = false;
  for (auto [dim, want] : llvm::enumerate(to.getShape())) {
    if (!ShapedType::isDynamic(shape[dim]))
      continue;
    if (ShapedType::isDynamic(want)) {
      dynamic.push_back(tensor::DimOp::create(builder, loc, input, dim));
      continue;
    }
    shape[dim] = want;
    changed = true;
    if (auto argument = dyn_cast<BlockArgument>(input))
      requiredSizes.push_back({argument, int64_t(dim), want});
  }
  if (!changed)
    return input;
  return SliceOp::create(builder, loc, from.clone(shape), input, ValueRange(), dynamic,
                         builder.getDenseI64ArrayAttr(zero), builder.getDenseI64ArrayAttr(shape),
                         DenseI64ArrayAttr(), {}, {}, {});
}
