//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Limits of the numbers in a domain.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_DOMAINLIMITS_H
#define FUSER_DIALECT_IR_DOMAINLIMITS_H

#include <cstdint>

namespace fuser {

/// The largest factor of a split, period of a swizzle and amount of a resize: products and sums of
/// extents and amounts stay within 64 bits.
inline constexpr int64_t kMaxDomainAmount = int64_t(1) << 40;

} // namespace fuser

#endif // FUSER_DIALECT_IR_DOMAINLIMITS_H
