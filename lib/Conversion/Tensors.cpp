//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of the tensor dialect.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
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
  Value input = lookup(pad.getSource());
  if (!input)
    return {};
  auto amounts = [&](ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult amount) { return getIndexExpr(amount); });
  };
  SmallVector<AffineExpr> low = amounts(pad.getMixedLowPad());
  Value old = pad.getConstantPaddingValue();
  Value value = old ? lookup(old) : Value();
  if (old && !value)
    return {};
  if (value && !isa<RankedTensorType>(value.getType()))
    return padTo(input, low, amounts(pad.getMixedHighPad()), value);
  // Values that depend on the position, or are read from a tensor: the operand is inserted into
  // them.
  Value border = convertGenerate(pad, pad.getRegion(), pad.getResultType());
  if (!border)
    return {};
  SmallVector<OpFoldResult> offsets;
  for (AffineExpr amount : low) {
    offsets.push_back(materialize(amount));
    if (!offsets.back())
      return {};
    if (std::optional<int64_t> fixed = getConstantIntValue(offsets.back()); fixed && *fixed < 0)
      return refuse("expected amounts that are not negative, but got " + llvm::Twine(*fixed));
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> fixed;
  split(offsets, dynamic, fixed);
  return fuser::InsertSliceOp::create(builder, loc, border.getType(), input, border, dynamic, fixed,
                                      {}, {}, {});
}

/// The positions of the set bits.
static SmallVector<int64_t> positionsOf(const llvm::SmallBitVector &bits) {
  return llvm::map_to_vector(bits.set_bits(), [](unsigned bit) { return int64_t(bit); });
}

/// True if a slice or an insertion is a box: its strides are static, and its place is no element of
/// a tensor.
template <typename OpT> static bool isBox(OpT op) {
  return llvm::none_of(
             op.getMixedStrides(),
             [](OpFoldResult stride) { return getConstantIntValue(stride).value_or(0) < 1; }) &&
         llvm::none_of(op.getMixedOffsets(), [](OpFoldResult offset) {
           auto value = dyn_cast<Value>(offset);
           return value && Importer::readsTensor(value);
         });
}

Value Importer::convertInsertSlice(Operation *op) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  if (!isBox(insert))
    return insertAt(insert);
  SmallVector<int64_t> strides;
  for (OpFoldResult stride : insert.getMixedStrides())
    strides.push_back(*getConstantIntValue(stride));
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
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    return insertWithStrides(source, insert.getDest(), border, strides, low,
                             llvm::map_to_vector(insert.getMixedSizes(), [&](OpFoldResult size) {
                               return getIndexExpr(size);
                             }));
  if (border && !isa<RankedTensorType>(border.getType()))
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

Value Importer::spread(Value source, ArrayRef<int64_t> strides, Value between) {
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    if (stride == 1)
      continue;
    int64_t inner = int64_t(dim) + 1;
    source = BroadcastOp::create(builder, loc, source, inner);
    AffineExpr zero = builder.getAffineConstantExpr(0);
    SmallVector<AffineExpr> low(strides.size() + 1, zero), high = low;
    high[inner] = builder.getAffineConstantExpr(stride - 1);
    source = padTo(source, low, high, between);
    SmallVector<ReassociationIndices> groups;
    for (int64_t position = 0; position <= int64_t(strides.size()); ++position) {
      if (position != inner)
        groups.emplace_back();
      groups.back().push_back(position);
    }
    source = source ? collapse(source, groups) : Value();
    if (!source)
      return {};
  }
  return source;
}

Value Importer::insertWithStrides(Value source, Value oldDestination, Value border,
                                  ArrayRef<int64_t> strides, ArrayRef<AffineExpr> low,
                                  ArrayRef<AffineExpr> box) {
  auto type = cast<RankedTensorType>(source.getType());
  auto place = [&](Value value, Value between) -> Value {
    value = spread(value, strides, between);
    if (!value)
      return {};
    // The last stride may reach beyond the destination; a negative amount crops.
    SmallVector<AffineExpr> high;
    for (auto [dim, stride] : llvm::enumerate(strides))
      high.push_back(getSizeExpr(oldDestination, dim) - low[dim] - box[dim] * stride);
    return padTo(value, low, high, between);
  };
  if (border && !isa<RankedTensorType>(border.getType()))
    return place(source, border);
  Value destination = lookup(oldDestination);
  if (!destination)
    return {};
  Value zero = makeScalar(builder.getZeroAttr(type.getElementType()));
  Value placed = place(source, zero);
  if (!placed)
    return {};
  Type i1 = builder.getI1Type();
  Value yes = makeScalar(builder.getBoolAttr(true)), no = makeScalar(builder.getBoolAttr(false));
  SmallVector<Value> dynamic;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamic.push_back(tensor::DimOp::create(builder, loc, source, dim));
  Value all = FullOp::create(builder, loc, type.clone(i1), yes, dynamic, {}, {}, {});
  Value mask = place(all, no);
  return mask ? Value(WhereOp::create(builder, loc, mask, placed, destination)) : Value();
}

Value Importer::convertExtractSlice(Operation *op) {
  auto extract = cast<tensor::ExtractSliceOp>(op);
  Value input = lookup(extract.getSource());
  if (!input)
    return {};
  if (!isBox(extract))
    return sliceAt(extract);
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> strides;
  for (auto [offset, size, stride] : llvm::zip_equal(
           extract.getMixedOffsets(), extract.getMixedSizes(), extract.getMixedStrides())) {
    strides.push_back(*getConstantIntValue(stride));
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

LogicalResult Importer::convertTensorOp(Operation *op) {
  Value result = llvm::TypeSwitch<Operation *, Value>(op)
                     .Case([&](tensor::PadOp) { return convertPad(op); })
                     .Case([&](tensor::InsertSliceOp) { return convertInsertSlice(op); })
                     .Case([&](tensor::ExtractSliceOp) { return convertExtractSlice(op); })
                     .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(
                         [&](auto) { return convertReshape(op); })
                     .Case<tensor::CastOp, tensor::BitcastOp>([&](auto) { return convertCast(op); })
                     .Case([&](tensor::SplatOp splat) { return capture(splat); })
                     .Case([&](tensor::GenerateOp generate) {
                       return convertGenerate(op, generate.getBody(), generate.getType());
                     })
                     .Case([&](tensor::FromElementsOp) { return convertFromElements(op); })
                     .Case([&](tensor::InsertOp) { return convertInsert(op); })
                     .Case([&](tensor::GatherOp) { return convertGather(op); })
                     .Case([&](tensor::ConcatOp concat) -> Value {
                       SmallVector<Value> inputs;
                       for (Value input : concat.getInputs()) {
                         inputs.push_back(lookup(input));
                         if (!inputs.back())
                           return {};
                       }
                       return CatOp::create(builder, loc, inputs, concat.getDim());
                     })
                     .Default([&](Operation *) -> Value { return refuse("it has no conversion"); });
  if (result)
    map[op->getResult(0)] = result;
  return success(bool(result));
}
