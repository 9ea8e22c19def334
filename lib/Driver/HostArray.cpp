//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions between bytes and the values of the reference.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/HostArray.h"
#include "fuser/Support/FloatConversion.h"
#include "mlir/IR/Builders.h"

#include <cstring>

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;

int64_t HostArray::getNumElements() const { return reference::getNumElements(shape); }

std::optional<DType> fuser::driver::getDType(Type type) {
  if (type.isInteger(1))
    return DType::Bool;
  if (type.isInteger(8))
    return DType::I8;
  if (type.isInteger(16))
    return DType::I16;
  if (type.isInteger(32))
    return DType::I32;
  if (type.isInteger(64) || type.isIndex())
    return DType::I64;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  if (isa<Float8E4M3FNType>(type))
    return DType::F8E4M3;
  if (isa<Float8E5M2Type>(type))
    return DType::F8E5M2;
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    if (complexType.getElementType().isF32())
      return DType::Complex64;
    if (complexType.getElementType().isF64())
      return DType::Complex128;
  }
  return std::nullopt;
}

Type fuser::driver::getElementType(DType dtype, MLIRContext *context) {
  Builder b(context);
  for (Type type : std::initializer_list<Type>{
           b.getI1Type(), b.getI8Type(), b.getI16Type(), b.getI32Type(), b.getI64Type(),
           b.getF16Type(), b.getBF16Type(), b.getF32Type(), b.getF64Type(),
           b.getType<Float8E4M3FNType>(), b.getType<Float8E5M2Type>(),
           ComplexType::get(b.getF32Type()), ComplexType::get(b.getF64Type())})
    if (getDType(type) == dtype)
      return type;
  return {};
}

std::string fuser::driver::describe(DType dtype, ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + artifact::toString(dtype);
}

//===----------------------------------------------------------------------===//
// Bytes to values
//===----------------------------------------------------------------------===//

/// Element `index` of an array of T.
template <typename T> static T load(const HostArray &array, int64_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(HostArray &array, int64_t index, T value) {
  std::memcpy(array.bytes.data() + index * sizeof(T), &value, sizeof(T));
}

static double loadFloat(const HostArray &array, int64_t index) {
  switch (array.dtype) {
  case DType::F64:
    return load<double>(array, index);
  case DType::F32:
    return load<float>(array, index);
  case DType::F16:
    return decodeFloat(load<uint16_t>(array, index), kF16);
  case DType::BF16:
    return decodeFloat(load<uint16_t>(array, index), kBF16);
  case DType::F8E4M3:
    return decodeFloat(load<uint8_t>(array, index), kF8E4M3FN);
  case DType::F8E5M2:
    return decodeFloat(load<uint8_t>(array, index), kF8E5M2);
  default:
    llvm_unreachable("the element type is a float");
  }
}

static int64_t loadInteger(const HostArray &array, int64_t index) {
  switch (array.dtype) {
  case DType::Bool:
    return load<uint8_t>(array, index) != 0;
  case DType::I8:
    return load<int8_t>(array, index);
  case DType::I16:
    return load<int16_t>(array, index);
  case DType::I32:
    return load<int32_t>(array, index);
  case DType::U8:
    return load<uint8_t>(array, index);
  case DType::U16:
    return load<uint16_t>(array, index);
  case DType::U32:
    return load<uint32_t>(array, index);
  case DType::I64:
  case DType::U64:
    return load<int64_t>(array, index);
  default:
    llvm_unreachable("the element type is an integer");
  }
}

static std::complex<double> loadComplex(const HostArray &array, int64_t index) {
  if (array.dtype == DType::Complex64)
    return {load<float>(array, 2 * index), load<float>(array, 2 * index + 1)};
  return {load<double>(array, 2 * index), load<double>(array, 2 * index + 1)};
}

reference::Tensor fuser::driver::toReference(const HostArray &array, Type elementType) {
  reference::Tensor tensor(elementType, array.shape);
  const int64_t count = array.getNumElements();
  switch (tensor.getKind()) {
  case reference::ElementKind::Float:
    for (int64_t i = 0; i < count; ++i)
      tensor.floats()[i] = loadFloat(array, i);
    break;
  case reference::ElementKind::Integer:
    for (int64_t i = 0; i < count; ++i)
      tensor.integers()[i] = loadInteger(array, i);
    break;
  case reference::ElementKind::Complex:
    for (int64_t i = 0; i < count; ++i)
      tensor.complexes()[i] = loadComplex(array, i);
    break;
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Values to bytes
//===----------------------------------------------------------------------===//

static void storeFloat(HostArray &array, int64_t index, double value) {
  switch (array.dtype) {
  case DType::F64:
    return store<double>(array, index, value);
  case DType::F32:
    return store<float>(array, index, float(value));
  case DType::F16:
    return store<uint16_t>(array, index, encodeFloat(value, kF16));
  case DType::BF16:
    return store<uint16_t>(array, index, encodeFloat(value, kBF16));
  case DType::F8E4M3:
    return store<uint8_t>(array, index, encodeFloat(value, kF8E4M3FN));
  case DType::F8E5M2:
    return store<uint8_t>(array, index, encodeFloat(value, kF8E5M2));
  default:
    llvm_unreachable("the element type is a float");
  }
}

static void storeInteger(HostArray &array, int64_t index, int64_t value) {
  switch (byteSize(array.dtype)) {
  case 1:
    return store<int8_t>(array, index, int8_t(value));
  case 2:
    return store<int16_t>(array, index, int16_t(value));
  case 4:
    return store<int32_t>(array, index, int32_t(value));
  default:
    return store<int64_t>(array, index, value);
  }
}

static void storeComplex(HostArray &array, int64_t index, std::complex<double> value) {
  if (array.dtype == DType::Complex64) {
    store<float>(array, 2 * index, float(value.real()));
    store<float>(array, 2 * index + 1, float(value.imag()));
  } else {
    store<double>(array, 2 * index, value.real());
    store<double>(array, 2 * index + 1, value.imag());
  }
}

HostArray fuser::driver::toHostArray(const reference::Tensor &tensor) {
  HostArray array;
  array.dtype = *getDType(tensor.getElementType());
  array.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  const int64_t count = array.getNumElements();
  array.bytes.resize(count * byteSize(array.dtype));
  switch (tensor.getKind()) {
  case reference::ElementKind::Float:
    for (int64_t i = 0; i < count; ++i)
      storeFloat(array, i, tensor.floats()[i]);
    break;
  case reference::ElementKind::Integer:
    for (int64_t i = 0; i < count; ++i)
      storeInteger(array, i, tensor.integers()[i]);
    break;
  case reference::ElementKind::Complex:
    for (int64_t i = 0; i < count; ++i)
      storeComplex(array, i, tensor.complexes()[i]);
    break;
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

SmallVector<int64_t> fuser::driver::getDenseStrides(ArrayRef<int64_t> shape,
                                                    ArrayRef<int64_t> order) {
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(shape[dim], 1);
  }
  return strides;
}

/// Calls body(row-major position, strided position) for every element.
template <typename Body>
static void forEachPosition(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides, Body body) {
  const int64_t count = reference::getNumElements(shape);
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t strided = 0;
  for (int64_t position = 0; position < count; ++position) {
    body(position, strided);
    for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
      strided += strides[dim];
      if (++index[dim] < shape[dim])
        break;
      strided -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
}

std::vector<char> fuser::driver::toStrided(const HostArray &array, ArrayRef<int64_t> strides) {
  const unsigned size = byteSize(array.dtype);
  std::vector<char> bytes(array.bytes.size());
  forEachPosition(array.shape, strides, [&](int64_t from, int64_t to) {
    std::memcpy(bytes.data() + to * size, array.bytes.data() + from * size, size);
  });
  return bytes;
}

HostArray fuser::driver::fromStrided(const char *data, DType dtype, ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> strides) {
  HostArray array;
  array.dtype = dtype;
  array.shape.assign(shape.begin(), shape.end());
  const unsigned size = byteSize(dtype);
  array.bytes.resize(array.getNumElements() * size);
  forEachPosition(shape, strides, [&](int64_t to, int64_t from) {
    std::memcpy(array.bytes.data() + to * size, data + from * size, size);
  });
  return array;
}
