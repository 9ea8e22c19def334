//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors from and to DLPack.
//
//===----------------------------------------------------------------------===//

#include "fuser/CAPI/Runtime/DLPack.h"

#include "fuser-c/Runtime.h"

using namespace fuser;
using namespace fuser::capi;
using artifact::DeviceKind;
using artifact::DType;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;

namespace {
enum DeviceType : int32_t { kCPU = 1, kCUDA = 2, kCUDAHost = 3, kCUDAManaged = 13 };
enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBFloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8E4M3FN = 10,
  kFloat8E5M2 = 12,
};

struct TypeEntry {
  DType dtype;
  uint8_t code, bits;
};
constexpr TypeEntry kTypes[] = {
    {DType::Bool, kBool, 8},
    {DType::I8, kInt, 8},
    {DType::I16, kInt, 16},
    {DType::I32, kInt, 32},
    {DType::I64, kInt, 64},
    {DType::U8, kUInt, 8},
    {DType::U16, kUInt, 16},
    {DType::U32, kUInt, 32},
    {DType::U64, kUInt, 64},
    {DType::F16, kFloat, 16},
    {DType::BF16, kBFloat, 16},
    {DType::F32, kFloat, 32},
    {DType::F64, kFloat, 64},
    {DType::F8E4M3, kFloat8E4M3FN, 8},
    {DType::F8E5M2, kFloat8E5M2, 8},
    {DType::Complex64, kComplex, 64},
    {DType::Complex128, kComplex, 128},
};

/// Tables instead of a search of kTypes, because calls have hundreds of tensors.
class TypeTables {
public:
  constexpr TypeTables() {
    for (const TypeEntry &entry : kTypes) {
      of[entry.code][entry.bits / 8] = &entry;
      entries[static_cast<unsigned>(entry.dtype)] = &entry;
    }
  }
  constexpr const TypeEntry *find(uint8_t code, uint8_t bits) const {
    const TypeEntry *entry = code < kCodes ? of[code][bits / 8] : nullptr;
    return entry && entry->bits == bits ? entry : nullptr;
  }
  constexpr const TypeEntry *find(DType dtype) const {
    return entries[static_cast<unsigned>(dtype)];
  }

private:
  static constexpr unsigned kCodes = kFloat8E5M2 + 1, kBytes = 32;

  const TypeEntry *of[kCodes][kBytes] = {};
  const TypeEntry *entries[artifact::kNumDTypes] = {};
};
constexpr TypeTables kTypeTables;

/// An exported tensor, followed by its sizes and strides in the same allocation.
template <typename Managed> struct Export {
  Managed managed;
  runtime::Storage own;
  std::shared_ptr<runtime::Storage> shared;

  bool ownsMemory() const { return own.data() || shared; }
};

template <typename Managed> void deleteExport(Managed *self) {
  auto *exported = static_cast<Export<Managed> *>(self->manager_ctx);
  exported->~Export();
  ::operator delete(exported);
}

void setVersion(DLManagedTensor &) {}
void setVersion(DLManagedTensorVersioned &managed) { managed.version = {1, 1}; }

template <typename Managed>
Managed *exportTensor(const runtime::TensorView &tensor, runtime::Storage own,
                      std::shared_ptr<runtime::Storage> shared) {
  void *memory =
      ::operator new(sizeof(Export<Managed>) + 2 * size_t(tensor.rank) * sizeof(int64_t));
  // The flags and the offset stay 0.
  auto *exported = new (memory) Export<Managed>{{}, std::move(own), std::move(shared)};
  auto *shape = reinterpret_cast<int64_t *>(exported + 1);
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    shape[dim] = tensor.sizes[dim];
    shape[tensor.rank + dim] = tensor.strides[dim];
  }
  DLTensor &view = exported->managed.dl_tensor;
  const bool onHost = tensor.device.kind == DeviceKind::Host;
  view.data = tensor.data;
  view.device = {onHost ? kCPU : kCUDA, onHost ? 0 : tensor.device.ordinal};
  view.ndim = static_cast<int32_t>(tensor.rank);
  if (const TypeEntry *entry = kTypeTables.find(tensor.dtype))
    view.dtype = {entry->code, entry->bits, 1};
  view.shape = shape;
  view.strides = shape + tensor.rank;
  setVersion(exported->managed);
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = deleteExport<Managed>;
  return &exported->managed;
}
} // namespace

Expected<runtime::TensorView> fuser::capi::readTensor(const DLTensor &tensor, const char *kind,
                                                      size_t index, StrideLists &strides) {
  runtime::TensorView view;
  const TypeEntry *type =
      tensor.dtype.lanes == 1 ? kTypeTables.find(tensor.dtype.code, tensor.dtype.bits) : nullptr;
  if (!type)
    return makeError(ErrorCode::DTypeMismatch, kind, " ", index,
                     ": expected an element type that fusions know, but got DLPack type code ",
                     int(tensor.dtype.code), " of ", int(tensor.dtype.bits), " bits and ",
                     tensor.dtype.lanes, " lanes");
  switch (tensor.device.device_type) {
  case kCPU:
  case kCUDAHost:
    view.device = {DeviceKind::Host, 0};
    break;
  case kCUDA:
  case kCUDAManaged:
    view.device = {DeviceKind::Cuda, tensor.device.device_id};
    break;
  default:
    return makeError(ErrorCode::DeviceMismatch, kind, " ", index,
                     ": expected data on the CPU or on a CUDA device, but got DLPack device type ",
                     tensor.device.device_type);
  }
  if (tensor.ndim < 0)
    return makeError(ErrorCode::RankMismatch, kind, " ", index,
                     ": expected a rank of at least 0, but got ", tensor.ndim);
  view.dtype = type->dtype;
  view.rank = static_cast<uint32_t>(tensor.ndim);
  view.data = tensor.data ? static_cast<char *>(tensor.data) + tensor.byte_offset : nullptr;
  view.sizes = tensor.shape;
  view.strides = tensor.strides;
  if (!tensor.strides) {
    view.strides =
        strides.emplace_front(runtime::rowMajorStrides({tensor.shape, view.rank})).data();
  }
  for (uint32_t dim = 0; dim < view.rank; ++dim)
    if (view.strides[dim] < 0)
      return makeError(ErrorCode::StrideMismatch, kind, " ", index,
                       ": expected a stride of at least 0 in dimension ", dim, ", but got ",
                       view.strides[dim]);
  return view;
}

template <typename Managed>
void capi::ResultExporter<Managed>::receive(const runtime::TensorView &view, runtime::Storage own,
                                            std::shared_ptr<runtime::Storage> shared) {
  *next++ = exportTensor<Managed>(view, std::move(own), std::move(shared));
}
template class capi::ResultExporter<DLManagedTensor>;
template class capi::ResultExporter<DLManagedTensorVersioned>;

DLManagedTensor *capi::releaseTensor(const runtime::Tensor &tensor) {
  return exportTensor<DLManagedTensor>(tensor.view(), {}, tensor.storage);
}

int fuser_result_owns_memory(const DLManagedTensor *result) {
  return static_cast<const Export<DLManagedTensor> *>(result->manager_ctx)->ownsMemory();
}

int fuser_versioned_result_owns_memory(const DLManagedTensorVersioned *result) {
  return static_cast<const Export<DLManagedTensorVersioned> *>(result->manager_ctx)->ownsMemory();
}
