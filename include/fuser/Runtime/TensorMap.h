//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors as kernels copy boxes of them to shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_TENSORMAP_H
#define FUSER_RUNTIME_TENSORMAP_H

#include "fuser/Artifact/Error.h"

#include <cstdint>

namespace fuser::runtime {

/// What a map consists of. The first dimension is the slowest one of a box.
struct TensorMapSpec {
  static constexpr uint32_t kMaxRank = 5;

  const void *address = nullptr;
  uint32_t rank = 0;
  /// Bytes of an element: 1, 2, 4 or 8.
  uint32_t elementBytes = 0;
  /// Bytes of a swizzled row: 32, 64 or 128; 0: rows are not swizzled.
  uint32_t swizzle = 0;
  /// Elements of the tensor, bytes between them, and elements of a box.
  int64_t sizes[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};
  uint32_t box[kMaxRank] = {};

  bool isEmpty() const;
};

/// The parameter of a kernel, in the form of the device that has made it.
struct alignas(64) TensorMap {
  char bytes[128] = {};
};

/// Checks the limits of the hardware on a map of a tensor with elements. `name` is the parameter,
/// for the message. Fails with AlignmentMismatch, StrideMismatch, SizeMismatch or InvalidLaunch.
artifact::Status checkTensorMap(const TensorMapSpec &spec, const char *name);

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_TENSORMAP_H
