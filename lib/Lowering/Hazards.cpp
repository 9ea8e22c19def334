//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

static bool isSame(const MemoryUse &a, const MemoryUse &b) {
  return a.space == b.space && a.writes == b.writes && a.combines == b.combines &&
         a.region == b.region && a.producer == b.producer && a.user == b.user;
}

Hazards::Entry *Hazards::find(SmallVectorImpl<Entry> &entries, const MemoryUse &use) {
  auto *it = llvm::find_if(entries, [&](const Entry &entry) { return isSame(entry.use, use); });
  return it == entries.end() ? nullptr : it;
}

SyncLevel Hazards::getLevelBefore(const MemoryUse &use) const {
  SyncLevel level = SyncLevel::None;
  for (const Entry &entry : pending) {
    SyncLevel needed = conflict(entry.use, use);
    if (needed == SyncLevel::Block && entry.blockSynced)
      continue;
    level = std::max(level, needed);
  }
  return level;
}

void Hazards::addToHead(Frame &frame, const Entry &entry) {
  // No other cluster accesses shared memory.
  const bool isShared = entry.use.space == MemoryUse::Space::Shared;
  if (frame.seen == SyncLevel::Grid || (frame.seen == SyncLevel::Cluster && isShared))
    return;
  Entry added = entry;
  added.blockSynced |= frame.seen != SyncLevel::None;
  if (Entry *known = find(frame.head, entry.use))
    known->blockSynced &= added.blockSynced;
  else
    frame.head.push_back(added);
}

void Hazards::note(const MemoryUse &use) {
  if (Entry *known = find(pending, use))
    known->blockSynced = false;
  else
    pending.push_back({use, false});
  if (!frames.empty())
    addToHead(frames.back(), {use, false});
}

void Hazards::synchronize(SyncLevel level) {
  assert(level != SyncLevel::None && "a barrier is of threads or of blocks");
  if (level == SyncLevel::Grid)
    pending.clear();
  // No other block accesses shared memory that is not distributed, and no other cluster any.
  llvm::erase_if(pending, [&](const Entry &entry) {
    return entry.use.space == MemoryUse::Space::Shared &&
           (level != SyncLevel::Block || !entry.use.isDistributed);
  });
  for (Entry &entry : pending)
    entry.blockSynced = true;
  if (!frames.empty())
    frames.back().seen = std::max(frames.back().seen, level);
}

void Hazards::enterLoop() {
  frames.emplace_back();
  frames.back().before = pending;
}

SyncLevel Hazards::getLevelBeforeNextIteration() const {
  SyncLevel level = SyncLevel::None;
  for (const Entry &tail : pending)
    for (const Entry &head : frames.back().head) {
      SyncLevel needed = conflict(tail.use, head.use);
      if (needed == SyncLevel::Block && (tail.blockSynced || head.blockSynced))
        continue;
      level = std::max(level, needed);
    }
  return level;
}

void Hazards::leaveLoop(bool runsAtLeastOnce) {
  Frame frame = frames.pop_back_val();
  if (!frames.empty())
    for (const Entry &entry : frame.head)
      addToHead(frames.back(), entry);
  if (runsAtLeastOnce) {
    if (!frames.empty())
      frames.back().seen = std::max(frames.back().seen, frame.seen);
    return;
  }
  // Without an iteration, what was pending before still is.
  for (const Entry &entry : frame.before) {
    if (Entry *known = find(pending, entry.use))
      known->blockSynced &= entry.blockSynced;
    else
      pending.push_back(entry);
  }
}
