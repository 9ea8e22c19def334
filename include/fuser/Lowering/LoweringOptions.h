//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LOWERING_LOWERINGOPTIONS_H
#define FUSER_LOWERING_LOWERINGOPTIONS_H

#include <cstdint>

namespace fuser {

/// What lowering has to know of the device that a kernel is for.
struct LoweringOptions {
  /// The shared memory that a block can have, in bytes: 227 KiB on sm_90 and sm_100.
  int64_t maxSharedBytes = 227 * 1024;
  /// Compute f32 functions and divisions by the GPU's one-instruction approximations
  /// (docs/approximate-math.md). Changes results.
  bool approximateMath = false;
  /// The blocks that a cluster can have: 8 on sm_90 and sm_100; 1 on devices without clusters.
  int64_t maxClusterBlocks = 8;
  /// One thread can copy long pieces to shared memory: since sm_90.
  bool bulkCopies = true;
  /// Warps can store matrices to shared memory (stmatrix): since sm_90.
  bool matrixStores = true;
  /// Threads can add vectors of f32 to global memory (red.v4.f32): since sm_90.
  bool vectorAtomics = true;
  /// Warp groups can multiply matrices in shared memory (wgmma): sm_90a alone.
  bool warpGroups = true;
  /// Multiprocessors of the device; 0: unknown. Blocks that wait for each other have to be resident
  /// at once, so that their share of the registers depends on it.
  int64_t multiprocessors = 0;
};

} // namespace fuser

#endif // FUSER_LOWERING_LOWERINGOPTIONS_H
