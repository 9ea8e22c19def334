//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops over the elements of several tensors at once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_ITERATION_H
#define FUSER_LIB_REFERENCE_ITERATION_H

#include "fuser/Reference/Tensor.h"

#include <array>

namespace fuser::reference {

/// Calls `body(offsets)` for every index of `shape` in row-major order, where offsets[k] is the dot
/// product of the index with strides[k] (one stride for each dimension; 0 for a dimension that
/// operand k does not have).
template <size_t N, typename Body>
void forEachElement(llvm::ArrayRef<int64_t> shape,
                    const std::array<llvm::SmallVector<int64_t>, N> &strides, Body body) {
  if (getNumElements(shape) == 0)
    return;
  std::array<int64_t, N> offsets{};
  if (shape.empty())
    return body(offsets);
  const int64_t last = shape.size() - 1;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    std::array<int64_t, N> inner = offsets;
    for (int64_t i = 0; i < shape[last]; ++i) {
      body(inner);
      for (size_t k = 0; k < N; ++k)
        inner[k] += strides[k][last];
    }
    // Increment the index of the outer dimensions like an odometer.
    int64_t dim = last - 1;
    for (; dim >= 0; --dim) {
      for (size_t k = 0; k < N; ++k)
        offsets[k] += strides[k][dim];
      if (++index[dim] < shape[dim])
        break;
      for (size_t k = 0; k < N; ++k)
        offsets[k] -= strides[k][dim] * shape[dim];
      index[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

/// Calls `body(index)` for every index of `shape` in row-major order.
template <typename Body> void forEachIndex(llvm::ArrayRef<int64_t> shape, Body body) {
  if (getNumElements(shape) == 0)
    return;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    body(llvm::ArrayRef<int64_t>(index));
    int64_t dim = int64_t(shape.size()) - 1;
    for (; dim >= 0 && ++index[dim] == shape[dim]; --dim)
      index[dim] = 0;
    if (dim < 0)
      return;
  }
}

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_ITERATION_H
