//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"

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

AsyncCopies::Queue &AsyncCopies::getQueue(const Fiber &fiber) {
  return queues[scheduler.getNumber(fiber)];
}

std::optional<Error> AsyncCopies::checkBegin(const Fiber &fiber, const PendingCopy &copy) {
  if (copy.existing > copy.bytes)
    return makeError(ErrorCode::OutOfBounds, scheduler.where(fiber), ": expected at most ",
                     copy.bytes, " bytes that exist, the size of the copy, at ",
                     scheduler.plan.siteText(copy.site), ", but got ", copy.existing);
  if (copy.existing != 0)
    if (std::optional<Error> problem = scheduler.checkGlobal(fiber, getSource(copy)))
      return problem;
  return scheduler.checkShared(fiber, getTarget(copy, kBeginCopy));
}

/// No thread may have written the source since the copy began.
std::optional<Error> AsyncCopies::checkEnd(const Fiber &fiber, const PendingCopy &copy,
                                           const Moment &end) {
  LaunchChecks &checks = *scheduler.plan.checks;
  const CheckedAccess source = getSource(copy);
  if (copy.existing != 0 && checks.races.isTracked(copy.memory))
    for (const Moment &moment : {copy.begin, scheduler.momentOf(fiber, copy.site)}) {
      uint64_t at = source.address;
      if (std::optional<Moment> other =
              checks.races.accessGlobal(copy.memory, at, copy.existing, moment, source.kind))
        return scheduler.race(fiber, source, *other,
                              checks.describeByte(source, reinterpret_cast<const char *>(at)));
    }
  return scheduler.checkShared(fiber, getTarget(copy, kEndCopy), end);
}

void AsyncCopies::start(Fiber &fiber, PendingCopy &copy) {
  if (scheduler.plan.checks) {
    copy.begin = scheduler.momentOf(fiber, copy.site);
    if (std::optional<Error> problem = checkBegin(fiber, copy))
      scheduler.abandon(*problem);
  }
  if (scheduler.plan.poisonShared)
    std::memset(copy.target, kPoison, copy.bytes);
}

void AsyncCopies::finish(Fiber &fiber, const PendingCopy &copy, const Moment &end) {
  if (scheduler.plan.checks)
    if (std::optional<Error> problem = checkEnd(fiber, copy, end))
      scheduler.abandon(*problem);
  // A copy of nothing may have no source.
  if (copy.existing != 0)
    std::memcpy(copy.target, copy.source, copy.existing);
  std::memset(copy.target + copy.existing, 0, copy.bytes - copy.existing);
}

void AsyncCopies::begin(Fiber &fiber, PendingCopy copy) {
  Queue &queue = getQueue(fiber);
  start(fiber, copy);
  queue.copies.emplace_back(copy, queue.committed);
}

void AsyncCopies::wait(Fiber &fiber, uint32_t pending) {
  Queue &queue = getQueue(fiber);
  while (!queue.copies.empty() && queue.copies.front().second + pending < queue.committed) {
    const PendingCopy copy = queue.copies.front().first;
    queue.copies.pop_front();
    finish(fiber, copy, scheduler.momentOf(fiber, copy.site));
  }
}

void AsyncCopies::checkReturn(Fiber &fiber) {
  if (queues.empty() || getQueue(fiber).copies.empty())
    return;
  Error failure = makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected a wait for ",
                            scheduler.plan.siteText(getQueue(fiber).copies.front().first.site),
                            " before the thread returns, but the copy is under way");
  scheduler.abandon(failure);
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
  fiber.scheduler->getCopies().begin(fiber, {site,
                                             memory,
                                             reinterpret_cast<const char *>(source),
                                             reinterpret_cast<char *>(target),
                                             bytes,
                                             existing,
                                             {}});
}

extern "C" void fuser_host_copy_commit(fuser_host_context *context) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getCopies().commit(fiber);
}

extern "C" void fuser_host_copy_wait(fuser_host_context *context, uint32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getCopies().wait(fiber, pending);
}
