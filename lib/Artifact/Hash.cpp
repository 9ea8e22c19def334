//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/Hash.h"
#include "fuser/Artifact/Kernel.h"

#include <cstring>

namespace fuser::artifact {
namespace {

uint64_t rotate(uint64_t value, unsigned bits) { return (value << bits) | (value >> (64 - bits)); }

/// The finaliser of MurmurHash3: every bit of the result depends on every bit of the value.
uint64_t avalanche(uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdu;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53u;
  return value ^ (value >> 33);
}

uint64_t loadLittleEndian(const unsigned char *data) {
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i)
    value |= static_cast<uint64_t>(data[i]) << (8 * i);
  return value;
}

} // namespace

std::string Hash128::str() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint64_t word : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4)
      text += kDigits[(word >> shift) & 15];
  return text;
}

// The block function of MurmurHash3 (x64, 128 bits).
void Hasher::mixBlock(uint64_t first, uint64_t second) {
  constexpr uint64_t c1 = 0x87c37b91114253d5u, c2 = 0x4cf5ad432745937fu;
  low ^= rotate(first * c1, 31) * c2;
  low = (rotate(low, 27) + high) * 5 + 0x52dce729;
  high ^= rotate(second * c2, 33) * c1;
  high = (rotate(high, 31) + low) * 5 + 0x38495ab5;
}

Hasher &Hasher::bytes(const void *data, size_t size) {
  const auto *source = static_cast<const unsigned char *>(data);
  while (size > 0) {
    size_t fill = total % 16, take = size < 16 - fill ? size : 16 - fill;
    std::memcpy(pending + fill, source, take);
    source += take;
    size -= take;
    total += take;
    if (fill + take == 16)
      mixBlock(loadLittleEndian(pending), loadLittleEndian(pending + 8));
  }
  return *this;
}

Hasher &Hasher::integer(uint64_t value) {
  unsigned char encoded[8];
  for (unsigned i = 0; i < 8; ++i)
    encoded[i] = static_cast<unsigned char>(value >> (8 * i));
  return bytes(encoded, sizeof(encoded));
}

Hasher &Hasher::string(std::string_view text) {
  return integer(text.size()).bytes(text.data(), text.size());
}

Hash128 Hasher::finish() const {
  Hasher last = *this;
  if (size_t fill = total % 16) {
    std::memset(last.pending + fill, 0, 16 - fill);
    last.mixBlock(loadLittleEndian(last.pending), loadLittleEndian(last.pending + 8));
  }
  uint64_t a = last.low ^ total, b = last.high ^ total;
  a += b;
  b += a;
  a = avalanche(a);
  b = avalanche(b);
  a += b;
  b += a;
  return {a, b};
}

Hash128 contentKey(const Kernel &kernel) {
  Hasher hasher;
  hasher.integer(static_cast<uint64_t>(kernel.format))
      .string(kernel.chip)
      .string(kernel.entry)
      .string(kernel.code)
      .integer(kernel.attributes.size());
  for (const auto &[key, value] : kernel.attributes)
    hasher.string(key).integer(static_cast<uint64_t>(value));
  return hasher.finish();
}

} // namespace fuser::artifact
