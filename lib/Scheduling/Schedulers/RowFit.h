//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the threads of a block, or of a cluster of blocks, share a row that they keep in registers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWFIT_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWFIT_H

#include "fuser/Artifact/DeviceDescription.h"
#include <cstdint>
#include <limits>
#include <optional>

namespace fuser {

/// What threads hold of a row.
struct RowElements {
  /// Elements of a vector.
  int64_t vector;
  /// Bytes of the widest element, and of all elements at one index that are kept.
  int64_t bytes, keptBytes;
  /// Elements of a part of the row that is reduced alone: a thread has one vector of it at a time,
  /// and its threads are adjacent. 0 without such parts.
  int64_t part = 0;
  /// Reductions of a row.
  int64_t numSteps = 1;
  /// Enough rows for several waves of blocks: throughput counts, not how long one row takes.
  bool areManyRows = true;
  /// How many; the greatest number if that is not known.
  int64_t numRows = std::numeric_limits<int64_t>::max();
  /// Some are computed from random numbers.
  bool areDrawn = false;
};

/// How a row is distributed: threads of a block, vectors of a thread, blocks, threads of a part.
struct RowFit {
  int64_t threads, vectors, cluster = 1, part = 1;
};

/// The smallest number of threads and vectors that covers a row. nullopt if the row does not fit.
std::optional<RowFit> fitBlock(int64_t row, const RowElements &elements, bool isOneLength);

/// A block, or a cluster if a block cannot hold the row. nullopt if neither can.
std::optional<RowFit> fitRow(int64_t row, const RowElements &elements,
                             const artifact::DeviceDescription &device);

/// Bytes of the longest row that a block or a cluster can keep.
int64_t getMostKeptBytes(const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWFIT_H
