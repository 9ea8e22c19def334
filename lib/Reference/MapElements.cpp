//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shapes and operands of pointwise ops.
//
//===----------------------------------------------------------------------===//

#include "MapElements.h"
#include "Arithmetic.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

FailureOr<SmallVector<int64_t>> fuser::reference::inferBroadcastShape(OpContext &context) {
  auto resultType = cast<RankedTensorType>(context.getOp()->getResult(0).getType());
  SmallVector<int64_t> shape(resultType.getShape());
  for (unsigned number = 0; number < context.getNumOperands(); ++number) {
    if (!context.isTensor(number))
      continue;
    auto type = cast<RankedTensorType>(context.getOp()->getOperand(number).getType());
    for (int64_t dim = 0; dim < resultType.getRank(); ++dim) {
      int64_t size = context.operand(number).getDimSize(dim);
      if (type.getDimSize(dim) == 1)
        continue;
      if (ShapedType::isDynamic(shape[dim]))
        shape[dim] = size;
      if (shape[dim] != size)
        return context.emitError() << "expected dimension " << dim << " of operand " << number
                                   << " to be " << shape[dim] << ", but got " << size;
    }
  }
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size))
      size = 1;
  return shape;
}

SmallVector<int64_t> fuser::reference::getBroadcastStrides(const Tensor &tensor, int64_t rank) {
  if (tensor.getRank() != rank)
    return SmallVector<int64_t>(rank, 0);
  SmallVector<int64_t> strides = tensor.getStrides();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (tensor.getDimSize(dim) == 1)
      strides[dim] = 0;
  return strides;
}

Type fuser::reference::getOperandElementType(OpContext &context) {
  for (unsigned number = 0; number < context.getNumOperands(); ++number)
    if (context.isTensor(number))
      return context.operand(number).getElementType();
  return context.resultElementType();
}

const std::vector<double> &fuser::reference::getOperandValues(OpContext &context, unsigned number,
                                                              Type elementType,
                                                              std::vector<double> &storage) {
  const Tensor &tensor = context.operand(number);
  if (tensor.getKind() == ElementKind::Float && context.isTensor(number))
    return tensor.floats();
  // The scalar is converted to f32 if the op computes in f32.
  bool computesInF32 = isa<FloatType>(elementType) && elementType.getIntOrFloatBitWidth() <= 32;
  for (int64_t i = 0, count = tensor.getNumElements(); i < count; ++i) {
    double value = tensor.asDouble(i);
    storage.push_back(computesInF32 && !context.isTensor(number) ? double(float(value)) : value);
  }
  return storage;
}

const std::vector<int64_t> &fuser::reference::getOperandValues(OpContext &context, unsigned number,
                                                               Type elementType,
                                                               std::vector<int64_t> &storage) {
  const Tensor &tensor = context.operand(number);
  if (tensor.getKind() == ElementKind::Integer && tensor.getElementType() == elementType)
    return tensor.integers();
  for (int64_t i = 0, count = tensor.getNumElements(); i < count; ++i) {
    if (tensor.getKind() != ElementKind::Integer)
      storage.push_back(truncateToInteger(tensor.asDouble(i), elementType));
    else if (elementType.isInteger(1))
      storage.push_back(tensor.integers()[i] != 0);
    else
      storage.push_back(wrapToType(tensor.integers()[i], elementType));
  }
  return storage;
}

const std::vector<std::complex<double>> &
fuser::reference::getOperandValues(OpContext &context, unsigned number, Type elementType,
                                   std::vector<std::complex<double>> &storage) {
  const Tensor &tensor = context.operand(number);
  if (tensor.getKind() == ElementKind::Complex && context.isTensor(number))
    return tensor.complexes();
  auto complexType = dyn_cast<ComplexType>(elementType);
  bool isSingle = complexType && complexType.getElementType().isF32();
  for (int64_t i = 0, count = tensor.getNumElements(); i < count; ++i) {
    std::complex<double> value = tensor.asComplex(i);
    if (isSingle && !context.isTensor(number))
      value = {double(float(value.real())), double(float(value.imag()))};
    storage.push_back(value);
  }
  return storage;
}
