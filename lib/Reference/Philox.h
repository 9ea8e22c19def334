//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The generator of random numbers, on plain words.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_PHILOX_H
#define FUSER_LIB_REFERENCE_PHILOX_H

#include <array>
#include <cstdint>

namespace fuser::reference {

/// Philox 4x32 with ten rounds: the four words of a counter under a key.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t left = uint64_t(0xD2511F53) * counter[0];
    const uint64_t right = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(right >> 32) ^ counter[1] ^ key[0], uint32_t(right),
               uint32_t(left >> 32) ^ counter[3] ^ key[1], uint32_t(left)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_PHILOX_H
