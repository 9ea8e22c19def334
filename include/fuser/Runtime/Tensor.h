//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arguments and results of calls: views of tensors that the caller owns, scalars, and tensors that
// own their memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_TENSOR_H
#define FUSER_RUNTIME_TENSOR_H

#include "fuser/Artifact/DType.h"
#include "fuser/Runtime/Device.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace fuser::runtime {

using artifact::DType;

/// The device that holds data.
struct DeviceId {
  artifact::DeviceKind kind = artifact::DeviceKind::Cuda;
  int ordinal = 0;
};
inline bool operator==(DeviceId a, DeviceId b) {
  return a.kind == b.kind && a.ordinal == b.ordinal;
}
inline bool operator!=(DeviceId a, DeviceId b) { return !(a == b); }
DeviceId idOf(const Device &device);
/// "cuda:0".
std::string toString(DeviceId id);

/// A tensor in memory that the caller keeps alive.
struct TensorView {
  /// Address of the element with all indices zero; may be null if there are no elements.
  void *data = nullptr;
  DType dtype = DType::F32;
  uint32_t rank = 0;
  /// `rank` entries each; strides count elements. Both may be null for rank 0.
  const int64_t *sizes = nullptr;
  const int64_t *strides = nullptr;
  DeviceId device;
};

/// A scalar by value, as raw bytes of its type.
struct ScalarValue {
  DType dtype = DType::F32;
  alignas(16) unsigned char bytes[16] = {};

  template <typename T> static ScalarValue of(DType dtype, T value) {
    static_assert(sizeof(T) <= 16, "a scalar has at most 16 bytes");
    ScalarValue scalar;
    scalar.dtype = dtype;
    std::memcpy(scalar.bytes, &value, sizeof(T));
    return scalar;
  }
  static ScalarValue f32(float value) { return of(DType::F32, value); }
  static ScalarValue f64(double value) { return of(DType::F64, value); }
  static ScalarValue i64(int64_t value) { return of(DType::I64, value); }
  static ScalarValue boolean(bool value) { return of(DType::Bool, static_cast<uint8_t>(value)); }

  /// The value of an integer type, sign- or zero-extended.
  int64_t asInteger() const;
};

/// One argument of a call.
struct CallArgument {
  bool isTensor = true;
  TensorView tensor;
  ScalarValue scalar;

  CallArgument(const TensorView &tensor) : tensor(tensor) {}
  CallArgument(const ScalarValue &scalar) : isTensor(false), scalar(scalar) {}
};

/// Device memory that is freed, in stream order, with its owner.
class Storage {
public:
  /// No memory.
  Storage() = default;
  Storage(std::shared_ptr<Device> device, void *memory, Stream stream)
      : device(std::move(device)), memory(memory), stream(stream) {}
  Storage(Storage &&other) noexcept
      : device(std::move(other.device)), memory(std::exchange(other.memory, nullptr)),
        stream(other.stream) {}
  ~Storage();
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;

  void *data() const { return memory; }

private:
  std::shared_ptr<Device> device;
  void *memory = nullptr;
  Stream stream = nullptr;
};

/// A result of a call. Copies share its memory; an output that aliases an argument has no storage,
/// and is valid as long as the caller keeps the argument.
struct Tensor {
  std::shared_ptr<Storage> storage;
  void *data = nullptr;
  DType dtype = DType::F32;
  std::vector<int64_t> sizes, strides;
  DeviceId device;

  TensorView view() const {
    return {data, dtype, static_cast<uint32_t>(sizes.size()), sizes.data(), strides.data(), device};
  }
};

/// Takes the results of a call one by one, in order, and decides how they are kept: a call
/// allocates nothing for them but their memory.
class ResultReceiver {
public:
  virtual ~ResultReceiver();
  /// `view` is valid until the function returns. `own`: its memory, if no other result has a part
  /// of it; `shared`: its memory, if others have. Neither: it lies in an argument or has no
  /// elements. Called only for calls that succeed.
  virtual void receive(const TensorView &view, Storage own, std::shared_ptr<Storage> shared) = 0;
};

/// Keeps results as tensors.
class TensorReceiver final : public ResultReceiver {
public:
  explicit TensorReceiver(size_t count) { tensors.reserve(count); }
  void receive(const TensorView &view, Storage own, std::shared_ptr<Storage> shared) override;
  std::vector<Tensor> take() { return std::move(tensors); }

private:
  std::vector<Tensor> tensors;
};

/// Strides of a dense row-major tensor; dimensions of size 0 count as 1.
std::vector<int64_t> rowMajorStrides(ArrayView<int64_t> sizes);

/// An uninitialized dense row-major tensor. Fails with SizeMismatch on a negative size, with
/// IntegerOverflow if its bytes do not fit 64 bits, and as Device::allocate does.
Expected<Tensor> allocateTensor(const std::shared_ptr<Device> &device, DType dtype,
                                ArrayView<int64_t> sizes, Stream stream = nullptr);

/// The bytes that a tensor's elements cover: [begin, end), empty if there are no elements.
struct ByteRange {
  uintptr_t begin = 0, end = 0;

  bool overlaps(const ByteRange &other) const { return begin < other.end && other.begin < end; }
};
/// False if the range does not fit the address space.
bool byteRangeOf(const TensorView &tensor, ByteRange &range);

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_TENSOR_H
