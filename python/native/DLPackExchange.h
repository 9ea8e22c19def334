//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// DLPack 1.2 as far as calls use it: tensors of C, and the table of functions that a tensor type of
// Python publishes as `__dlpack_c_exchange_api__`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PYTHON_NATIVE_DLPACKEXCHANGE_H
#define FUSER_PYTHON_NATIVE_DLPACKEXCHANGE_H

#include <cstddef>
#include <cstdint>

extern "C" {

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};
enum { kDLCPU = 1, kDLCUDA = 2 };

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
enum { kDLComplex = 5 };

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};

struct DLPackVersion {
  uint32_t major, minor;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
};

/// Functions return 0, or -1 with a Python error.
struct DLPackExchangeAPI {
  DLPackVersion version;
  DLPackExchangeAPI *previous;
  void *managed_tensor_allocator;
  void *managed_tensor_from_py_object_no_sync;
  /// Takes the tensor over.
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *tensor, void **object);
  /// A view for as long as the object and its metadata live; null: unsupported.
  int (*dltensor_from_py_object_no_sync)(void *object, DLTensor *view);
  int (*current_work_stream)(int32_t device_type, int32_t device_id, void **stream);
};

} // extern "C"

#endif // FUSER_PYTHON_NATIVE_DLPACKEXCHANGE_H
