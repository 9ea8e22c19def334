//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSETILE_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSETILE_H

#include <cstdint>
#include <optional>

namespace fuser {

/// The most threads of a block.
inline constexpr int64_t kMaxTransposeThreads = 512;

/// The threads of a block, and the elements of its tile along the fastest dimension of transposed
/// tensors (`in`) and of the others (`out`).
struct TransposeTile {
  int64_t threads, in, out;
};

/// A dimension along which tiles have a side: its size, the widest vectors along it, and whether
/// rows of tiles along it are swizzled.
struct TransposeSide {
  std::optional<int64_t> size;
  int64_t width;
  bool isSwizzled;
};

/// A tile of which elements are read or written one by one: a dimension of few elements is a side
/// of it as it is. nullopt if vectors of one side need the usual tiles.
std::optional<TransposeTile> fitNarrow(const TransposeSide &in, const TransposeSide &out);

/// A side of at most `most` elements, a power of two, of which a short dimension leaves few out of
/// bounds.
int64_t fitTile(int64_t size, int64_t most);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSETILE_H
