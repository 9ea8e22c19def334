//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/BorderOps.cpp.inc"

SmallVector<IdKind> BorderOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }
SmallVector<DimMap> BorderOp::getDimMaps(unsigned operandNumber) { return {}; }

SmallVector<AffineExpr> BorderOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>>,
                                                   function_ref<AffineExpr(Value)> symbolOf) {
  return fuser::detail::getExtentsFromSizes(getResult().getType().getShape(), getSizes(), symbolOf,
                                            getContext());
}

Value BorderOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  return b.convert(operands[0], getValue().getType(), b.resultElement);
}

Value BorderOp::createElementOp(OpBuilder &builder, Value value) {
  auto type = RankedTensorType::get({}, getResult().getType().getElementType());
  return FullOp::create(builder, getLoc(), type, value, /*sizes=*/ValueRange(), ArrayAttr(),
                        MemoryAttr(), IntegerAttr());
}

LogicalResult BorderOp::verify() {
  auto type = getResult().getType();
  const size_t rank = type.getRank(), entries = getStaticOffsets().size();
  // ST12
  if (failed(fuser::detail::verifyScalar(*this, getValue(), "value", type.getElementType())) ||
      failed(fuser::detail::verifyDynamicSizes(*this, getSizes(), type.getShape(), "sizes")) ||
      failed(
          fuser::detail::verifyDynamicSizes(*this, getOffsets(), getStaticOffsets(), "offsets")) ||
      failed(fuser::detail::verifyDynamicSizes(*this, getBoxSizes(), getStaticBoxSizes(),
                                               "box sizes")))
    return failure();
  if (rank == 0 || entries == 0 || entries % rank != 0 || getStaticBoxSizes().size() != entries)
    return emitOpError("expected an offset and a size for each of ")
           << rank << " dimensions of at least one box, but got " << entries << " offsets and "
           << getStaticBoxSizes().size() << " sizes";
  for (auto [entry, offset, size] : llvm::enumerate(getStaticOffsets(), getStaticBoxSizes())) {
    int64_t extent = type.getDimSize(entry % rank), end = 0;
    const bool hasOffset = !ShapedType::isDynamic(offset), hasSize = !ShapedType::isDynamic(size);
    if ((hasOffset && offset < 0) || (hasSize && size < 0) ||
        (hasOffset && hasSize && !ShapedType::isDynamic(extent) &&
         (llvm::AddOverflow(offset, size, end) || end > extent)))
      return emitOpError("expected a box inside of dimension ")
             << entry % rank << " (size " << extent << "), but got offset " << offset
             << " and size " << size;
  }
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// WindowOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> WindowOp::getRootKinds() {
  return llvm::map_to_vector(getInput().getType().getShape(), [](int64_t size) {
    return size == 1 ? IdKind::Broadcast : IdKind::Iteration;
  });
}

SmallVector<DimMap> WindowOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = operandNumber ? 0 : getInput().getType().getRank(); dim < rank;
       ++dim)
    maps.push_back(DimMap::mapped(dim));
  return maps;
}

SmallVector<AffineExpr> WindowOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                                   function_ref<AffineExpr(Value)> symbolOf) {
  return operandExtents[0];
}

Value WindowOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

LogicalResult WindowOp::verify() {
  auto from = getInput().getType(), to = getResult().getType();
  // ST13
  ArrayRef<int64_t> dims = getDims();
  if (getOffsets().size() != dims.size() || getSizes().size() != dims.size())
    return emitOpError("expected an offset and a size for each of ")
           << dims.size() << " dimensions, but got " << getOffsets().size() << " offsets and "
           << getSizes().size() << " sizes";
  SmallVector<int64_t> shape(from.getShape());
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= from.getRank())
      return emitOpError("expected different dimensions of the input, in order, but got ") << dim;
    shape[dim] = ShapedType::kDynamic;
    previous = dim;
  }
  if (to != from.clone(shape))
    return emitOpError("expected the result type ") << from.clone(shape) << ", but got " << to;
  if (!llvm::all_of(getResult().getUsers(), llvm::IsaPred<ReturnOp>))
    return emitOpError("expected no users but the return of the kernel");
  return fuser::detail::verifyTensorViewOp(*this);
}
