//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel has to do, and how long a device is expected to take for it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_TIMEMODEL_H
#define FUSER_SCHEDULING_TIMEMODEL_H

#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// A size that neither types nor facts nor hints tell.
constexpr double kUnknownSize = 2048;
/// What a further kernel in a stream costs beyond its work, in microseconds (2.0 to 2.5 on one
/// NVIDIA H200).
constexpr double kLaunchMicroseconds = 2.3;

/// The work of one launch of a kernel, whatever runs it.
struct KernelWork {
  /// Bytes of the arguments that are read, each once, and of the outputs.
  double bytesRead = 0, bytesWritten = 0;
  /// Bytes that are moved in addition, with the sectors of scattered accesses.
  double bytesWasted = 0;
  /// Instructions of one thread, summed over all elements of all ops: what is computed again for
  /// each row or each reader counts as often.
  double operations = 0;
};

/// The work of `kernel` at the expected sizes, scheduled as `use` says. Sizes that nobody knows
/// are kUnknownSize.
KernelWork measureWork(const KernelView &kernel, const SizeHints &hints, const ResourceUse &use);

/// Blocks that one multiprocessor runs at a time: what threads, registers and shared memory leave
/// room for; at least 1.
int64_t getResidentBlocks(const ResourceUse &use, const artifact::DeviceDescription &device);

/// Microseconds of one launch without kLaunchMicroseconds: memory and arithmetic overlap; a grid
/// that does not fill the device has too few bytes under way to reach its rate (Little's law).
double predictMicroseconds(const KernelWork &work, const ResourceUse &use,
                           const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_SCHEDULING_TIMEMODEL_H
