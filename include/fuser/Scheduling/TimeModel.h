//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The work of a kernel, and its predicted time on a device.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_TIMEMODEL_H
#define FUSER_SCHEDULING_TIMEMODEL_H

#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// The assumed value of a size that neither types nor facts nor hints determine.
constexpr double kUnknownSize = 2048;
/// The overhead of each additional kernel in a stream, in microseconds (2.0 to 2.5 on one NVIDIA
/// H200).
constexpr double kLaunchMicroseconds = 2.3;

/// The work of one launch of a kernel, independent of the device.
struct KernelWork {
  /// Bytes of the arguments that are read, each once, and of the outputs.
  double bytesRead = 0, bytesWritten = 0;
  /// Additional bytes that are moved because uncoalesced accesses move whole sectors.
  double bytesWasted = 0;
  /// Instructions of one thread, summed over all elements of all ops, including recomputation for
  /// each row or each reader.
  double operations = 0;
  /// Seconds that atomic accesses of global memory take which wait for each other.
  double secondsWaited = 0;
};

/// The work of `kernel` at the expected sizes, scheduled according to `use`. Unknown sizes are
/// kUnknownSize.
KernelWork measureWork(const KernelView &kernel, const SizeHints &hints, const ResourceUse &use);

/// The occupancy in blocks of one multiprocessor, limited by threads, registers and shared memory;
/// at least 1.
int64_t getResidentBlocks(const ResourceUse &use, const artifact::DeviceDescription &device);

/// The rates that no kernel exceeds: bytes of memory and instructions (KernelWork::operations) per
/// second.
struct Roofs {
  double bytesPerSecond = 0, operationsPerSecond = 0;
};
Roofs getRoofs(const artifact::DeviceDescription &device);

/// Microseconds of one launch without kLaunchMicroseconds: memory and arithmetic overlap; a grid
/// that does not fill the device has too few bytes in flight to reach its bandwidth (Little's law).
double predictMicroseconds(const KernelWork &work, const ResourceUse &use,
                           const artifact::DeviceDescription &device);
/// The same for the work of `kernel` scheduled according to `use`.
double predictMicroseconds(const KernelView &kernel, const SizeHints &hints, const ResourceUse &use,
                           const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_SCHEDULING_TIMEMODEL_H
