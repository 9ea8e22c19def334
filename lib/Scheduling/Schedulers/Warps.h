//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_WARPS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_WARPS_H

#include <cstdint>

namespace fuser {

/// Threads of a warp.
inline constexpr int64_t kWarp = 32;
/// Bytes of a sector: memory is read and written in sectors.
inline constexpr int64_t kSectorBytes = 32;

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_WARPS_H
