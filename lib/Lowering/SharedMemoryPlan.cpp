//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SharedMemoryPlan.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Timeline
//===----------------------------------------------------------------------===//

Timeline::Timeline(Loop &root) { visit(root); }

void Timeline::visit(Loop &loop) {
  unsigned begin = next++;
  for (const LoopItem &item : loop.items) {
    if (item.loop)
      visit(*item.loop);
    else
      computes[item.op] = {next++, &loop};
  }
  unsigned end = next++;
  loops[&loop] = {begin, end, next++};
}

Timeline::Event Timeline::getStore(const ScheduledOp &scheduled) const {
  for (const Loop *loop : scheduled.loops)
    if (llvm::is_contained(loop->reductions, scheduled.op) ||
        llvm::is_contained(loop->tiles, scheduled.op))
      return {loops.lookup(loop).finish, loop->parent};
  return getCompute(scheduled);
}

Timeline::Interval Timeline::getLifetime(ArrayRef<Event> events) const {
  auto contains = [](const Loop *outer, const Loop *inner) {
    while (inner && inner != outer)
      inner = inner->parent;
    return inner == outer;
  };
  // The innermost loop that all events happen in.
  const Loop *common = events.front().scope;
  while (llvm::any_of(events, [&](const Event &event) { return !contains(common, event.scope); }))
    common = common->parent;
  Interval lifetime{~0u, 0};
  for (const Event &event : events) {
    Interval own{event.number, event.number};
    for (const Loop *loop = event.scope; loop != common; loop = loop->parent)
      own = {loops.lookup(loop).begin, loops.lookup(loop).end};
    lifetime = {std::min(lifetime.begin, own.begin), std::max(lifetime.end, own.end)};
  }
  return lifetime;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

unsigned SharedMemoryPlan::place(Operation *owner, int64_t bytes, Timeline::Interval lifetime) {
  // What the new region may not touch, by offset.
  SmallVector<const Region *> obstacles;
  for (const Region &region : regions)
    if (region.lifetime.meets(lifetime) || std::min(region.bytes, bytes) <= kNotWorthABarrier)
      obstacles.push_back(&region);
  llvm::sort(obstacles, [](const Region *a, const Region *b) { return a->offset < b->offset; });
  int64_t offset = 0;
  for (const Region *obstacle : obstacles) {
    if (offset + bytes <= obstacle->offset)
      break;
    int64_t behind = llvm::alignTo(obstacle->offset + obstacle->bytes, loop::kSharedAlignment);
    offset = std::max(offset, behind);
  }
  regions.push_back({offset, bytes, lifetime, owner});
  return regions.size() - 1;
}

int64_t SharedMemoryPlan::getBytes() const {
  int64_t bytes = 0;
  for (const Region &region : regions)
    bytes = std::max(bytes, region.offset + region.bytes);
  return llvm::alignTo(bytes, loop::kSharedAlignment);
}
