//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The threads of a block that scans.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_SCANTHREADS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_SCANTHREADS_H

#include "StagedRows.h"

namespace fuser {

/// Threads of a multiprocessor that keep enough loads in flight.
inline constexpr int64_t kResidentScanThreads = 1024;

/// The numbers of a schedule: those of ScanParamsAttr.
struct ScanThreads {
  int64_t threadsX = 512, threadsY = 1, unroll = 1, flat = 1;
};

/// Whole tiles that cover a row of `vectors` with few idle threads; nullopt: an unknown length.
ScanThreads chooseInnerThreads(std::optional<int64_t> vectors, int64_t vectorBytes);

/// Runs of adjacent elements for rows that pass through shared memory, where that takes fewer
/// instructions than to combine what all threads have of each of many narrow vectors of `vector`
/// elements. nullopt: for others.
std::optional<ScanThreads> chooseStagedThreads(const KernelView &kernel,
                                               const Requirements &requirements,
                                               const RowDims &dims, int64_t vector,
                                               const artifact::DeviceDescription &device);

/// Threads along vectors of columns, and as many for each column as fill the device.
ScanThreads chooseOuterThreads(std::optional<int64_t> vectors, std::optional<int64_t> others,
                               std::optional<int64_t> length, int64_t vectorBytes,
                               const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_SCANTHREADS_H
