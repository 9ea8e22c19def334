//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops over the dimension that a scan combines along.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_SCANLOOPS_H
#define FUSER_IDS_SCANLOOPS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// The scanned dimension is one loop, or split into several. In the order of significance (the
/// outer part of a split before the inner one), they are
///   - carried loops: serial, and outside of all others; a tuple is carried from one iteration to
///     the next. Or one loop on blocks, each of which waits for the tuples of those before it: the
///     tiles are chained;
///   - the loops of a tile: threads, vectors, and loops of each thread. All elements of a tile are
///     collected before its results are computed, after its outermost loop that is not a thread.
///     So these loops are not shared with consumers.
/// If no loop is a thread or a vector and all are in the order of significance, all of them are
/// carried, and each iteration computes its result.
struct ScanLoops {
  /// Positions in the loop domain, in the order of significance.
  llvm::SmallVector<unsigned> positions;
  /// The number of carried loops.
  unsigned numCarried = 0;
  /// True if the only carried loop is on blocks.
  bool isChained = false;
  /// The position of the outermost loop of a tile that is neither a thread nor a block; the number
  /// of loops if there is none.
  unsigned tilePosition = 0;
  /// Not empty if the loops are not legal: what they do, after "expected".
  std::string problem;

  /// False if each iteration of the carried loops computes its result.
  bool hasTile() const { return isChained || numCarried < positions.size(); }
  /// True if the loop at `position` runs over a part of a tile and is none of the hardware's.
  bool isInTile(unsigned position) const {
    return hasTile() && position >= tilePosition &&
           llvm::is_contained(llvm::ArrayRef(positions).drop_front(numCarried), position);
  }

  /// Nullopt if the op is no scan, or scans a dimension of size 1: each element is its own result.
  static std::optional<ScanLoops> get(TensorViewOpInterface op);
};

} // namespace fuser

#endif // FUSER_IDS_SCANLOOPS_H
