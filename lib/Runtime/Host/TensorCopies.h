//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensor maps of the host device, and the boxes that kernels copy by them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_TENSORCOPIES_H
#define FUSER_LIB_RUNTIME_HOST_TENSORCOPIES_H

#include "AsyncCopies.h"
#include "fuser/Runtime/TensorMap.h"

#include <vector>

namespace fuser::runtime::host {

/// The content of a TensorMap. The address comes first, where those of other parameters are.
/// Strides are in bytes, dimensions from the slowest to the fastest one.
struct HostTensorMap {
  const char *address;
  uint32_t rank; ///< 0: the tensor has no elements
  uint16_t elementBytes, swizzle;
  int64_t sizes[TensorMapSpec::kMaxRank], strides[TensorMapSpec::kMaxRank];
  uint32_t box[TensorMapSpec::kMaxRank];

  uint64_t getBoxBytes() const;
};
static_assert(sizeof(HostTensorMap) <= sizeof(TensorMap), "a map has 128 bytes");

/// Fails as checkTensorMap does.
Status makeHostTensorMap(const TensorMapSpec &spec, const char *name, TensorMap &map);

/// The parts of a copy of the box at `coordinates`: each is adjacent on both sides, or consists of
/// zeros. Swizzled rows are copied in chunks.
std::vector<PendingCopy> getBoxParts(const HostTensorMap &map, const int64_t *coordinates,
                                     uint64_t target, uint32_t site, uint32_t memory);

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_TENSORCOPIES_H
