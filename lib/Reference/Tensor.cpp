//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors and the rounding of their elements.
//
//===----------------------------------------------------------------------===//

#include "fuser/Reference/Tensor.h"
#include "fuser/Support/FloatConversion.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

ElementKind fuser::reference::getElementKind(Type elementType) {
  if (isa<FloatType>(elementType))
    return ElementKind::Float;
  return isa<ComplexType>(elementType) ? ElementKind::Complex : ElementKind::Integer;
}

int64_t fuser::reference::getNumElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Tensor::Tensor(Type elementType, ArrayRef<int64_t> shape) : elementType(elementType), shape(shape) {
  size_t count = getNumElements();
  switch (getKind()) {
  case ElementKind::Float:
    floatValues.resize(count);
    break;
  case ElementKind::Integer:
    integerValues.resize(count);
    break;
  case ElementKind::Complex:
    complexValues.resize(count);
    break;
  }
}

Tensor::Tensor(Type elementType, ArrayRef<int64_t> shape, std::vector<double> values)
    : elementType(elementType), shape(shape), floatValues(std::move(values)) {
  assert(getKind() == ElementKind::Float && int64_t(floatValues.size()) == getNumElements() &&
         "as many doubles as the shape says");
}

Tensor::Tensor(Type elementType, ArrayRef<int64_t> shape, std::vector<int64_t> values)
    : elementType(elementType), shape(shape), integerValues(std::move(values)) {
  assert(getKind() == ElementKind::Integer && int64_t(integerValues.size()) == getNumElements() &&
         "as many integers as the shape says");
}

Tensor::Tensor(Type elementType, ArrayRef<int64_t> shape, std::vector<std::complex<double>> values)
    : elementType(elementType), shape(shape), complexValues(std::move(values)) {
  assert(getKind() == ElementKind::Complex && int64_t(complexValues.size()) == getNumElements() &&
         "as many complex numbers as the shape says");
}

int64_t Tensor::getNumElements() const { return reference::getNumElements(shape); }

SmallVector<int64_t> Tensor::getStrides() const {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = getRank() - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

Tensor Tensor::reshaped(ArrayRef<int64_t> newShape) const {
  assert(reference::getNumElements(newShape) == getNumElements() && "as many elements");
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

double Tensor::asDouble(int64_t index) const { return asComplex(index).real(); }

std::complex<double> Tensor::asComplex(int64_t index) const {
  switch (getKind()) {
  case ElementKind::Float:
    return floatValues[index];
  case ElementKind::Integer:
    return double(integerValues[index]);
  case ElementKind::Complex:
    return complexValues[index];
  }
  return 0;
}

void fuser::reference::printShape(raw_ostream &stream, const Tensor &tensor) {
  for (int64_t size : tensor.getShape())
    stream << size << "x";
  stream << tensor.getElementType();
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static std::optional<FloatFormat> getNarrowFormat(Type type) {
  if (type.isF16())
    return kF16;
  if (type.isBF16())
    return kBF16;
  if (isa<Float8E5M2Type>(type))
    return kF8E5M2;
  if (isa<Float8E4M3FNType>(type))
    return kF8E4M3FN;
  return std::nullopt;
}

static double roundToF32(double value, bool roundPrecision) {
  float rounded = float(value);
  return roundPrecision || std::isinf(rounded) || rounded == 0 ? double(rounded) : value;
}

double fuser::reference::roundToType(double value, Type floatType, bool roundF32) {
  if (std::optional<FloatFormat> format = getNarrowFormat(floatType))
    return roundToFormat(value, *format);
  return floatType.isF32() ? roundToF32(value, roundF32) : value;
}

int64_t fuser::reference::wrapToType(int64_t value, Type integerType) {
  unsigned width = integerType.isIndex() ? 64 : integerType.getIntOrFloatBitWidth();
  if (width >= 64)
    return value;
  if (width == 1)
    return value & 1;
  unsigned shift = 64 - width;
  return int64_t(uint64_t(value) << shift) >> shift;
}

void fuser::reference::roundElements(Tensor &tensor, bool roundF32) {
  Type type = tensor.getElementType();
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Type part = complexType.getElementType();
    for (std::complex<double> &value : tensor.complexes())
      value = {roundToType(value.real(), part, roundF32),
               roundToType(value.imag(), part, roundF32)};
    return;
  }
  if (auto format = getNarrowFormat(type)) {
    for (double &value : tensor.floats())
      value = roundToFormat(value, *format);
  } else if (type.isF32()) {
    for (double &value : tensor.floats())
      value = roundToF32(value, roundF32);
  } else if (tensor.getKind() == ElementKind::Integer) {
    for (int64_t &value : tensor.integers())
      value = wrapToType(value, type);
  }
}
