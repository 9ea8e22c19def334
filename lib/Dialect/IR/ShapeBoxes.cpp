//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shape ops over boxes: slice, pad, cat, insert_slice.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace fuser;

/// SH4, SH7: one static entry for each dimension, one of `values` for each that is dynamic.
static LogicalResult verifyIndexList(Operation *op, ValueRange values, ArrayRef<int64_t> entries,
                                     int64_t rank, StringRef name) {
  if (int64_t(entries.size()) != rank)
    return op->emitOpError("expected '")
           << name << "' to have " << rank << " entries, but got " << entries.size();
  if (failed(fuser::detail::verifyAmounts(op, entries, name)))
    return failure();
  return fuser::detail::verifyDynamicSizes(op, values, entries, name);
}

using SizeBounds = SmallVector<std::pair<AffineExpr, AffineExpr>>;

/// Entry `dim` of a list of static and dynamic values.
static OpFoldResult getEntry(ArrayRef<int64_t> entries, ValueRange values, unsigned dim,
                             MLIRContext *context) {
  if (!ShapedType::isDynamic(entries[dim]))
    return IntegerAttr::get(IndexType::get(context), entries[dim]);
  return values[llvm::count_if(entries.take_front(dim), ShapedType::isDynamic)];
}

/// `entry` as an expression; null where it has none.
static AffineExpr getExpr(OpFoldResult entry, function_ref<AffineExpr(Value)> symbolOf,
                          MLIRContext *context) {
  if (std::optional<int64_t> constant = getConstantIntValue(entry))
    return getAffineConstantExpr(*constant, context);
  return symbolOf(cast<Value>(entry));
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> SliceOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> SliceOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = operandNumber ? 0 : getInput().getType().getRank(); dim < rank;
       ++dim)
    maps.push_back(DimMap::resized(dim,
                                   getEntry(getStaticOffsets(), getOffsets(), dim, getContext()),
                                   getStrides() ? (*getStrides())[dim] : 1));
  return maps;
}

SmallVector<AffineExpr> SliceOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>>,
                                                  function_ref<AffineExpr(Value)> symbolOf) {
  return fuser::detail::getExtentsFromSizes(getStaticSizes(), getSizes(), symbolOf, getContext());
}

/// The bounds of a box of `extent` elements at `offset`, each `step` after the one before it, in a
/// dimension of `whole` elements. A box without elements may be anywhere if its size is static.
/// No term overflows where the ones before it hold, whatever the values of a call are.
static void addBoxBounds(SizeBounds &bounds, AffineExpr offset, AffineExpr extent, int64_t step,
                         AffineExpr whole) {
  if (!offset || !extent || !whole || extent == 0)
    return;
  AffineExpr zero = getAffineConstantExpr(0, whole.getContext());
  bounds.emplace_back(zero, offset);
  bounds.emplace_back(zero, extent);
  auto first = dyn_cast<AffineConstantExpr>(offset), count = dyn_cast<AffineConstantExpr>(extent);
  if (first && count)
    if (std::optional<int64_t> last =
            llvm::checkedMulAdd(count.getValue() - 1, step, first.getValue()))
      if (*last < std::numeric_limits<int64_t>::max()) {
        bounds.emplace_back(getAffineConstantExpr(*last + 1, whole.getContext()), whole);
        return;
      }
  AffineExpr fitting = step == 1 ? whole - offset : (whole - offset - 1).floorDiv(step) + 1;
  bounds.emplace_back(extent, fitting);
}

SizeBounds SliceOp::getRequiredBounds(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                      function_ref<AffineExpr(Value)> symbolOf) {
  SizeBounds bounds;
  SmallVector<AffineExpr> extents = inferRootExtents(operandExtents, symbolOf);
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    OpFoldResult offset = getEntry(getStaticOffsets(), getOffsets(), dim, getContext());
    addBoxBounds(bounds, getExpr(offset, symbolOf, getContext()), extent,
                 getStrides() ? (*getStrides())[dim] : 1, operandExtents[0][dim]);
  }
  return bounds;
}

LogicalResult SliceOp::verify() {
  auto input = getInput().getType();
  int64_t rank = input.getRank();
  // SH4
  if (failed(verifyIndexList(*this, getOffsets(), getStaticOffsets(), rank, "offsets")) ||
      failed(verifyIndexList(*this, getSizes(), getStaticSizes(), rank, "sizes")))
    return failure();
  if (getStrides() && int64_t(getStrides()->size()) != rank)
    return emitOpError("expected 'strides' to have ")
           << rank << " entries, but got " << getStrides()->size();
  if (getStrides() && failed(fuser::detail::verifyAmounts(*this, *getStrides(), "strides")))
    return failure();
  // SH6
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t offset = getStaticOffsets()[dim], size = getStaticSizes()[dim],
            stride = getStrides() ? (*getStrides())[dim] : 1, extent = input.getDimSize(dim);
    bool hasOffset = !ShapedType::isDynamic(offset), hasSize = !ShapedType::isDynamic(size);
    if ((hasOffset && offset < 0) || (hasSize && size < 0) || stride < 1)
      return emitOpError("expected an offset and a size of at least 0 and a stride of at least 1 "
                         "in dimension ")
             << dim << ", but got " << offset << ", " << size << " and " << stride;
    int64_t last = 0;
    if (hasOffset && hasSize && size > 0 && !ShapedType::isDynamic(extent) &&
        (llvm::MulOverflow(size - 1, stride, last) || llvm::AddOverflow(last, offset, last) ||
         last >= extent))
      return emitOpError("expected a slice inside of dimension ")
             << dim << " (size " << extent << "), but got offset " << offset << ", size " << size
             << " and stride " << stride;
  }
  // SH2, SH3
  if (failed(fuser::detail::verifyResult(*this, getStaticSizes(), input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> PadOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> PadOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = operandNumber ? 0 : getInput().getType().getRank(); dim < rank;
       ++dim) {
    if (getStaticLow()[dim] == 0 && getStaticHigh()[dim] == 0) {
      maps.push_back(DimMap::mapped(dim));
      continue;
    }
    OpFoldResult low = getEntry(getStaticLow(), getLow(), dim, getContext());
    std::optional<int64_t> constant = getConstantIntValue(low);
    auto offset = IntegerAttr::get(IndexType::get(getContext()), constant ? -*constant : 0);
    maps.push_back(DimMap::resized(dim, offset));
    if (!constant)
      maps.back().minus = cast<Value>(low);
  }
  return maps;
}

SmallVector<AffineExpr> PadOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                                function_ref<AffineExpr(Value)> symbolOf) {
  SmallVector<AffineExpr> extents;
  for (auto [dim, extent] : llvm::enumerate(operandExtents[0])) {
    AffineExpr low =
        getExpr(getEntry(getStaticLow(), getLow(), dim, getContext()), symbolOf, getContext());
    AffineExpr high =
        getExpr(getEntry(getStaticHigh(), getHigh(), dim, getContext()), symbolOf, getContext());
    extents.push_back(extent && low && high ? extent + low + high : AffineExpr());
  }
  return extents;
}

SizeBounds PadOp::getRequiredBounds(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                    function_ref<AffineExpr(Value)> symbolOf) {
  SizeBounds bounds;
  for (AffineExpr extent : inferRootExtents(operandExtents, symbolOf))
    if (extent)
      bounds.emplace_back(getAffineConstantExpr(0, getContext()), extent);
  return bounds;
}

Value PadOp::buildElementAt(OpBuilder &builder, Location loc, ValueRange operands,
                            ArrayRef<Value> inRange, function_ref<Value(unsigned)>) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value value = operands[1 + getLow().size() + getHigh().size()];
  Value border = b.splatLike(operands[0], b.convert(value, getValue().getType(), b.resultElement));
  return inRange[0] ? b.select(inRange[0], operands[0], border) : operands[0];
}

LogicalResult PadOp::verify() {
  auto input = getInput().getType();
  int64_t rank = input.getRank();
  // SH4
  if (failed(verifyIndexList(*this, getLow(), getStaticLow(), rank, "low")) ||
      failed(verifyIndexList(*this, getHigh(), getStaticHigh(), rank, "high")))
    return failure();
  // SH2, SH3
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t low = getStaticLow()[dim], high = getStaticHigh()[dim];
    if (ShapedType::isDynamic(shape[dim]) || ShapedType::isDynamic(low) ||
        ShapedType::isDynamic(high)) {
      shape[dim] = ShapedType::kDynamic;
      continue;
    }
    int64_t size = 0;
    if (llvm::AddOverflow(shape[dim], low, size) || llvm::AddOverflow(size, high, size) || size < 0)
      return emitOpError("expected a result size of at least 0 in dimension ")
             << dim << ", but got " << shape[dim] << " + " << low << " + " << high;
    shape[dim] = size;
  }
  if (failed(fuser::detail::verifyResult(*this, shape, input.getElementType())) ||
      failed(fuser::detail::verifyScalar(*this, getValue(), "value", input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// CatOp
//===----------------------------------------------------------------------===//

/// The sum of the operands' sizes along `dim`; dynamic where one is.
static int64_t getJoinedSize(ValueRange inputs, int64_t dim) {
  int64_t sum = 0;
  for (Value input : inputs) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size) || llvm::AddOverflow(sum, size, sum))
      return ShapedType::kDynamic;
  }
  return sum;
}

void CatOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs, int64_t dim) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = getJoinedSize(inputs, dim);
  state.addOperands(inputs);
  state.addAttribute("dim", builder.getI64IntegerAttr(dim));
  state.addTypes(RankedTensorType::get(shape, type.getElementType()));
}

SmallVector<IdKind> CatOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> CatOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps = fuser::detail::getIdentityDimMaps(*this, operandNumber);
  int64_t before = 0;
  DimMap &map = maps[getDim()];
  map = DimMap::resized(getDim(), OpFoldResult());
  for (auto [number, input] : llvm::enumerate(getInputs().take_front(operandNumber))) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(getDim());
    if (ShapedType::isDynamic(size))
      map.minusExtents.emplace_back(number, getDim());
    else
      before += size;
  }
  map.offset = IntegerAttr::get(IndexType::get(getContext()), -before);
  return maps;
}

SmallVector<AffineExpr> CatOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                                function_ref<AffineExpr(Value)>) {
  SmallVector<AffineExpr> extents(operandExtents[0]);
  for (ArrayRef<AffineExpr> other : operandExtents.drop_front())
    for (auto [dim, extent] : llvm::enumerate(other)) {
      AffineExpr &have = extents[dim];
      if (int64_t(dim) == int64_t(getDim()))
        have = have && extent ? have + extent : AffineExpr();
      else if (!have || (extent && isa<AffineConstantExpr>(extent)))
        have = extent;
    }
  return extents;
}

Value CatOp::buildElementAt(OpBuilder &builder, Location loc, ValueRange operands,
                            ArrayRef<Value> inRange, function_ref<Value(unsigned)>) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value element = operands.back();
  for (size_t k = operands.size() - 1; k > 0; --k)
    element = inRange[k - 1] ? b.select(inRange[k - 1], operands[k - 1], element) : operands[k - 1];
  return element;
}

LogicalResult CatOp::verify() {
  if (getInputs().empty())
    return emitOpError("expected at least one operand, but got none");
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  int64_t dim = getDim();
  // SH1
  if (dim < 0 || dim >= first.getRank())
    return emitOpError("expected 'dim' between 0 and ")
           << first.getRank() - 1 << ", but got " << dim;
  // SH2, SH3
  SmallVector<int64_t> shape(first.getShape());
  for (auto [number, input] : llvm::enumerate(getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() != first.getRank() || type.getElementType() != first.getElementType())
      return emitOpError("expected operand ")
             << number << " with the rank and element type of " << first << ", but got " << type;
    for (auto [d, size] : llvm::enumerate(type.getShape())) {
      if (int64_t(d) == dim || ShapedType::isDynamic(size))
        continue;
      if (!ShapedType::isDynamic(shape[d]) && shape[d] != size)
        return emitOpError("expected dimension ")
               << d << " of operand " << number << " to be " << shape[d] << ", but got " << size;
      shape[d] = size;
    }
  }
  shape[dim] = getJoinedSize(getInputs(), dim);
  if (failed(fuser::detail::verifyResult(*this, shape, first.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// InsertSliceOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> InsertSliceOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> InsertSliceOp::getDimMaps(unsigned operandNumber) {
  if (operandNumber != 0)
    return fuser::detail::getIdentityDimMaps(*this, operandNumber);
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = getSource().getType().getRank(); dim < rank; ++dim) {
    OpFoldResult entry = getEntry(getStaticOffsets(), getOffsets(), dim, getContext());
    std::optional<int64_t> constant = getConstantIntValue(entry);
    auto offset = IntegerAttr::get(IndexType::get(getContext()), constant ? -*constant : 0);
    maps.push_back(DimMap::resized(dim, offset));
    if (!constant)
      maps.back().minus = cast<Value>(entry);
  }
  return maps;
}

SizeBounds InsertSliceOp::getRequiredBounds(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                            function_ref<AffineExpr(Value)> symbolOf) {
  SizeBounds bounds;
  for (auto [dim, extent] : llvm::enumerate(operandExtents[0])) {
    OpFoldResult offset = getEntry(getStaticOffsets(), getOffsets(), dim, getContext());
    addBoxBounds(bounds, getExpr(offset, symbolOf, getContext()), extent, /*step=*/1,
                 operandExtents[1][dim]);
  }
  return bounds;
}

Value InsertSliceOp::buildElementAt(OpBuilder &builder, Location loc, ValueRange operands,
                                    ArrayRef<Value> inRange, function_ref<Value(unsigned)>) {
  ElementBuilder b(builder, loc, getResult().getType());
  return inRange[0] ? b.select(inRange[0], operands[0], operands[1]) : operands[0];
}

LogicalResult InsertSliceOp::verify() {
  auto source = getSource().getType(), destination = getDestination().getType();
  int64_t rank = destination.getRank();
  // SH2, SH3
  if (source.getRank() != rank || source.getElementType() != destination.getElementType())
    return emitOpError("expected a source with the rank and element type of ")
           << destination << ", but got " << source;
  // SH4
  if (failed(verifyIndexList(*this, getOffsets(), getStaticOffsets(), rank, "offsets")))
    return failure();
  // SH6
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t offset = getStaticOffsets()[dim], size = source.getDimSize(dim),
            extent = destination.getDimSize(dim);
    if (ShapedType::isDynamic(offset))
      continue;
    if (offset < 0)
      return emitOpError("expected an offset of at least 0 in dimension ")
             << dim << ", but got " << offset;
    int64_t end = 0;
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(extent) &&
        (llvm::AddOverflow(offset, size, end) || end > extent))
      return emitOpError("expected the source inside of dimension ")
             << dim << " (size " << extent << "), but got offset " << offset << " and size "
             << size;
  }
  return fuser::detail::verifyTensorViewOp(*this);
}
