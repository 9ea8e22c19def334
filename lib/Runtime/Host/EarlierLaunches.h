//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The launches that may still run when a dependent launch begins, and what they access.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_EARLIERLAUNCHES_H
#define FUSER_LIB_RUNTIME_HOST_EARLIERLAUNCHES_H

#include "fuser/Runtime/Device.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace fuser::runtime::host {

/// Memory that a launch accesses, by its interval of bytes.
struct EarlierAccess {
  std::string kernel;
  const char *begin = nullptr;
  uint64_t bytes = 0;
  bool writes = false;
  /// The ranges of the launch are not known: it may access all memory.
  bool isAnywhere = false;
};

using EarlierAccesses = std::vector<EarlierAccess>;

/// The first of `earlier` that conflicts with an access of a thread: one of both writes. Null:
/// none.
const EarlierAccess *findConflict(const EarlierAccesses &earlier, const char *address,
                                  uint32_t bytes, bool writes);

/// By stream, the accesses of the launches since the last one that began after the end of all
/// before it. The device executes launches one after the other; a GPU may run all of these at once.
/// Thread-safe.
class EarlierLaunches {
public:
  /// Records a launch, and returns the accesses of those that it may overlap.
  EarlierAccesses add(const LaunchConfig &config, const char *kernel);
  /// Other work in a stream begins after the end of what precedes it, as does what follows.
  void finish(Stream stream);

private:
  std::mutex mutex;
  std::unordered_map<Stream, EarlierAccesses> byStream;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_EARLIERLAUNCHES_H
