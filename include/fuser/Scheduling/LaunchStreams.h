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

/// The overhead of an event between two streams, in microseconds: the record, the wait, and the
/// start of the stream that waits.
constexpr double kEventMicroseconds = 2.0;
/// More streams than this are not used: each needs two events in every call.
constexpr unsigned kMostStreams = 4;

/// A launch, or the launches of a batch, in the order of the program.
struct StreamTask {
  /// Alone, without kLaunchMicroseconds.
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
