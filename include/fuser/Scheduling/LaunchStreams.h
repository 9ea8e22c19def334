//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams: launches that are to overlap, and the time that this is predicted to take.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_LAUNCHSTREAMS_H
#define FUSER_SCHEDULING_LAUNCHSTREAMS_H

#include "fuser/Scheduling/LaunchBatch.h"

namespace fuser {

/// Discardable attribute of a `fuser.launch`: an i64, the number of the stream that
/// `fuser-assign-streams` puts the launch on. 0, which is the default, is the stream of the call.
inline constexpr llvm::StringLiteral kLaunchStreamAttrName = "fuser_sched.stream";
/// Discardable attribute of a `fuser.launch` on several streams: two f64, the predicted
/// microseconds of its start and end since the start of the call.
inline constexpr llvm::StringLiteral kLaunchIntervalAttrName = "fuser_sched.interval";

/// The time between two launches of a stream, in microseconds, in addition to the predicted times
/// of the kernels, which contain their start. Less than kLaunchMicroseconds, which is what a kernel
/// of no work takes. On one NVIDIA H200, nine kernels of 1.95 (the last one 1.6) predicted
/// microseconds took 18.6 to 19.8 in order: 17.2 + 9 * 0.2.
constexpr double kGapMicroseconds = 0.2;
/// The overhead of an event between two streams, in microseconds: the record, the wait, and the
/// start of the stream that waits. The same kernels as two chains of four on two streams, joined by
/// the last one, took 17.9: five kernels one after the other (10.4), and three events.
constexpr double kEventMicroseconds = 2.5;
/// More streams than this are not used: each needs two events in every call.
constexpr unsigned kMostStreams = 4;

/// A launch, or the launches of a batch, in the order of the program.
struct StreamTask {
  /// Alone, without kGapMicroseconds.
  double microseconds = 0;
  /// The part of the device that it occupies, of threads, bandwidth or arithmetic, up to 1.
  double share = 1;
  /// Earlier tasks that it depends on.
  llvm::SmallVector<unsigned> predecessors;
};

/// The stream of each task, and the predicted microseconds of its start and end.
struct StreamPlan {
  struct Slot {
    unsigned stream = 0;
    double start = 0, end = 0;
  };
  llvm::SmallVector<Slot> slots;
  /// On these streams, and on one.
  double together = 0, apart = 0;
};

/// The largest of the shares of threads, bandwidth and arithmetic that a launch occupies.
double getDeviceShare(const KernelEstimate &launch, const artifact::DeviceDescription &device);

/// Distributes tasks over streams: a task follows a predecessor that nothing follows yet, or begins
/// another stream. Tasks that overlap slow each other down if their shares add up to more than 1.
StreamPlan planStreams(llvm::ArrayRef<StreamTask> tasks);

} // namespace fuser

#endif // FUSER_SCHEDULING_LAUNCHSTREAMS_H
