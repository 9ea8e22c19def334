//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Tensor.h"

namespace fuser::runtime {

DeviceId idOf(const Device &device) { return {device.description().kind, device.ordinal()}; }

std::string toString(DeviceId id) {
  return std::string(artifact::toString(id.kind)) + ":" + std::to_string(id.ordinal);
}

int64_t ScalarValue::asInteger() const {
  auto load = [&](auto zero) {
    std::memcpy(&zero, bytes, sizeof(zero));
    return static_cast<int64_t>(zero);
  };
  switch (dtype) {
  case DType::I8:
    return load(int8_t());
  case DType::I16:
    return load(int16_t());
  case DType::I32:
    return load(int32_t());
  case DType::U16:
    return load(uint16_t());
  case DType::U32:
    return load(uint32_t());
  case DType::I64:
  case DType::U64:
    return load(int64_t());
  default:
    return load(uint8_t());
  }
}

Storage::~Storage() {
  // A destructor cannot report a failure; the next use of the device reports it.
  if (memory)
    (void)device->free(memory, stream).ok();
}

ResultReceiver::~ResultReceiver() = default;

void TensorReceiver::receive(const TensorView &view, Storage own, std::shared_ptr<Storage> shared) {
  Tensor &tensor = tensors.emplace_back();
  tensor.storage = std::move(shared);
  if (own.data())
    tensor.storage = std::make_shared<Storage>(std::move(own));
  tensor.data = view.data;
  tensor.dtype = view.dtype;
  tensor.sizes.assign(view.sizes, view.sizes + view.rank);
  tensor.strides.assign(view.strides, view.strides + view.rank);
  tensor.device = view.device;
}

std::vector<int64_t> rowMajorStrides(ArrayView<int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i > 1; --i)
    strides[i - 2] = strides[i - 1] * (sizes[i - 1] > 1 ? sizes[i - 1] : 1);
  return strides;
}

Expected<Tensor> allocateTensor(const std::shared_ptr<Device> &device, DType dtype,
                                ArrayView<int64_t> sizes, Stream stream) {
  int64_t bytes = artifact::byteSize(dtype);
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0)
      return makeError(ErrorCode::SizeMismatch, "dimension ", i,
                       ": expected a size of at least 0, but got ", sizes[i]);
    empty |= sizes[i] == 0;
    if (sizes[i] > 1 && __builtin_mul_overflow(bytes, sizes[i], &bytes))
      return makeError(ErrorCode::IntegerOverflow, "dimension ", i,
                       ": expected a tensor whose bytes fit 64 bits, but its size is ", sizes[i]);
  }
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.device = idOf(*device);
  tensor.sizes.assign(sizes.begin(), sizes.end());
  tensor.strides = rowMajorStrides(sizes);
  if (empty)
    return tensor;
  Expected<void *> memory = device->allocate(static_cast<size_t>(bytes), stream);
  if (!memory)
    return memory.takeError();
  tensor.storage = std::make_shared<Storage>(device, *memory, stream);
  tensor.data = *memory;
  return tensor;
}

bool byteRangeOf(const TensorView &tensor, ByteRange &range) {
  range = {};
  int64_t low = 0, high = 0;
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.sizes[i] == 0)
      return true;
    int64_t reach = 0;
    if (__builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &reach))
      return false;
    int64_t &side = reach < 0 ? low : high;
    if (__builtin_add_overflow(side, reach, &side))
      return false;
  }
  int64_t bytes = artifact::byteSize(tensor.dtype);
  auto base = reinterpret_cast<uintptr_t>(tensor.data);
  return !__builtin_add_overflow(high, 1, &high) && !__builtin_mul_overflow(high, bytes, &high) &&
         !__builtin_mul_overflow(low, bytes, &low) &&
         !__builtin_add_overflow(base, low, &range.begin) &&
         !__builtin_add_overflow(base, high, &range.end);
}

} // namespace fuser::runtime
