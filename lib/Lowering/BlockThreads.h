//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The threads of a block, and how they combine what each has accumulated.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BLOCKTHREADS_H
#define FUSER_LIB_LOWERING_BLOCKTHREADS_H

#include "fuser/Dialect/IR/Domain.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser {

inline constexpr ParallelType kThreadTypes[] = {ParallelType::ThreadX, ParallelType::ThreadY,
                                                ParallelType::ThreadZ};
inline constexpr ParallelType kBlockTypes[] = {ParallelType::BlockX, ParallelType::BlockY,
                                               ParallelType::BlockZ};

/// The number of threads along each type, and which of them shuffles combine. Warps are threads
/// that are adjacent along thread_x, then thread_y, then thread_z.
class BlockThreads {
public:
  /// `counts`: along x, y and z.
  explicit BlockThreads(llvm::ArrayRef<int64_t> counts) : counts(counts) {}

  int64_t getCount(ParallelType type) const {
    return counts[unsigned(type) - unsigned(ParallelType::ThreadX)];
  }
  /// The product of those along `types`.
  int64_t getCount(llvm::ArrayRef<ParallelType> types) const;
  int64_t getNumThreads() const { return getCount(kThreadTypes); }

  /// Those of `types` along which shuffles and slots of warps combine, thread_x first: they have a
  /// part of a warp, or whole warps. One warp reads the slots of up to 32.
  llvm::SmallVector<ParallelType> getWarpTypes(llvm::ArrayRef<ParallelType> types) const;
  /// True if the warps along the types exchange tuples.
  bool exchangesWarps(llvm::ArrayRef<ParallelType> warpTypes) const;

  /// Threads of a warp that are `distance` apart.
  struct WarpPart {
    int64_t distance, count;
  };
  /// The neighbors along a type that share a warp, at a distance of one another that is the number
  /// of threads along the types before it: 1 if shuffles can't combine them.
  WarpPart getWarpPart(ParallelType type) const;
  /// The threads of a warp that shuffles combine, along types that are no warp types.
  int64_t countOfWarpParts(llvm::ArrayRef<ParallelType> types) const;

  /// True if a thread combines the slots of one element of a tuple of `elements`, rather than every
  /// thread those of its tuples, along types that are no warp types.
  bool spreadsSlots(llvm::ArrayRef<ParallelType> types, int64_t elements) const;

  /// Slots in shared memory for tuples.
  struct Slots {
    int64_t ofWarps = 0, ofThreads = 0, ofResults = 0;
  };
  /// Those by which the threads along `types` combine tuples of `elements`.
  Slots getSlots(llvm::ArrayRef<ParallelType> types, int64_t elements) const;

private:
  llvm::SmallVector<int64_t, 3> counts;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BLOCKTHREADS_H
