//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Batches: launches that are to become one, and the time that this is predicted to take.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_LAUNCHBATCH_H
#define FUSER_SCHEDULING_LAUNCHBATCH_H

#include "fuser/Scheduling/TimeModel.h"

namespace fuser {

/// Discardable attribute of a `fuser.launch`: an i64, the number of the batch within the host
/// function that `fuser-merge-launches` makes one launch of. Without it, or if the launches of a
/// batch cannot be merged, each is a launch of its own.
inline constexpr llvm::StringLiteral kLaunchBatchAttrName = "fuser_sched.batch";

/// What is predicted of one launch of a kernel.
struct KernelEstimate {
  KernelWork work;
  ResourceUse use;
  /// Without kLaunchMicroseconds.
  double microseconds = 0;
};

/// The work of several launches as one: its blocks are those of all of them, and each has the
/// registers and the shared memory of the kernel that needs most.
class BatchEstimate {
public:
  void add(const KernelEstimate &launch);
  /// Without kLaunchMicroseconds.
  double predict(const artifact::DeviceDescription &device) const {
    return predictMicroseconds(work, use, device);
  }

private:
  bool isEmpty = true;
  KernelWork work;
  ResourceUse use;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_LAUNCHBATCH_H
