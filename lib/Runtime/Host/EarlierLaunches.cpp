//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EarlierLaunches.h"

namespace fuser::runtime::host {

const EarlierAccess *findConflict(const EarlierAccesses &earlier, const char *address,
                                  uint32_t bytes, bool writes) {
  for (const EarlierAccess &access : earlier) {
    const bool overlaps = access.isAnywhere ||
                          (address < access.begin + access.bytes && access.begin < address + bytes);
    if (overlaps && (writes || access.writes))
      return &access;
  }
  return nullptr;
}

EarlierAccesses EarlierLaunches::add(const LaunchConfig &config, const char *kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  EarlierAccesses &launches = byStream[config.stream];
  if (!config.dependent)
    launches.clear();
  EarlierAccesses earlier = launches;
  for (const MemoryRange &range : config.ranges)
    launches.push_back({kernel, range.begin, range.bytes, range.writes, false});
  if (config.ranges.size() == 0)
    launches.push_back({kernel, nullptr, 0, true, true});
  return earlier;
}

void EarlierLaunches::finish(Stream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  byStream.erase(stream);
}

} // namespace fuser::runtime::host
