//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shape ops: verification and domain mappings.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ShapeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> BroadcastOp::getRootKinds() { return detail::getKindsOfResult(*this); }

SmallVector<DimMap> BroadcastOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = getResult().getType().getRank(); dim < rank; ++dim)
    if (!llvm::is_contained(getDims(), dim))
      maps.push_back(DimMap::mapped(dim));
  return maps;
}

Value BroadcastOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

LogicalResult BroadcastOp::verify() {
  auto input = getInput().getType(), result = getResult().getType();
  // SH1: dims are ascending positions in the result.
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    if (dim < 0 || dim >= result.getRank())
      return emitOpError("expected 'dims' between 0 and ")
             << result.getRank() - 1 << ", but got " << dim;
    if (index && dim <= getDims()[index - 1])
      return emitOpError("expected 'dims' in ascending order, but got [") << getDims() << "]";
  }
  // SH2: the result is the operand with size-1 dimensions added.
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t dim : getDims())
    shape.insert(shape.begin() + std::min<size_t>(dim, shape.size()), 1);
  if (failed(verifyCompatibleShape(shape, result.getShape())) ||
      input.getElementType() != result.getElementType())
    return emitOpError("expected a result of shape [")
           << shape << "] and the operand's element type, but got " << result;
  return detail::verifyTensorViewOp(*this);
}
