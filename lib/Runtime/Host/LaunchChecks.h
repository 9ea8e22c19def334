//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The memory state of one launch of a checked kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_LAUNCHCHECKS_H
#define FUSER_LIB_RUNTIME_HOST_LAUNCHCHECKS_H

#include "AccessCheck.h"
#include "Allocations.h"
#include "EarlierLaunches.h"
#include "RaceCheck.h"

#include "fuser/Artifact/HostABI.h"

#include <optional>
#include <string>
#include <vector>

namespace fuser::runtime::host {

/// Kinds of accesses of the copy engine, beside those of fuser_host_check_access: a copy that
/// begins writes at any time until it ends.
inline constexpr uint32_t kBeginCopy = 100, kEndCopy = 101;

/// The arguments of fuser_host_check_access.
struct CheckedAccess {
  uint32_t site;
  uint32_t memory; ///< a parameter, or FUSER_HOST_SHARED
  uint64_t address;
  uint32_t bytes;
  uint32_t kind;

  bool reads() const { return kind != FUSER_HOST_WRITE && kind != kBeginCopy && kind != kEndCopy; }
  bool writes() const {
    return kind != FUSER_HOST_READ && kind != FUSER_HOST_READ_ONLY && kind != FUSER_HOST_AWAIT;
  }
  const char *pointer() const { return reinterpret_cast<const char *>(address); }
};

/// Describes the error of an access, without the access itself: "inside of the 64 bytes of
/// parameter 0, but got 4 bytes at offset 64".
struct AccessProblem {
  artifact::ErrorCode code;
  std::string text;
};

/// Used by one CPU thread: a checked launch runs its blocks one after another, or all of them in
/// one scheduler.
class LaunchChecks {
public:
  /// `params` are those of the launch, as the kernel gets them. `earlier`: what the launches access
  /// that may not have ended.
  LaunchChecks(ArrayView<MemoryRange> ranges, const Allocations &allocations,
               std::vector<void *> params, EarlierAccesses earlier);

  /// True if an access to global memory is within its box and its allocation.
  bool isInside(const CheckedAccess &access) {
    const Allocation *allocation = allocationOf(access.memory);
    return (!allocation || allocation->contains(access.pointer(), access.bytes)) &&
           boxes.allows(access.memory, access.address, access.bytes, access.writes());
  }
  /// Describes how an access to global memory leaves its box or its allocation.
  std::optional<AccessProblem> findOutside(const CheckedAccess &access);
  /// Checks whether an access to global memory reads uninitialized memory, and records its writes.
  /// Requires an access in bounds.
  std::optional<AccessProblem> findUndefined(const CheckedAccess &access);
  /// Describes how an access to global memory conflicts with an earlier launch that may not have
  /// ended. `hasWaited`: the thread has waited for it.
  std::optional<AccessProblem> findEarlier(const CheckedAccess &access, bool hasWaited);
  /// "byte 16 of parameter 1 ('y', ...)"
  std::string describeByte(const CheckedAccess &access, const char *byte);

  RaceCheck races;

private:
  /// The allocation that a parameter points into; null: it is not the device's.
  Allocation *allocationOf(uint32_t parameter) {
    return parameter < cache.size() && cache[parameter] ? cache[parameter]->get()
                                                        : lookupAllocation(parameter);
  }
  Allocation *lookupAllocation(uint32_t parameter);

  const EarlierAccesses earlier;
  const AccessCheck boxes;
  const Allocations &allocations;
  const std::vector<void *> params;
  std::vector<std::optional<std::shared_ptr<Allocation>>> cache;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_LAUNCHCHECKS_H
