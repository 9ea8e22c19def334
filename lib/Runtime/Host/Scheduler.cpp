//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fuser::runtime::host {

/// The alignment of a block's shared memory and of its dynamic part: that of the strictest GPU
/// instruction (a swizzled tile).
static constexpr size_t kSharedAlignment = 1024;
/// The first frames of adjacent fibers are this many bytes apart modulo a page, so that they do not
/// map to the same few cache sets.
static constexpr size_t kStagger = 448, kStaggerRange = 4096;

/// Number of accesses that are checked after a read of uninitialized memory.
static constexpr uint32_t kUndefinedBudget = 1 << 20;

static size_t alignShared(size_t bytes) {
  return (bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
}

static uint32_t bit(uint32_t lane) { return 1u << lane; }
static uint32_t firstLane(uint32_t lanes) { return static_cast<uint32_t>(__builtin_ctz(lanes)); }

const char *LaunchPlan::siteText(uint32_t site) const {
  if (site >= kernel->num_sites)
    return "an unnamed op";
  const char *text = kernel->sites;
  while (site-- > 0)
    text += std::strlen(text) + 1;
  return text;
}

void Scheduler::SharedDeleter::operator()(char *memory) const { std::free(memory); }

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Scheduler>>
Scheduler::create(const LaunchPlan &plan, uint32_t residentBlocks, const FiberStacks &stacks) {
  assert(stacks.size() >= uint64_t(residentBlocks) * plan.fibersPerBlock() && "too few stacks");
  std::unique_ptr<Scheduler> scheduler(new Scheduler(plan, residentBlocks, stacks));
  if (Status status = scheduler->allocateShared(); !status)
    return status.takeError();
  scheduler->layOut();
  return scheduler;
}

Status Scheduler::allocateShared() {
  dynamicOffset = alignShared(plan.kernel->static_shared_bytes);
  sharedBytes = dynamicOffset + alignShared(plan.dynamicSharedBytes);
  if (sharedBytes == 0)
    return {};
  const size_t bytes = sharedBytes * blocks.size();
  sharedMemory.reset(static_cast<char *>(std::aligned_alloc(kSharedAlignment, bytes)));
  if (!sharedMemory)
    return makeError(ErrorCode::OutOfMemory, "kernel '", plan.kernel->name, "': expected ", bytes,
                     " bytes for the shared memory of ", blocks.size(), " blocks");
  if (plan.checks)
    sharedShadow.resize(bytes / sharedGranule);
  return {};
}

void Scheduler::layOut() {
  const uint32_t perBlock = plan.fibersPerBlock();
  const uint32_t warpsPerBlock = (perBlock + FUSER_HOST_WARP_SIZE - 1) / FUSER_HOST_WARP_SIZE;
  warps.resize(blocks.size() * warpsPerBlock);
  fibers.resize(blocks.size() * perBlock);
  clusters.resize(blocks.size() / plan.blocksPerCluster());
  for (size_t b = 0; b < blocks.size(); ++b) {
    Block &block = blocks[b];
    block.warps = &warps[b * warpsPerBlock];
    block.numWarps = warpsPerBlock;
    block.fibers = &fibers[b * perBlock];
    block.shared = sharedMemory.get() + b * sharedBytes;
    block.cluster = &clusters[b / plan.blocksPerCluster()];
    if (b % plan.blocksPerCluster() == 0)
      block.cluster->blocks = &block;
    for (uint32_t t = 0; t < perBlock; ++t) {
      Fiber &fiber = block.fibers[t];
      const uint32_t lane = t % FUSER_HOST_WARP_SIZE;
      fiber.scheduler = this;
      fiber.lane = lane;
      fiber.block = &block;
      fiber.warp = &block.warps[t / FUSER_HOST_WARP_SIZE];
      if (lane == 0)
        fiber.warp->lanes = &fiber;
      fiber.warp->existing |= bit(lane);
      fuser_host_context &context = fiber.context;
      const uint32_t id[3] = {t % plan.block[0], t / plan.block[0] % plan.block[1],
                              t / plan.block[0] / plan.block[1]};
      std::memcpy(context.thread_id, id, sizeof(id));
      std::memcpy(context.block_dim, plan.block, sizeof(plan.block));
      std::memcpy(context.grid_dim, plan.grid, sizeof(plan.grid));
      std::memcpy(context.cluster_dim, plan.cluster, sizeof(plan.cluster));
      context.lane_id = lane;
      context.dynamic_shared_bytes = plan.dynamicSharedBytes;
      context.static_shared = block.shared;
      context.dynamic_shared = block.shared + dynamicOffset;
    }
  }
}

void Scheduler::start(uint64_t firstCluster) {
  liveInGrid = fibers.size();
  waitingForGrid = 0;
  error.reset();
  undefinedRead.reset();
  undefinedBudget = kUndefinedBudget;
  for (Warp &warp : warps) {
    warp.live = warp.ready = warp.existing;
    warp.shuffling = 0;
  }
  if ((plan.kernel->flags & FUSER_HOST_USES_COPIES) != 0) {
    copies.reset(fibers.size());
    stores.reset(fibers.size());
    bulkCopies.reset();
  }
  if (plan.checks)
    plan.checks->races.resetPhases();
  if ((plan.kernel->flags & FUSER_HOST_USES_MATRICES) != 0) {
    matrices.assign(warps.size(), WarpMatrices());
    registers.reset(warps.size());
  }
  if ((plan.kernel->flags & FUSER_HOST_USES_WARP_GROUPS) != 0)
    warpGroups.reset(warps.size(), fibers.size(), sharedBytes * blocks.size());
  for (Cluster &cluster : clusters)
    startCluster(cluster, firstCluster++);
  const uint32_t perBlock = plan.fibersPerBlock();
  for (size_t b = 0; b < blocks.size(); ++b) {
    Block &block = blocks[b];
    block.live = perBlock;
    block.waiting = 0;
    for (RoleBarrier &role : block.roles)
      role = RoleBarrier();
    if (plan.checks) {
      block.epoch = plan.checks->races.beginEpoch();
      block.firstEpoch = blocks.front().epoch;
    }
    if (plan.poisonShared && sharedBytes != 0)
      std::memset(block.shared, kPoison, sharedBytes);
    for (uint32_t t = 0; t < perBlock; ++t) {
      Fiber &fiber = block.fibers[t];
      fiber.clusterSteps = fiber.arrivals = 0;
      fiber.hasWaitedForLaunches = false;
      std::memcpy(fiber.context.block_id, block.id, sizeof(block.id));
      prepare(fiber.continuation, stacks[b * perBlock + t], t * kStagger % kStaggerRange, fiberMain,
              &fiber);
    }
  }
}

Status Scheduler::run(uint64_t firstCluster) {
  start(firstCluster);
  switchTo(caller, fibers.front().continuation);
  // Any later error may be a consequence of a read of uninitialized memory, except for a race.
  if (undefinedRead && (!error || error->code != ErrorCode::DataRace))
    error = std::move(undefinedRead);
  if (error)
    return *std::exchange(error, std::nullopt);
  return {};
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Scheduler::fiberMain(void *argument) {
  arrived();
  Fiber &fiber = *static_cast<Fiber *>(argument);
  Scheduler &self = *fiber.scheduler;
  if (self.plan.isPlain())
    self.runPlainThreads(fiber);
  else
    self.plan.kernel->entry(&fiber.context, self.plan.params);
  self.finish(fiber);
}

void Scheduler::runPlainThreads(Fiber &fiber) {
  fuser_host_context &context = fiber.context;
  uint32_t linear = 0;
  for (uint32_t z = 0; z < plan.block[2]; ++z)
    for (uint32_t y = 0; y < plan.block[1]; ++y)
      for (uint32_t x = 0; x < plan.block[0]; ++x, ++linear) {
        context.thread_id[0] = x;
        context.thread_id[1] = y;
        context.thread_id[2] = z;
        context.lane_id = linear % FUSER_HOST_WARP_SIZE;
        fiber.hasWaitedForLaunches = false;
        plan.kernel->entry(&context, plan.params);
      }
}

void Scheduler::finish(Fiber &fiber) {
  Warp &warp = *fiber.warp;
  Block &own = *fiber.block;
  const uint32_t self = bit(fiber.lane);
  if (plan.checks) {
    checkReturn(fiber);
    copies.checkReturn(fiber);
    stores.checkReturn(fiber);
    warpGroups.checkReturn(fiber);
    registers.checkReturn(fiber);
    if (own.live == 1)
      bulkCopies.checkReturn(fiber);
  }
  fiber.wait = Wait::Returned;
  warp.live &= ~self;
  warp.ready &= ~self;
  --own.live;
  --liveInGrid;
  leaveCluster(fiber);
  // The returning thread may be the last one that others waited for.
  for (uint32_t rest = warp.shuffling; rest != 0;) {
    const uint32_t segment = warp.segment[firstLane(rest)];
    rest &= ~segment;
    if ((segment & self) != 0 && (warp.shuffling & segment) == (warp.live & segment))
      complete(warp, segment);
  }
  if (own.waiting != 0 && own.waiting == own.live)
    releaseBarrier(own);
  if (waitingForGrid != 0 && waitingForGrid == liveInGrid)
    releaseGrid();
  if (Fiber *other = next(fiber))
    leaveTo(other->continuation);
  if (liveInGrid != 0) {
    Error failure = deadlock();
    abandon(failure);
  }
  leaveTo(caller);
}

void Scheduler::checkReturn(const Fiber &fiber) {
  const Block &own = *fiber.block;
  if (own.waiting == 0 && waitingForGrid == 0)
    return;
  for (Fiber &other : fibers) {
    const bool waitsForGrid = waitingForGrid != 0 && other.waitsFor(Wait::Grid);
    const bool waitsForBlock =
        own.waiting != 0 && other.block == &own && other.waitsFor(Wait::Barrier);
    if (!waitsForGrid && !waitsForBlock)
      continue;
    Error failure = returned(other, fiber, waitsForBlock ? "block" : "grid");
    abandon(failure);
  }
}

void Scheduler::checkNobodyReturned(Fiber &fiber, uint32_t site, Fiber *first, uint32_t count,
                                    const char *group) {
  for (Fiber *other = first; other != first + count; ++other)
    if (other->wait == Wait::Returned && (other->warp->live >> other->lane & 1) == 0) {
      fiber.site = site;
      Error failure = returned(fiber, *other, group);
      abandon(failure);
    }
}

Fiber *Scheduler::next(const Fiber &fiber) {
  Warp *warp = fiber.warp;
  if (warp->ready != 0) {
    const uint32_t upTo = bit(fiber.lane) | (bit(fiber.lane) - 1);
    const uint32_t later = warp->ready & ~upTo;
    return warp->lanes + firstLane(later != 0 ? later : warp->ready);
  }
  Warp *const end = warps.data() + warps.size();
  for (size_t i = 1; i < warps.size(); ++i) {
    if (++warp == end)
      warp = warps.data();
    if (warp->ready != 0)
      return warp->lanes + firstLane(warp->ready);
  }
  return nullptr;
}

void Scheduler::block(Fiber &fiber, Wait reason, uint32_t site) {
  fiber.wait = reason;
  fiber.site = site;
  fiber.warp->ready &= ~bit(fiber.lane);
  Fiber *other = next(fiber);
  if (!other) {
    Error failure = deadlock();
    abandon(failure);
  }
  switchTo(fiber.continuation, other->continuation);
}

void Scheduler::abandon(Error &failure) {
  error = std::move(failure);
  leaveTo(caller);
}

//===----------------------------------------------------------------------===//
// Waiting for a block, a grid, a warp
//===----------------------------------------------------------------------===//

void Scheduler::barrier(Fiber &fiber, uint32_t site) {
  Block &own = *fiber.block;
  const uint32_t threads = plan.fibersPerBlock();
  if (plan.checks && own.live != threads)
    checkNobodyReturned(fiber, site, own.fibers, threads, "block");
  if (own.waiting != 0 && own.site != site)
    for (uint32_t t = 0;; ++t)
      if (own.fibers[t].waitsFor(Wait::Barrier)) {
        Error failure = divergence(fiber, site, own.fibers[t], "block at one barrier");
        abandon(failure);
      }
  own.site = site;
  if (++own.waiting == own.live)
    releaseBarrier(own);
  else
    block(fiber, Wait::Barrier, site);
}

void Scheduler::releaseBarrier(Block &released) {
  released.waiting = 0;
  if (plan.checks)
    released.epoch = plan.checks->races.beginEpoch();
  for (uint32_t w = 0; w < released.numWarps; ++w)
    released.warps[w].ready = released.warps[w].live;
}

void Scheduler::gridSync(Fiber &fiber, uint32_t site) {
  if (plan.checks && liveInGrid != fibers.size())
    checkNobodyReturned(fiber, site, fibers.data(), fibers.size(), "grid");
  if (waitingForGrid != 0 && gridSite != site)
    for (Fiber &other : fibers)
      if (other.waitsFor(Wait::Grid)) {
        Error failure = divergence(fiber, site, other, "grid at one synchronisation");
        abandon(failure);
      }
  gridSite = site;
  if (++waitingForGrid == liveInGrid)
    releaseGrid();
  else
    block(fiber, Wait::Grid, site);
}

void Scheduler::releaseGrid() {
  waitingForGrid = 0;
  if (plan.checks) {
    const uint32_t epoch = plan.checks->races.synchronizeGrid();
    for (Block &block : blocks)
      block.epoch = epoch;
  }
  for (Warp &warp : warps)
    warp.ready = warp.live;
}

/// The lane that `lane` reads; if it is outside of the segment, a number that is not in it.
static uint32_t sourceLane(uint32_t mode, uint32_t lane, uint32_t offset, uint32_t width) {
  const uint32_t base = lane & ~(width - 1), local = lane & (width - 1);
  uint32_t source = offset;
  switch (mode) {
  case FUSER_HOST_SHUFFLE_XOR:
    source = local ^ offset;
    break;
  case FUSER_HOST_SHUFFLE_UP:
    source = local - offset; // wraps to beyond the width
    break;
  case FUSER_HOST_SHUFFLE_DOWN:
    source = offset < width ? local + offset : width;
    break;
  default:
    break;
  }
  return source < width ? base + source : FUSER_HOST_WARP_SIZE;
}

fuser_host_shuffle_result Scheduler::shuffle(Fiber &fiber, uint32_t site, uint32_t mode,
                                             uint64_t value, uint32_t offset, uint32_t width) {
  Warp &warp = *fiber.warp;
  const uint32_t lane = fiber.lane;
  if (width == 0 || width > FUSER_HOST_WARP_SIZE || (width & (width - 1)) != 0) {
    Error failure = badWidth(fiber, site, width);
    abandon(failure);
  }
  const uint32_t lanes = width == FUSER_HOST_WARP_SIZE ? ~0u : bit(width) - 1;
  const uint32_t segment = lanes << (lane & ~(width - 1));
  checkMeets(fiber, site, segment, "warp at one shuffle");
  const uint32_t source = sourceLane(mode, lane, offset, width);
  const bool valid = source < FUSER_HOST_WARP_SIZE;
  warp.source[lane] = valid ? source : lane;
  warp.value[lane] = value;
  meet(fiber, site, segment);
  return {warp.result[lane], valid};
}

void Scheduler::checkMeets(Fiber &fiber, uint32_t site, uint32_t segment, const char *group) {
  Warp &warp = *fiber.warp;
  for (uint32_t rest = warp.shuffling & segment; rest != 0; rest &= rest - 1) {
    const uint32_t lane = firstLane(rest);
    Fiber &other = warp.lanes[lane];
    // Lanes of a narrower segment without this one meet at their own site first.
    if (other.site == site || (warp.segment[lane] & bit(fiber.lane)) == 0)
      continue;
    Error failure = divergence(fiber, site, other, group);
    abandon(failure);
  }
}

void Scheduler::arrive(Fiber &fiber, uint32_t site, uint32_t segment) {
  Warp &warp = *fiber.warp;
  warp.segment[fiber.lane] = segment;
  warp.shuffling |= bit(fiber.lane);
  fiber.site = site;
}

void Scheduler::meet(Fiber &fiber, uint32_t site, uint32_t segment) {
  Warp &warp = *fiber.warp;
  arrive(fiber, site, segment);
  if ((warp.shuffling & segment) == (warp.live & segment))
    complete(warp, segment);
  else
    block(fiber, Wait::Shuffle, site);
}

void Scheduler::complete(Warp &warp, uint32_t segment) {
  if (!matrices.empty() && getMatrices(warp).kind != WarpMatrices::Kind::None)
    completeMatrices(warp, getMatrices(warp));
  else
    completeShuffle(warp, segment);
}

void Scheduler::completeShuffle(Warp &warp, uint32_t segment) {
  const uint32_t lanes = warp.shuffling & segment;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t lane = firstLane(rest);
    const uint32_t source = warp.source[lane];
    if (plan.checks && (lanes & bit(source)) == 0) {
      Error failure = absentLane(warp.lanes[lane], source);
      abandon(failure);
    }
    warp.result[lane] = (lanes & bit(source)) != 0 ? warp.value[source] : ~uint64_t(0);
  }
  warp.shuffling &= ~segment;
  warp.ready |= lanes;
}

void Scheduler::failAlignment(Fiber &fiber, uint32_t site, uint64_t address, uint32_t alignment) {
  Error failure = misaligned(fiber, site, address, alignment);
  abandon(failure);
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_barrier(fuser_host_context *context, uint32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->barrier(fiber, site);
}

extern "C" void fuser_host_grid_sync(fuser_host_context *context, uint32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->gridSync(fiber, site);
}

extern "C" fuser_host_shuffle_result fuser_host_shuffle(fuser_host_context *context, uint32_t site,
                                                        uint32_t mode, uint64_t value,
                                                        uint32_t offset, uint32_t width) {
  Fiber &fiber = fiberOf(context);
  return fiber.scheduler->shuffle(fiber, site, mode, value, offset, width);
}

extern "C" void fuser_host_fail_alignment(fuser_host_context *context, uint32_t site,
                                          uint64_t address, uint32_t alignment) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->failAlignment(fiber, site, address, alignment);
}

extern "C" void fuser_host_fail_bounds(fuser_host_context *context, uint32_t site, int64_t index,
                                       int64_t lanes, int64_t elements) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->failBounds(fiber, site, index, lanes, elements);
}

extern "C" void fuser_host_check_access(fuser_host_context *context, uint32_t site, uint32_t memory,
                                        uint64_t address, uint32_t bytes, uint32_t kind) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->checkAccess(fiber, {site, memory, address, bytes, kind});
}

extern "C" void fuser_host_wait_dependencies(fuser_host_context *context) {
  fiberOf(context).hasWaitedForLaunches = true;
}
