//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A 128-bit content hash: equal on every machine and in every process, so that it can name files.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_HASH_H
#define FUSER_ARTIFACT_HASH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuser::artifact {

struct Kernel;

/// A content key. Collisions are negligible for content that is not crafted; it is not a signature.
struct Hash128 {
  uint64_t low = 0, high = 0;

  /// 32 lower-case hexadecimal digits, `high` first.
  std::string str() const;
};
inline bool operator==(Hash128 a, Hash128 b) { return a.low == b.low && a.high == b.high; }
inline bool operator!=(Hash128 a, Hash128 b) { return !(a == b); }
inline bool operator<(Hash128 a, Hash128 b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/// Hashes a sequence of pieces. Integers are hashed as 8 little-endian bytes and strings after
/// their length, so that the boundaries between pieces count.
class Hasher {
public:
  Hasher &bytes(const void *data, size_t size);
  Hasher &integer(uint64_t value);
  Hasher &string(std::string_view text);
  Hash128 finish() const;

private:
  void mixBlock(uint64_t first, uint64_t second);

  uint64_t low = 0x243f6a8885a308d3u, high = 0x13198a2e03707344u;
  uint64_t total = 0;
  unsigned char pending[16] = {};
};

/// Key of a kernel's code: format, chip, entry, code and attributes; the name does not count.
Hash128 contentKey(const Kernel &kernel);

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_HASH_H
