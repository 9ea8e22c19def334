//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A non-owning view of contiguous elements, as std::span in C++20.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_ARRAYVIEW_H
#define FUSER_ARTIFACT_ARRAYVIEW_H

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace fuser::artifact {

/// Read-only view of `size()` consecutive elements that the caller owns and keeps alive.
template <typename T> class ArrayView {
public:
  constexpr ArrayView() = default;
  constexpr ArrayView(const T *data, size_t size) : elements(data), count(size) {}
  ArrayView(const std::vector<T> &vector) : elements(vector.data()), count(vector.size()) {}
  /// Only for an argument that lives until the end of the full expression.
  constexpr ArrayView(const std::initializer_list<T> &list)
      : elements(list.begin() == list.end() ? nullptr : list.begin()), count(list.size()) {}

  constexpr const T *data() const { return elements; }
  constexpr size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr const T *begin() const { return elements; }
  constexpr const T *end() const { return elements + count; }
  const T &operator[](size_t index) const {
    assert(index < count && "index past the end of the view");
    return elements[index];
  }

private:
  const T *elements = nullptr;
  size_t count = 0;
};

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_ARRAYVIEW_H
