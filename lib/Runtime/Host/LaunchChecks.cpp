//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchChecks.h"

#include <cstring>
#include <sstream>

namespace fuser::runtime::host {

using artifact::ErrorCode;

LaunchChecks::LaunchChecks(ArrayView<MemoryRange> ranges, const Allocations &allocations,
                           std::vector<void *> params, EarlierAccesses earlier)
    : races(ranges), earlier(std::move(earlier)), boxes(ranges), allocations(allocations),
      params(std::move(params)), cache(this->params.size()) {}

static const char *pointerAt(const void *parameter) {
  const char *pointer = nullptr;
  std::memcpy(&pointer, parameter, sizeof(pointer));
  return pointer;
}

Allocation *LaunchChecks::lookupAllocation(uint32_t parameter) {
  if (parameter >= cache.size())
    return nullptr;
  cache[parameter] = allocations.find(pointerAt(params[parameter]));
  return cache[parameter]->get();
}

std::optional<AccessProblem> LaunchChecks::findOutside(const CheckedAccess &access) {
  const Allocation *allocation = allocationOf(access.memory);
  const bool isOutside = allocation && !allocation->contains(access.pointer(), access.bytes);
  const ErrorCode code = isOutside ? ErrorCode::OutOfBounds : ErrorCode::BoxViolation;
  if (std::optional<std::string> problem =
          boxes.find(access.memory, access.address, access.bytes, access.writes()))
    return AccessProblem{code, std::move(*problem)};
  if (!isOutside)
    return std::nullopt;
  std::ostringstream stream;
  stream << "the " << allocation->bytes() << " bytes of parameter " << access.memory << ", but got "
         << access.bytes << " bytes at offset " << access.pointer() - allocation->begin();
  return AccessProblem{code, stream.str()};
}

std::optional<AccessProblem> LaunchChecks::findUndefined(const CheckedAccess &access) {
  Allocation *allocation = allocationOf(access.memory);
  if (!allocation)
    return std::nullopt;
  if (access.reads())
    if (const char *byte = allocation->findUndefined(access.pointer(), access.bytes))
      return AccessProblem{ErrorCode::UninitializedRead,
                           describeByte(access, byte) + ", which is uninitialized"};
  if (access.writes())
    allocation->define(access.pointer(), access.bytes);
  return std::nullopt;
}

std::optional<AccessProblem> LaunchChecks::findEarlier(const CheckedAccess &access,
                                                       bool hasWaited) {
  // The read-only path may have what memory was before the wait.
  const bool isReadOnly = access.kind == FUSER_HOST_READ_ONLY;
  if (earlier.empty() || (hasWaited && !isReadOnly))
    return std::nullopt;
  const EarlierAccess *other =
      findConflict(earlier, access.pointer(), access.bytes, access.writes());
  if (!other || (hasWaited && other->isAnywhere))
    return std::nullopt;
  std::ostringstream stream;
  stream << (hasWaited ? "read what no launch writes while this one runs"
                       : "follow a wait for the launches before this one")
         << ", because kernel '" << other->kernel << "', which may still run, "
         << (other->writes ? "writes " : "reads ") << describeByte(access, access.pointer());
  return AccessProblem{ErrorCode::DataRace, stream.str()};
}

std::string LaunchChecks::describeByte(const CheckedAccess &access, const char *byte) {
  std::ostringstream stream;
  stream << "byte " << byte - pointerAt(params[access.memory]) << " of "
         << boxes.describe(access.memory);
  return stream.str();
}

} // namespace fuser::runtime::host
