//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The copy engine: copies from global to shared memory are done as late as a GPU may do them, when
// the thread waits for them. Until then the target holds poison, as a GPU may write it at once.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <cstring>

namespace fuser::runtime::host {

/// What the source is accessed as, and what the target.
static CheckedAccess getSource(const PendingCopy &copy) {
  return {copy.site, copy.memory, reinterpret_cast<uint64_t>(copy.source), copy.existing,
          FUSER_HOST_READ};
}
static CheckedAccess getTarget(const PendingCopy &copy, uint32_t kind) {
  return {copy.site, FUSER_HOST_SHARED, reinterpret_cast<uint64_t>(copy.target), copy.bytes, kind};
}

std::optional<Error> Scheduler::checkBegin(const Fiber &fiber, const PendingCopy &copy) {
  if (copy.existing > copy.bytes)
    return makeError(ErrorCode::OutOfBounds, where(fiber), ": expected at most ", copy.bytes,
                     " bytes that exist, the size of the copy, at ", plan.siteText(copy.site),
                     ", but got ", copy.existing);
  if (copy.existing != 0)
    if (std::optional<Error> problem = checkGlobal(fiber, getSource(copy)))
      return problem;
  return checkShared(fiber, getTarget(copy, kBeginCopy));
}

/// No thread may have written the source since the copy began.
std::optional<Error> Scheduler::checkEnd(const Fiber &fiber, const PendingCopy &copy) {
  LaunchChecks &checks = *plan.checks;
  const CheckedAccess source = getSource(copy);
  if (copy.existing != 0 && checks.races.isTracked(copy.memory))
    for (const Moment &moment : {copy.begin, momentOf(fiber, copy.site)}) {
      uint64_t at = source.address;
      if (std::optional<Moment> other =
              checks.races.accessGlobal(copy.memory, at, copy.existing, moment, source.kind))
        return race(fiber, source, *other,
                    checks.describeByte(source, reinterpret_cast<const char *>(at)));
    }
  return checkShared(fiber, getTarget(copy, kEndCopy));
}

void Scheduler::beginCopy(Fiber &fiber, PendingCopy copy) {
  CopyQueue &queue = getCopies(fiber);
  copy.group = queue.committed;
  if (plan.checks) {
    copy.begin = momentOf(fiber, copy.site);
    if (std::optional<Error> problem = checkBegin(fiber, copy))
      abandon(*problem);
  }
  if (plan.poisonShared)
    std::memset(copy.target, kPoison, copy.bytes);
  queue.copies.push_back(copy);
}

void Scheduler::waitForCopies(Fiber &fiber, uint32_t pending) {
  CopyQueue &queue = getCopies(fiber);
  while (!queue.copies.empty() && queue.copies.front().group + pending < queue.committed) {
    const PendingCopy copy = queue.copies.front();
    queue.copies.pop_front();
    if (plan.checks)
      if (std::optional<Error> problem = checkEnd(fiber, copy))
        abandon(*problem);
    std::memcpy(copy.target, copy.source, copy.existing);
    std::memset(copy.target + copy.existing, 0, copy.bytes - copy.existing);
  }
}

void Scheduler::checkNoCopyIsPending(Fiber &fiber) {
  if (copyQueues.empty() || getCopies(fiber).copies.empty())
    return;
  Error failure = makeError(ErrorCode::DataRace, where(fiber), ": expected a wait for ",
                            plan.siteText(getCopies(fiber).copies.front().site),
                            " before the thread returns, but the copy is under way");
  abandon(failure);
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_copy_async(fuser_host_context *context, uint32_t site, uint32_t memory,
                                      uint64_t source, uint64_t target, uint32_t bytes,
                                      uint32_t existing) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->beginCopy(fiber, {site,
                                     memory,
                                     reinterpret_cast<const char *>(source),
                                     reinterpret_cast<char *>(target),
                                     bytes,
                                     existing,
                                     0,
                                     {}});
}

extern "C" void fuser_host_copy_commit(fuser_host_context *context) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->commitCopies(fiber);
}

extern "C" void fuser_host_copy_wait(fuser_host_context *context, uint32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->waitForCopies(fiber, pending);
}
