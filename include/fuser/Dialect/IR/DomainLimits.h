//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Limits of the numbers in a domain, and of the extents of its loops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_DOMAINLIMITS_H
#define FUSER_DIALECT_IR_DOMAINLIMITS_H

#include <cstdint>

namespace fuser {

/// The largest factor of a split, period of a swizzle and amount of a resize: products and sums of
/// extents and amounts stay within 64 bits.
inline constexpr int64_t kMaxDomainAmount = int64_t(1) << 40;

/// A tensor has fewer elements: offsets in bytes stay within 64 bits.
inline constexpr int64_t kMaxElements = int64_t(1) << 59;

/// The most threads of a block, and of its z dimension.
inline constexpr int64_t kMaxBlockThreads = 1024, kMaxBlockThreadsZ = 64;

/// The most blocks of a cluster that every device with clusters has.
inline constexpr int64_t kMaxClusterBlocks = 8;

/// The most copies of an op that @unroll loops make: more than a register file holds of results,
/// and than an instruction cache of code.
inline constexpr int64_t kMaxUnrolledCopies = 4096;

} // namespace fuser

#endif // FUSER_DIALECT_IR_DOMAINLIMITS_H
