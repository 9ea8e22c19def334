//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// DLPack 1.2 as far as calls use it: the table of functions that a tensor type of Python publishes
// as
// `__dlpack_c_exchange_api__`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PYTHON_NATIVE_DLPACKEXCHANGE_H
#define FUSER_PYTHON_NATIVE_DLPACKEXCHANGE_H

#include "fuser/CAPI/Runtime/DLPackTypes.h"

extern "C" {

enum { kDLCPU = 1, kDLCUDA = 2 };
enum { kDLComplex = 5 };

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
