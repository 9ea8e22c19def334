//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the threads of a warp can do together.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_WARPS_H
#define FUSER_LIB_LOWERING_WARPS_H

#include "llvm/Support/MathExtras.h"

namespace fuser {

/// Threads of a warp.
inline constexpr int64_t kWarp = 32;
/// Warps, and threads, of a warp group.
inline constexpr int64_t kGroupWarps = 4, kWarpGroup = kGroupWarps * kWarp;
/// A lane has 2 x 2 of 16 rows and each 8 columns of the result of a matrix instruction.
inline constexpr int64_t kOfMmaLane = 2;

/// True if shuffles combine rows of so many threads on x: a power of two in a warp, or whole warps.
inline bool canShuffleRows(int64_t threads) {
  return threads % kWarp == 0 || (threads < kWarp && llvm::isPowerOf2_64(threads));
}

} // namespace fuser

#endif // FUSER_LIB_LOWERING_WARPS_H
