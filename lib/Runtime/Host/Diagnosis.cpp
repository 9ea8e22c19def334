//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Describes errors of a kernel that the scheduler detects.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace fuser::runtime::host {

static void writeTriple(std::ostream &stream, const uint32_t (&id)[3]) {
  stream << '(' << id[0] << ", " << id[1] << ", " << id[2] << ')';
}

std::string Scheduler::where(const Fiber &fiber) const {
  std::ostringstream stream;
  stream << "kernel '" << plan.kernel->name << "', block ";
  writeTriple(stream, fiber.context.block_id);
  stream << ", thread ";
  writeTriple(stream, fiber.context.thread_id);
  return stream.str();
}

Error Scheduler::divergence(const Fiber &fiber, uint32_t site, const Fiber &other,
                            const char *group) const {
  std::ostringstream waiting;
  writeTriple(waiting, other.context.thread_id);
  return makeError(ErrorCode::BarrierDivergence, where(fiber), ": expected all threads of the ",
                   group, ", but got ", plan.siteText(site), " while thread ", waiting.str(),
                   " waits at ", plan.siteText(other.site));
}

/// True if a thread of `block` waits for threads of its own block: blocks that only wait for the
/// whole grid do not cause a deadlock.
static bool isStuck(const Block &block, uint32_t fibersPerBlock) {
  return std::any_of(block.fibers, block.fibers + fibersPerBlock, [](const Fiber &fiber) {
    return fiber.waitsFor(Wait::Shuffle) || fiber.waitsFor(Wait::Barrier) ||
           fiber.waitsFor(Wait::Phase) || fiber.waitsFor(Wait::Role);
  });
}

Error Scheduler::deadlock() const {
  const uint32_t perBlock = plan.fibersPerBlock();
  const auto stuck = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const Block &block) { return isStuck(block, perBlock); });
  const auto live = std::find_if(blocks.begin(), blocks.end(),
                                 [](const Block &block) { return block.live != 0; });
  const Block &block = stuck != blocks.end() ? *stuck : *live;
  std::map<uint32_t, uint32_t> waitingAt;
  uint32_t returned = 0;
  for (uint32_t t = 0; t < perBlock; ++t) {
    if (block.fibers[t].wait == Wait::Returned)
      ++returned;
    else
      ++waitingAt[block.fibers[t].site];
  }
  std::ostringstream counts;
  counts << perBlock << " threads " << returned << " returned";
  for (auto [site, count] : waitingAt)
    counts << ", " << count << (count == 1 ? " waits at " : " wait at ") << plan.siteText(site);
  std::ostringstream id;
  writeTriple(id, block.id);
  return makeError(ErrorCode::Deadlock, "kernel '", plan.kernel->name, "', block ", id.str(),
                   ": expected a thread that can go on, but of ", counts.str(),
                   bulkCopies.describeWaits(block), describeRoles(block),
                   registers.describeWaits(block));
}

Error Scheduler::badCluster(const Fiber &fiber, uint32_t site, const std::string &what) const {
  return makeError(ErrorCode::BarrierDivergence, where(fiber), ": expected ", what, " at ",
                   plan.siteText(site));
}

Error Scheduler::badWidth(const Fiber &fiber, uint32_t site, uint32_t width) const {
  return makeError(ErrorCode::InvalidLaunch, where(fiber), ": expected the width of ",
                   plan.siteText(site), " to be a power of two up to ", FUSER_HOST_WARP_SIZE,
                   ", but got ", width);
}

Error Scheduler::returned(const Fiber &waiting, const Fiber &gone, const char *group) const {
  std::ostringstream thread;
  writeTriple(thread, gone.context.thread_id);
  if (gone.block != waiting.block) {
    thread << " of block ";
    writeTriple(thread, gone.context.block_id);
  }
  return makeError(ErrorCode::BarrierDivergence, where(waiting), ": expected all threads of the ",
                   group, " at ", plan.siteText(waiting.site), ", but thread ", thread.str(),
                   " returns without it");
}

Error Scheduler::absentLane(const Fiber &fiber, uint32_t source) const {
  const bool exists = (fiber.warp->existing >> source & 1) != 0;
  return makeError(ErrorCode::BarrierDivergence, where(fiber), ": expected lane ", source, " at ",
                   plan.siteText(fiber.site), ", which reads it, but the lane ",
                   exists ? "has returned" : "does not exist");
}

Error Scheduler::outside(const Fiber &fiber, uint32_t site, const std::string &what) const {
  return makeError(ErrorCode::BoxViolation, where(fiber), ": expected ", plan.siteText(site),
                   " inside of ", what);
}

Error Scheduler::beyond(const Fiber &fiber, uint32_t site, int64_t index, int64_t lanes,
                        int64_t elements) const {
  std::ostringstream what;
  what << "element" << (lanes > 1 ? "s " : " ") << index;
  if (lanes > 1)
    what << " to " << index + lanes - 1;
  return makeError(ErrorCode::OutOfBounds, where(fiber), ": expected ", plan.siteText(site),
                   " inside of the ", elements, " elements of its buffer, but got ", what.str());
}

Error Scheduler::race(const Fiber &fiber, const CheckedAccess &access, const Moment &other,
                      const std::string &what) const {
  const uint32_t thread = other.thread, block = other.block;
  const uint32_t id[3] = {thread % plan.block[0], thread / plan.block[0] % plan.block[1],
                          thread / plan.block[0] / plan.block[1]};
  const uint32_t blockId[3] = {block % plan.grid[0], block / plan.grid[0] % plan.grid[1],
                               block / plan.grid[0] / plan.grid[1]};
  std::ostringstream who;
  writeTriple(who, id);
  const Moment now = momentOf(fiber, access.site);
  const bool isOwn = now.block == block, hasArrivals = (now.arrivals | other.arrivals) != 0;
  const bool isShared =
      access.memory == FUSER_HOST_SHARED || access.memory == FUSER_HOST_PEER_SHARED;
  if (!isOwn) {
    who << " of block ";
    writeTriple(who, blockId);
  }
  return makeError(
      ErrorCode::DataRace, where(fiber), ": expected ", plan.siteText(access.site),
      " to be ordered with ", plan.siteText(other.site), " of thread ", who.str(), ", but no ",
      other.isPending   ? "wait for the copy"
      : other.isOfPhase ? "wait for the phase of its barrier"
      : isOwn           ? (hasArrivals ? "barrier, nor an arrival that was waited for," : "barrier")
      : isShared        ? "barrier of the cluster"
                        : "synchronisation of the grid",
      " is between them and both touch ", what);
}

Error Scheduler::undrawn(const Fiber &fiber, uint32_t site) const {
  return makeError(ErrorCode::Deadlock, where(fiber), ": expected ", plan.siteText(site),
                   " to wait for a ticket that an earlier block draws, but no block has drawn one");
}

Error Scheduler::undefined(const Fiber &fiber, uint32_t site, const std::string &what) const {
  return makeError(ErrorCode::UninitializedRead, where(fiber), ": expected ", plan.siteText(site),
                   " to read what was written, but got ", what);
}

Error Scheduler::misaligned(const Fiber &fiber, uint32_t site, uint64_t address,
                            uint32_t alignment) const {
  std::ostringstream hex;
  hex << "0x" << std::hex << address;
  return makeError(ErrorCode::AlignmentMismatch, where(fiber),
                   ": expected an address that is a multiple of ", alignment, " bytes at ",
                   plan.siteText(site), ", but got ", hex.str());
}

} // namespace fuser::runtime::host
