//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RaceCheck.h"

#include "LaunchChecks.h"
#include "fuser/Artifact/HostABI.h"

#include <algorithm>

namespace fuser::runtime::host {

/// Global memory of more granules than this is not tracked: each takes 60 bytes of shadow memory.
static constexpr uint64_t kMaxGranules = uint64_t(1) << 24;

static bool overlap(const MemoryRange &a, const MemoryRange &b) {
  return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

RaceCheck::RaceCheck(ArrayView<MemoryRange> ranges) {
  uint64_t written = 0, granule = 16;
  for (const MemoryRange &range : ranges) {
    if (tracked.size() <= range.parameter)
      tracked.resize(range.parameter + 1);
    for (const MemoryRange &other : ranges)
      if (other.writes && overlap(range, other))
        tracked[range.parameter] = true;
    if (!range.writes)
      continue;
    written += range.bytes;
    granule = std::min<uint64_t>(granule, std::max<uint32_t>(range.elementBytes, 1));
  }
  if (ranges.size() == 0)
    return;
  granuleBytes = granule;
  if (written / granuleBytes > kMaxGranules)
    tracked.assign(tracked.size(), false);
}

Shadow &RaceCheck::shadowOf(uint64_t granule) {
  const uint64_t index = granule / kChunk;
  if (!lastChunk || index != lastIndex) {
    std::unique_ptr<Chunk> &slot = chunks[index];
    if (!slot)
      slot = std::make_unique<Chunk>();
    lastChunk = slot.get();
    lastIndex = index;
  }
  return (*lastChunk)[granule % kChunk];
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool RaceCheck::isOrdered(const Moment &before, const Moment &now) const {
  const bool isSameThread = before.thread == now.thread && !before.isOfPhase;
  if (before.block == now.block && (isSameThread || before.epoch < now.epoch))
    return true;
  if (before.isOfPhase && isOrderedByPhase(before, now))
    return true;
  if (hasClusters && isOrderedByCluster(before, now))
    return true;
  if (before.block == now.block)
    return !before.isOfPhase && order.isOrdered(before, now);
  return before.epoch < gridEpoch || isOrderedByTickets(before, now);
}

void RaceCheck::setClusters(const uint32_t (&grid)[3], const uint32_t (&cluster)[3]) {
  std::copy(std::begin(grid), std::end(grid), gridDim);
  std::copy(std::begin(cluster), std::end(cluster), clusterDim);
  hasClusters = true;
}

bool RaceCheck::isOrderedByCluster(const Moment &before, const Moment &now) const {
  // Of an arrival and a wait for each barrier, the arrival comes first.
  const uint32_t arrivals = (before.clusterSteps + 1) / 2, waits = now.clusterSteps / 2;
  // Where steps are no longer counted, a barrier may be between them.
  if (arrivals >= waits && now.clusterSteps < Moment::kMaxClusterSteps)
    return false;
  uint32_t a = before.block, b = now.block;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (a % gridDim[axis] / clusterDim[axis] != b % gridDim[axis] / clusterDim[axis])
      return false;
    a /= gridDim[axis];
    b /= gridDim[axis];
  }
  return true;
}

void RaceCheck::resetPhases() {
  phases.clear();
  order.reset();
}

uint32_t RaceCheck::completePhase(uint64_t barrier, uint64_t phase) {
  phases.insert({++clock, {barrier, phase}});
  order.complete(barrier);
  return clock;
}

bool RaceCheck::isOrderedByPhase(const Moment &copy, const Moment &now) const {
  const Phase &phase = phases.at(copy.epoch);
  return copy.block == now.block && order.knows(now, phase.barrier, phase.number);
}

bool RaceCheck::isOrderedByTickets(const Moment &before, const Moment &now) const {
  auto found = acquired.find(now.block);
  if (found == acquired.end())
    return false;
  // Latest first, because it orders the most accesses.
  for (auto next = found->second.rbegin(); next != found->second.rend(); ++next) {
    const Acquired &draw = *next;
    if (draw.epoch > now.epoch || (draw.epoch == now.epoch && draw.thread != now.thread))
      continue;
    auto drawn = draw.counter->tickets.find(before.block);
    if (drawn == draw.counter->tickets.end())
      continue;
    for (const Ticket &ticket : drawn->second)
      if (ticket.number < draw.count &&
          (before.epoch < ticket.epoch ||
           (before.epoch == ticket.epoch && before.thread == ticket.thread)))
        return true;
  }
  return false;
}

void RaceCheck::acquireTickets(uint64_t at, const Moment &now) {
  // Elements of an unordered_map have stable addresses.
  Counter &counter = counters[at];
  acquired[now.block].push_back(
      {&counter, counter.drawn, now.epoch, static_cast<uint16_t>(now.thread)});
}

void RaceCheck::drawTicket(uint64_t at, const Moment &now) {
  acquireTickets(at, now);
  Counter &counter = counters[at];
  counter.tickets[now.block].push_back(
      {counter.drawn++, now.epoch, static_cast<uint16_t>(now.thread)});
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void RaceCheck::addRead(Shadow &shadow, const Moment &now) const {
  const bool keepsOther = shadow.otherRead.epoch != 0 && shadow.otherRead.epoch >= gridEpoch &&
                          shadow.otherRead.block != now.block && shadow.read.block == now.block;
  if (!keepsOther && shadow.read.epoch != 0 && !shadow.read.isSameThread(now))
    shadow.otherRead = shadow.read;
  shadow.read = now;
}

std::optional<Moment> RaceCheck::access(Shadow &shadow, const Moment &now, uint32_t kind) {
  const bool writesAtomically = kind == FUSER_HOST_ATOMIC || kind == FUSER_HOST_TICKET;
  const bool atomic = writesAtomically || kind == FUSER_HOST_AWAIT;
  const bool writes = writesAtomically || kind == FUSER_HOST_WRITE || kind == kBeginCopy;
  if (kind == kEndCopy) {
    // Any access since the beginning was an error.
    shadow.write = now;
    return std::nullopt;
  }
  if (shadow.write.epoch != 0) {
    if (shadow.write.isPending)
      return shadow.write;
    if (kind == FUSER_HOST_READ_ONLY)
      return shadow.write;
    // Two atomic accesses need no order, whose absence is expensive to prove.
    if (!(shadow.write.isAtomic && atomic) && !isOrdered(shadow.write, now))
      return shadow.write;
  }
  if (!writes) {
    // Later tickets of the counter are not ordered with this read.
    if (!atomic)
      addRead(shadow, now);
    return std::nullopt;
  }
  for (const Moment &read : {shadow.read, shadow.otherRead})
    if (read.epoch != 0 && !isOrdered(read, now))
      return read;
  // Accesses that are ordered with this write are also ordered with the reads before it.
  shadow.read = shadow.otherRead = Moment();
  shadow.write = now;
  shadow.write.isAtomic = atomic;
  shadow.write.isPending = kind == kBeginCopy;
  return std::nullopt;
}

std::optional<Moment> RaceCheck::accessGlobal(uint32_t parameter, uint64_t &at, uint32_t bytes,
                                              const Moment &now, uint32_t kind) {
  if (!isTracked(parameter))
    return std::nullopt;
  const uint64_t begin = at, end = at + bytes;
  for (uint64_t granule = begin / granuleBytes; granule * granuleBytes < end; ++granule)
    if (std::optional<Moment> other = access(shadowOf(granule), now, kind)) {
      at = std::max(begin, granule * granuleBytes);
      return other;
    }
  if (kind == FUSER_HOST_TICKET)
    drawTicket(begin, now);
  if (kind == FUSER_HOST_AWAIT)
    acquireTickets(begin, now);
  return std::nullopt;
}

} // namespace fuser::runtime::host
