//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

static bool isSame(const MemoryUse &a, const MemoryUse &b) {
  return a.space == b.space && a.writes == b.writes && a.region == b.region &&
         a.producer == b.producer && a.user == b.user;
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
  if (frame.seen == SyncLevel::Grid)
    return;
  Entry added = entry;
  added.blockSynced |= frame.seen == SyncLevel::Block;
  frame.head.push_back(added);
}

void Hazards::note(const MemoryUse &use) {
  auto known = llvm::find_if(pending, [&](const Entry &entry) { return isSame(entry.use, use); });
  if (known == pending.end())
    pending.push_back({use, false});
  else
    known->blockSynced = false;
  if (!frames.empty())
    addToHead(frames.back(), {use, false});
}

void Hazards::synchronize(SyncLevel level) {
  if (level == SyncLevel::None)
    return;
  if (level == SyncLevel::Grid)
    pending.clear();
  // Shared memory knows no other blocks.
  llvm::erase_if(pending,
                 [](const Entry &entry) { return entry.use.space == MemoryUse::Space::Shared; });
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
    auto known =
        llvm::find_if(pending, [&](const Entry &other) { return isSame(entry.use, other.use); });
    if (known == pending.end())
      pending.push_back(entry);
    else
      known->blockSynced &= entry.blockSynced;
  }
}
