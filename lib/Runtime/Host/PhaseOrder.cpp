//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PhaseOrder.h"

#include "RaceCheck.h"

#include <algorithm>

namespace fuser::runtime::host {

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

static bool precedes(const std::pair<uint64_t, uint64_t> &entry, uint64_t barrier) {
  return entry.first < barrier;
}

uint64_t PhaseOrder::Clock::get(uint64_t barrier) const {
  auto found = std::lower_bound(entries.begin(), entries.end(), barrier, precedes);
  return found != entries.end() && found->first == barrier ? found->second : 0;
}

void PhaseOrder::Clock::raise(uint64_t barrier, uint64_t phases) {
  auto found = std::lower_bound(entries.begin(), entries.end(), barrier, precedes);
  if (found == entries.end() || found->first != barrier)
    entries.insert(found, {barrier, phases});
  else
    found->second = std::max(found->second, phases);
}

void PhaseOrder::Clock::join(const Clock &other) {
  for (auto [barrier, phases] : other.entries)
    raise(barrier, phases);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

uint64_t PhaseOrder::getKey(const Moment &moment) {
  return uint64_t(moment.block) << 32 | moment.thread;
}

const PhaseOrder::Thread *PhaseOrder::find(const Moment &moment) const {
  auto found = threads.find(getKey(moment));
  return found == threads.end() ? nullptr : &found->second;
}

void PhaseOrder::reset() {
  threads.clear();
  barriers.clear();
}

void PhaseOrder::arrive(uint64_t barrier, uint64_t phase, const Moment &now) {
  Thread &thread = threads[getKey(now)];
  thread.arrivals.push_back({barrier, phase});
  barriers[barrier].brought.join(thread.known);
}

void PhaseOrder::complete(uint64_t barrier) {
  Barrier &completed = barriers[barrier];
  completed.complete.join(completed.brought);
}

void PhaseOrder::wait(uint64_t barrier, uint64_t phase, const Moment &now) {
  Clock &known = threads[getKey(now)].known;
  known.raise(barrier, phase + 1);
  known.join(barriers[barrier].complete);
}

bool PhaseOrder::knows(const Moment &now, uint64_t barrier, uint64_t phase) const {
  const Thread *thread = find(now);
  return thread && thread->known.get(barrier) > phase;
}

bool PhaseOrder::isOrdered(const Moment &before, const Moment &now) const {
  const Thread *earlier = find(before), *later = find(now);
  if (!earlier || !later || before.block != now.block)
    return false;
  for (size_t i = before.arrivals; i < earlier->arrivals.size(); ++i)
    if (later->known.get(earlier->arrivals[i].barrier) > earlier->arrivals[i].phase)
      return true;
  return false;
}

} // namespace fuser::runtime::host
