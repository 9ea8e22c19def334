//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How strips of columns are distributed over the threads of a block, or of a cluster of blocks,
// that keep them in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_STRIPFIT_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_STRIPFIT_H

#include "fuser/Artifact/DeviceDescription.h"
#include <algorithm>
#include <cstdint>
#include <optional>

namespace fuser {

/// How a strip is distributed, as the parameters state it.
struct StripFit {
  int64_t rows = 1, columns = 1, part = 1, unroll = 1, steps = 1, cluster = 1;

  int64_t getThreads() const { return rows * columns * std::max<int64_t>(part, 1); }
  int64_t getMostRows() const { return rows * unroll * steps * cluster; }
  int64_t getVectors() const { return getThreads() * unroll * steps; }
};

/// Adjacent bytes of the widest strips.
inline constexpr int64_t kWidestStripBytes = 128;
/// Bytes of the narrowest asynchronous copy.
inline constexpr int64_t kLeastCopyBytes = 4;

/// What the fit of strips depends on.
struct StripSizes {
  /// Elements of the reduced, kept and fastest dimensions: `columns` are those of a strip, `outer`
  /// all others, `part` the fastest reduced ones (0: columns are the fastest).
  int64_t rows, columns, outer, part;
  /// Elements of a vector, bytes of an element, and those that are kept of a vector.
  int64_t vector, elementBytes, vectorBytes;
  /// Bytes of the narrowest element that is stored of a strip; 0: none is.
  int64_t storedBytes = 0;

  bool areCopied() const { return vector * elementBytes >= kLeastCopyBytes; }
};

/// The kept columns of a strip.
int64_t countColumns(const StripSizes &sizes, const StripFit &fit);

/// The strips of the grid.
int64_t countStrips(const StripSizes &sizes, const StripFit &fit);

/// The most shared memory of a block where `resident` of them share a multiprocessor.
int64_t getMostShared(int64_t resident, const artifact::DeviceDescription &device);

/// Shared memory of a block.
int64_t getSharedBytes(const StripSizes &sizes, const StripFit &fit);

/// How much longer a strip takes than one of the widest, or one that is narrower than all
/// candidates.
double getCostOfStrip(const StripSizes &sizes, const StripFit &fit);

/// The fit that takes the least time. nullopt if no cluster has the shared memory.
std::optional<StripFit> fitStrip(const StripSizes &sizes,
                                 const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_STRIPFIT_H
