//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks of the scheduler on the accesses of a checked kernel.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <algorithm>
#include <cassert>
#include <sstream>
#include <utility>

namespace fuser::runtime::host {

Moment Scheduler::momentOf(const Fiber &fiber, uint32_t site) const {
  // The context identifies the thread, because one fiber may run all of them.
  const fuser_host_context &at = fiber.context;
  Moment moment;
  moment.block = plan.getLinear(at.block_id);
  moment.thread =
      at.thread_id[0] + plan.block[0] * (at.thread_id[1] + plan.block[1] * at.thread_id[2]);
  moment.epoch = fiber.block->epoch;
  moment.clusterSteps = std::min(fiber.clusterSteps, Moment::kMaxClusterSteps);
  moment.arrivals = fiber.arrivals;
  moment.site = site;
  return moment;
}

std::optional<Error> Scheduler::checkGlobal(const Fiber &fiber, const CheckedAccess &access) {
  LaunchChecks &checks = *plan.checks;
  if (!checks.isInside(access)) {
    std::optional<AccessProblem> problem = checks.findOutside(access);
    assert(problem && "what is not inside has a text");
    Error error = outside(fiber, access.site, problem->text);
    error.code = problem->code;
    return error;
  }
  if (std::optional<AccessProblem> problem = checks.findEarlier(access, fiber.hasWaitedForLaunches))
    return makeError(problem->code, where(fiber), ": expected ", plan.siteText(access.site), " to ",
                     problem->text);
  // Blocks run one after another, except for those that wait for the whole grid.
  if (access.kind == FUSER_HOST_AWAIT && !plan.isCooperative() &&
      *reinterpret_cast<const uint32_t *>(access.address) == 0)
    return undrawn(fiber, access.site);
  uint64_t at = access.address;
  if (checks.races.isTracked(access.memory))
    if (std::optional<Moment> other = checks.races.accessGlobal(
            access.memory, at, access.bytes, momentOf(fiber, access.site), access.kind))
      return race(fiber, access, *other,
                  checks.describeByte(access, reinterpret_cast<const char *>(at)));
  std::optional<AccessProblem> problem = checks.findUndefined(access);
  if (problem && !undefinedRead)
    undefinedRead = undefined(fiber, access.site, problem->text);
  return std::nullopt;
}

/// The shadow of the granules of an access, from the first one on.
Shadow *Scheduler::shadowOf(const Block &block, size_t begin, size_t bytes) {
  const size_t granule = (begin | bytes) & -(begin | bytes);
  if (granule < sharedGranule) {
    // The parts of a granule inherit its record.
    std::vector<Shadow> parts;
    parts.reserve(sharedShadow.size() * (sharedGranule / granule));
    for (const Shadow &whole : sharedShadow)
      parts.insert(parts.end(), sharedGranule / granule, whole);
    sharedShadow = std::move(parts);
    sharedGranule = granule;
  }
  return &sharedShadow[((&block - blocks.data()) * sharedBytes + begin) / sharedGranule];
}

/// The block whose shared memory an access is to.
const Block &Scheduler::getSharedOwner(const Fiber &fiber, const CheckedAccess &access) const {
  if (access.memory != FUSER_HOST_PEER_SHARED || sharedBytes == 0)
    return *fiber.block;
  // The address comes from that of a block by its rank, so that it is near one of them.
  const Cluster &cluster = *fiber.block->cluster;
  const int64_t distance = access.pointer() - cluster.blocks->shared;
  const int64_t rank = distance / static_cast<int64_t>(sharedBytes);
  return cluster.blocks[std::clamp<int64_t>(rank, 0, plan.blocksPerCluster() - 1)];
}

std::optional<Error> Scheduler::checkShared(const Fiber &fiber, const CheckedAccess &access,
                                            const Moment &now) {
  const Block &block = getSharedOwner(fiber, access);
  if (&block != fiber.block)
    if (std::optional<Error> problem = checkPeer(fiber, access, block))
      return problem;
  const size_t begin = access.address - reinterpret_cast<uint64_t>(block.shared);
  const size_t dynamicEnd = dynamicOffset + plan.dynamicSharedBytes;
  auto isWithin = [&](size_t from, size_t to) {
    return begin >= from && begin <= to && access.bytes <= to - begin;
  };
  const size_t staticBytes = plan.kernel->static_shared_bytes;
  if (!isWithin(0, staticBytes) && !isWithin(dynamicOffset, dynamicEnd)) {
    std::ostringstream text;
    text << "the " << staticBytes << " static and " << plan.dynamicSharedBytes
         << " dynamic bytes of shared memory, but got " << access.bytes << " bytes at offset "
         << static_cast<int64_t>(begin);
    Error error = outside(fiber, access.site, text.str());
    error.code = ErrorCode::OutOfBounds;
    return error;
  }
  if (warpGroups.isUsed() && access.writes())
    if (std::optional<Error> problem =
            warpGroups.checkWrite(fiber, block, access, now.isOfPhase != 0))
      return problem;
  if (access.writes())
    if (std::optional<Error> problem = stores.checkWrite(fiber, access))
      return problem;
  Shadow *next = shadowOf(block, begin, access.bytes);
  for (size_t byte = begin; byte < begin + access.bytes; byte += sharedGranule) {
    Shadow &shadow = *next++;
    // Accesses of an earlier block do not concern this one.
    for (Moment *moment : {&shadow.write, &shadow.read, &shadow.otherRead})
      if (moment->epoch < block.firstEpoch)
        *moment = Moment();
    auto what = [byte] { return "byte " + std::to_string(byte) + " of the shared memory"; };
    const bool isUndefined = access.reads() && shadow.write.epoch == 0;
    if (std::optional<Moment> other = plan.checks->races.access(shadow, now, access.kind))
      return race(fiber, access, *other, what());
    if (isUndefined && !undefinedRead)
      undefinedRead =
          undefined(fiber, access.site, what() + ", which no thread of the block has written");
  }
  return std::nullopt;
}

void Scheduler::checkAccess(Fiber &fiber, const CheckedAccess &access) {
  if (!plan.checks)
    return;
  if (undefinedRead && undefinedBudget-- == 0) {
    Error failure = *std::exchange(undefinedRead, std::nullopt);
    abandon(failure);
  }
  const bool isShared =
      access.memory == FUSER_HOST_SHARED || access.memory == FUSER_HOST_PEER_SHARED;
  if (std::optional<Error> problem =
          isShared ? checkShared(fiber, access) : checkGlobal(fiber, access))
    abandon(*problem);
}

void Scheduler::failBounds(Fiber &fiber, uint32_t site, int64_t index, int64_t lanes,
                           int64_t elements) {
  Error failure = beyond(fiber, site, index, lanes, elements);
  abandon(failure);
}

} // namespace fuser::runtime::host
