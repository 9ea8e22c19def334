//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of the tensor dialect.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

/// Splits values into static ones and operands, the form of fuser's ops.
static void split(ArrayRef<OpFoldResult> values, SmallVectorImpl<Value> &dynamic,
                  SmallVectorImpl<int64_t> &fixed) {
  dispatchIndexOpFoldResults(values, dynamic, fixed);
}

/// `size` + the static amounts; dynamic if one of them is.
static int64_t addSizes(std::initializer_list<int64_t> sizes) {
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return ShapedType::kDynamic;
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
}

Value Importer::padTo(Value input, ArrayRef<AffineExpr> low, ArrayRef<AffineExpr> high,
                      Value value) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<OpFoldResult> lows, highs;
  for (auto [from, into] : {std::pair(low, &lows), std::pair(high, &highs)})
    for (AffineExpr amount : from) {
      into->push_back(materialize(amount));
      if (!into->back())
        return {};
    }
  SmallVector<Value> dynamicLow, dynamicHigh;
  SmallVector<int64_t> staticLow, staticHigh, shape;
  split(lows, dynamicLow, staticLow);
  split(highs, dynamicHigh, staticHigh);
  for (auto [size, before, after] : llvm::zip_equal(type.getShape(), staticLow, staticHigh))
    shape.push_back(addSizes({size, before, after}));
  return fuser::PadOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()),
                              input, dynamicLow, dynamicHigh, value, staticLow, staticHigh, {}, {},
                              {});
}

Value Importer::convertPad(Operation *op) {
  auto pad = cast<tensor::PadOp>(op);
  Value old = pad.getConstantPaddingValue();
  if (!old)
    return refuse("expected one padding value, but got one that depends on the position");
  Value input = lookup(pad.getSource()), value = input ? lookup(old) : Value();
  if (!value)
    return {};
  auto amounts = [&](ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult amount) { return getIndexExpr(amount); });
  };
  return padTo(input, amounts(pad.getMixedLowPad()), amounts(pad.getMixedHighPad()), value);
}

/// The positions of the set bits.
static SmallVector<int64_t> positionsOf(const llvm::SmallBitVector &bits) {
  return llvm::map_to_vector(bits.set_bits(), [](unsigned bit) { return int64_t(bit); });
}

Value Importer::convertInsertSlice(Operation *op) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  if (!llvm::all_of(insert.getMixedStrides(),
                    [](OpFoldResult stride) { return isConstantIntValue(stride, 1); }))
    return refuse("expected strides of 1, but got others");
  Value source = lookup(insert.getSource());
  if (!source)
    return {};
  if (SmallVector<int64_t> dropped = positionsOf(insert.getDroppedDims()); !dropped.empty())
    source = BroadcastOp::create(builder, loc, source, dropped);

  // Any value is legal for elements that were not written.
  Value border;
  if (insert.getDest().getDefiningOp<tensor::EmptyOp>())
    border = makeScalar(builder.getZeroAttr(insert.getType().getElementType()));
  else
    border = getFillValue(insert.getDest());
  SmallVector<AffineExpr> low, high;
  for (auto [dim, offset, size] :
       llvm::enumerate(insert.getMixedOffsets(), insert.getMixedSizes())) {
    low.push_back(getIndexExpr(offset));
    high.push_back(getSizeExpr(insert.getDest(), dim) - low.back() - getIndexExpr(size));
  }
  if (border)
    return padTo(source, low, high, border);

  Value destination = lookup(insert.getDest());
  if (!destination)
    return {};
  SmallVector<OpFoldResult> offsets;
  for (AffineExpr offset : low) {
    offsets.push_back(materialize(offset));
    if (!offsets.back())
      return {};
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> fixed;
  split(offsets, dynamic, fixed);
  return fuser::InsertSliceOp::create(builder, loc, destination.getType(), source, destination,
                                      dynamic, fixed, {}, {}, {});
}

Value Importer::convertExtractSlice(Operation *op) {
  auto extract = cast<tensor::ExtractSliceOp>(op);
  Value input = lookup(extract.getSource());
  if (!input)
    return {};
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> strides;
  for (auto [offset, size, stride] : llvm::zip_equal(
           extract.getMixedOffsets(), extract.getMixedSizes(), extract.getMixedStrides())) {
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (!step)
      return refuse("expected static strides, but got dynamic ones");
    strides.push_back(*step);
    offsets.push_back(materialize(getIndexExpr(offset)));
    sizes.push_back(offsets.back() ? materialize(getIndexExpr(size)) : OpFoldResult());
    if (!sizes.back())
      return {};
  }
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  split(offsets, dynamicOffsets, staticOffsets);
  split(sizes, dynamicSizes, staticSizes);
  bool unit = llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  Value box = SliceOp::create(
      builder, loc, RankedTensorType::get(staticSizes, extract.getType().getElementType()), input,
      dynamicOffsets, dynamicSizes, builder.getDenseI64ArrayAttr(staticOffsets),
      builder.getDenseI64ArrayAttr(staticSizes),
      unit ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(strides), {}, {}, {});
  SmallVector<int64_t> dropped = positionsOf(extract.getDroppedDims());
  return dropped.empty() ? box : Value(SqueezeOp::create(builder, loc, box, dropped));
}

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

Value Importer::convertReshape(Operation *op) {
  Value input = lookup(op->getOperand(0));
  if (!input)
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    if (auto units = getUnitDims(expand.getReassociationIndices(), type.getShape()))
      return units->empty() ? input : Value(BroadcastOp::create(builder, loc, input, *units));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    if (auto units =
            getUnitDims(collapse.getReassociationIndices(), collapse.getSrcType().getShape()))
      return units->empty() ? input : Value(SqueezeOp::create(builder, loc, input, *units));
  std::string why;
  if (!planReshape(builder.getContext(), cast<RankedTensorType>(input.getType()).getShape(),
                   type.getShape(), why))
    return refuse(why);
  return fuser::ReshapeOp::create(builder, loc, type, input, {}, {}, {});
}

LogicalResult Importer::convertTensorOp(Operation *op) {
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](tensor::PadOp) { return convertPad(op); })
          .Case([&](tensor::InsertSliceOp) { return convertInsertSlice(op); })
          .Case([&](tensor::ExtractSliceOp) { return convertExtractSlice(op); })
          .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
              [&](auto) { return convertReshape(op); })
          .Case([&](tensor::SplatOp splat) { return capture(splat); })
          .Case([&](tensor::ConcatOp concat) -> Value {
            SmallVector<Value> inputs;
            for (Value input : concat.getInputs()) {
              inputs.push_back(lookup(input));
              if (!inputs.back())
                return {};
            }
            return CatOp::create(builder, loc, inputs, concat.getDim());
          })
          .Case([&](tensor::CastOp cast) -> Value {
            Value input = lookup(cast.getSource());
            auto from = input ? dyn_cast<RankedTensorType>(input.getType()) : RankedTensorType();
            auto to = dyn_cast<RankedTensorType>(cast.getType());
            if (!from || !to)
              return refuse("expected ranked tensors, but got an unranked one");
            for (auto [have, want] : llvm::zip_equal(from.getShape(), to.getShape()))
              if (ShapedType::isDynamic(have) && !ShapedType::isDynamic(want))
                return refuse("expected a cast to fewer static sizes, but got one to more");
            return input;
          })
          .Default([&](Operation *) -> Value { return refuse("it has no conversion"); });
  if (result)
    map[op->getResult(0)] = result;
  return success(bool(result));
}
