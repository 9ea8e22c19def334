//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The lock with which processes take turns on a device.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_TIMINGLOCK_H
#define FUSER_LIB_DRIVER_TIMINGLOCK_H

#include "fuser/Artifact/Error.h"

#include <string>

namespace fuser::driver {

/// An exclusive lock on a file that lasts as long as this object; the system releases it if the
/// process ends in between. The file stays, and its contents are neither read nor written.
class TimingLock {
public:
  /// Waits until no other process holds the lock on `path`, and creates the file if there is none.
  /// An empty path: no lock. Fails with IoError where the file cannot be opened.
  static artifact::Expected<TimingLock> acquire(const std::string &path);

  TimingLock(TimingLock &&other) : descriptor(other.descriptor) { other.descriptor = kNone; }
  TimingLock(const TimingLock &) = delete;
  TimingLock &operator=(const TimingLock &) = delete;
  TimingLock &operator=(TimingLock &&) = delete;
  ~TimingLock();

private:
  static constexpr int kNone = -1;
  TimingLock() = default;
  int descriptor = kNone;
};

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_TIMINGLOCK_H
