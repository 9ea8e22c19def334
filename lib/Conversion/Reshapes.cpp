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

/// The permutation that moves `count` dimensions from `first` on to the end.
static SmallVector<int64_t> moveToEnd(int64_t rank, int64_t first, int64_t count) {
  SmallVector<int64_t> permutation;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim < first || dim >= first + count)
      permutation.push_back(dim);
  for (int64_t dim = first; dim < first + count; ++dim)
    permutation.push_back(dim);
  return permutation;
}

static SmallVector<int64_t> invert(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = to;
  return inverse;
}

Value Importer::reshape(Value input, ArrayRef<int64_t> shape) {
  std::string why;
  if (!planReshape(builder.getContext(), getShape(input), shape, why))
    return refuse(why);
  Type element = getElementTypeOrSelf(input.getType());
  return fuser::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, element), input, {},
                                  {}, {});
}

/// True if the groups are what a reshape without groups does: it has one dynamic dimension at most.
static bool isUnambiguous(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return llvm::count_if(from, ShapedType::isDynamic) <= 1 &&
         llvm::count_if(to, ShapedType::isDynamic) <= 1;
}

Value Importer::expand(Value input, ArrayRef<ReassociationIndices> groups,
                       ArrayRef<int64_t> shape) {
  if (auto units = getUnitDims(groups, shape))
    return units->empty() ? input : Value(BroadcastOp::create(builder, loc, input, *units));
  for (ArrayRef<int64_t> group : groups)
    if (int64_t count =
            llvm::count_if(group, [&](int64_t dim) { return ShapedType::isDynamic(shape[dim]); });
        count > 1)
      return refuse("expected at most one dynamic size among those that a dimension is split into, "
                    "but got " +
                    llvm::Twine(count));
  std::string why;
  if (isUnambiguous(getShape(input), shape) ||
      planReshape(builder.getContext(), getShape(input), shape, why))
    return reshape(input, shape);
  // As the last dimension, each is split without effect on the others.
  for (int64_t number = groups.size() - 1; number >= 0; --number) {
    ArrayRef<int64_t> group = groups[number];
    if (group.size() == 1)
      continue;
    int64_t rank = getShape(input).size(), count = group.size();
    SmallVector<int64_t> there = moveToEnd(rank, number, 1);
    Value moved = PermuteOp::create(builder, loc, input, there);
    SmallVector<int64_t> sizes = getShape(moved);
    sizes.pop_back();
    llvm::append_range(sizes, shape.slice(group.front(), count));
    moved = reshape(moved, sizes);
    if (!moved)
      return {};
    input =
        PermuteOp::create(builder, loc, moved, invert(moveToEnd(rank - 1 + count, number, count)));
  }
  return input;
}

Value Importer::collapse(Value input, ArrayRef<ReassociationIndices> groups) {
  if (auto units = getUnitDims(groups, getShape(input)))
    return units->empty() ? input : Value(SqueezeOp::create(builder, loc, input, *units));
  auto getProduct = [](ArrayRef<int64_t> sizes) {
    return getStaticProduct(sizes).value_or(ShapedType::kDynamic);
  };
  SmallVector<int64_t> from = getShape(input), shape;
  for (ArrayRef<int64_t> group : groups)
    shape.push_back(getProduct(ArrayRef(from).slice(group.front(), group.size())));
  std::string why;
  if (isUnambiguous(from, shape) || planReshape(builder.getContext(), from, shape, why))
    return reshape(input, shape);
  for (int64_t number = groups.size() - 1; number >= 0; --number) {
    ArrayRef<int64_t> group = groups[number];
    if (group.size() == 1)
      continue;
    int64_t rank = getShape(input).size(), count = group.size();
    Value moved = PermuteOp::create(builder, loc, input, moveToEnd(rank, group.front(), count));
    SmallVector<int64_t> sizes = getShape(moved);
    sizes.resize(rank - count);
    sizes.push_back(shape[number]);
    moved = reshape(moved, sizes);
    if (!moved)
      return {};
    input = PermuteOp::create(builder, loc, moved,
                              invert(moveToEnd(rank - count + 1, group.front(), 1)));
  }
  return input;
}

Value Importer::convertReshape(Operation *op) {
  Value input = lookup(op->getOperand(0));
  if (!input)
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<RankedTensorType>(input.getType()))
    return refuse("expected ranked tensors, but got an unranked one");
  if (isa<tensor::ReshapeOp>(op))
    return reshape(input, type.getShape());
  auto expanding = dyn_cast<tensor::ExpandShapeOp>(op);
  Value result = expanding
                     ? expand(input, expanding.getReassociationIndices(), type.getShape())
                     : collapse(input, cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
  if (result)
    return result;
  // Which dimensions merge and split is not known from the sizes of the types.
  reason.clear();
  SmallVector<AffineExpr> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(getSizeExpr(op->getResult(0), dim));
  return reshapeByPosition(input, type.getShape(), sizes);
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
