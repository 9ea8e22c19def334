//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TensorStores.h"

#include "Scheduler.h"
#include "TensorCopies.h"

#include <cstring>

namespace fuser::runtime::host {

TensorStores::Queue &TensorStores::getQueue(const Fiber &fiber) {
  return queues[scheduler.getNumber(fiber)];
}

std::optional<Error> TensorStores::checkRead(const Fiber &fiber, const Part &part) const {
  return scheduler.checkShared(fiber, {part.site, FUSER_HOST_SHARED,
                                       reinterpret_cast<uint64_t>(part.source), part.bytes,
                                       FUSER_HOST_READ});
}

/// What is read is visible to the engine.
std::optional<Error> TensorStores::checkFences(const Fiber &fiber, const Part &part) const {
  constexpr uint64_t kGranule = 16;
  const auto begin = reinterpret_cast<uint64_t>(part.source);
  std::optional<Error> problem;
  for (uint64_t at = begin / kGranule * kGranule; at < begin + part.bytes && !problem;
       at += kGranule)
    problem = scheduler.warpGroups.checkFence(fiber, part.site, at, /*ofOthers=*/true);
  return problem;
}

void TensorStores::begin(Fiber &fiber, uint32_t site, const TensorBox &box) {
  const HostTensorMap map = scheduler.getTensorMap(fiber, site, box);
  // A fault abandons the fiber without destroying what is on its stack.
  fiber.block->parts = getBoxParts(map, box.coordinates, box.shared, site, box.memory);
  Queue &queue = getQueue(fiber);
  for (const PendingCopy &copy : fiber.block->parts) {
    // What the tensor does not have is not stored.
    if (copy.existing == 0)
      continue;
    const Part part = {site,       box.memory,     copy.target, const_cast<char *>(copy.source),
                       copy.bytes, queue.committed};
    if (scheduler.plan.checks) {
      std::optional<Error> problem = checkRead(fiber, part);
      if (!problem)
        problem = checkFences(fiber, part);
      if (problem)
        scheduler.abandon(*problem);
    }
    queue.parts.push_back(part);
  }
}

void TensorStores::finish(Fiber &fiber, const Part &part) {
  if (scheduler.plan.checks) {
    std::optional<Error> problem = checkRead(fiber, part);
    if (!problem)
      problem = scheduler.checkGlobal(fiber, {part.site, part.memory,
                                              reinterpret_cast<uint64_t>(part.target), part.bytes,
                                              FUSER_HOST_WRITE});
    if (problem)
      scheduler.abandon(*problem);
  }
  std::memcpy(part.target, part.source, part.bytes);
}

void TensorStores::wait(Fiber &fiber, uint32_t pending) {
  Queue &queue = getQueue(fiber);
  while (!queue.parts.empty() && queue.parts.front().group + pending < queue.committed) {
    const Part part = queue.parts.front();
    queue.parts.pop_front();
    finish(fiber, part);
  }
}

std::optional<Error> TensorStores::checkWrite(const Fiber &fiber, const CheckedAccess &access) {
  if (queues.empty())
    return std::nullopt;
  for (const Part &part : getQueue(fiber).parts) {
    const auto begin = reinterpret_cast<uint64_t>(part.source);
    if (begin < access.address + access.bytes && access.address < begin + part.bytes)
      return makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected ",
                       scheduler.plan.siteText(access.site), " after a wait for ",
                       scheduler.plan.siteText(part.site),
                       ", which reads the same bytes of the shared memory and is under way");
  }
  return std::nullopt;
}

void TensorStores::checkReturn(Fiber &fiber) {
  if (queues.empty() || getQueue(fiber).parts.empty())
    return;
  Error failure = makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected a wait for ",
                            scheduler.plan.siteText(getQueue(fiber).parts.front().site),
                            " before the thread returns, but the copy is under way");
  scheduler.abandon(failure);
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_store_tensor(fuser_host_context *context, uint32_t site, uint32_t memory,
                                        uint64_t map, uint64_t source, uint32_t rank,
                                        uint64_t bytes, int64_t c0, int64_t c1, int64_t c2,
                                        int64_t c3, int64_t c4) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getStores().begin(
      fiber, site, {memory, rank, map, source, /*barrier=*/0, bytes, {c0, c1, c2, c3, c4}});
}

extern "C" void fuser_host_store_commit(fuser_host_context *context) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getStores().commit(fiber);
}

extern "C" void fuser_host_store_wait(fuser_host_context *context, uint32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getStores().wait(fiber, pending);
}
