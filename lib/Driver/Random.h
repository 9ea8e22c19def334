//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random values from a counter: element i depends only on the seed and on i.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_RANDOM_H
#define FUSER_LIB_DRIVER_RANDOM_H

#include <cstdint>

namespace fuser::driver {

/// SplitMix64 with random access.
class RandomSource {
public:
  RandomSource(uint64_t seed, uint64_t stream) : key(mix(mix(seed) ^ stream)) {}

  uint64_t bits(uint64_t index) const { return mix(key + index * 0x9e3779b97f4a7c15ull); }
  /// In [0, 1), with 53 random bits.
  double uniform(uint64_t index) const { return double(bits(index) >> 11) * 0x1p-53; }
  /// In [low, high); low < high.
  int64_t integer(uint64_t index, int64_t low, int64_t high) const {
    return int64_t(uint64_t(low) + bits(index) % (uint64_t(high) - uint64_t(low)));
  }
  /// Mean 0, variance 1, between -3.5 and 3.5, never 0: the sum of four uniform numbers of 16 bits.
  double normal(uint64_t index) const {
    uint64_t word = bits(index);
    int64_t sum = 0;
    for (unsigned part = 0; part < 4; ++part)
      sum += int64_t((word >> (16 * part)) & 0xffff);
    // The sum of four has mean 131070 and deviation 37837; the half keeps it away from 0.
    return (double(sum) - 131070 + 0.5) / 37837;
  }

private:
  static uint64_t mix(uint64_t value) {
    value += 0x9e3779b97f4a7c15ull;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
  }

  uint64_t key;
};

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_RANDOM_H
