//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Clusters: the barrier of their blocks, and accesses to each other's shared memory.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <sstream>

namespace fuser::runtime::host {

/// Barriers that a thread has arrived at.
static uint32_t getArrivals(const Fiber &fiber) { return (fiber.clusterSteps + 1) / 2; }
static bool isBetween(const Fiber &fiber) { return fiber.clusterSteps % 2 != 0; }

static std::string describe(const uint32_t (&id)[3]) {
  std::ostringstream stream;
  stream << '(' << id[0] << ", " << id[1] << ", " << id[2] << ')';
  return stream.str();
}

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

void Scheduler::startCluster(Cluster &cluster, uint64_t number) {
  cluster.live = plan.fibersPerBlock() * plan.blocksPerCluster();
  cluster.arrived = cluster.completed = 0;
  uint64_t rest = number;
  uint32_t first[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint32_t count = plan.grid[axis] / plan.cluster[axis];
    first[axis] = static_cast<uint32_t>(rest % count) * plan.cluster[axis];
    rest /= count;
  }
  for (uint32_t rank = 0; rank < plan.blocksPerCluster(); ++rank) {
    uint32_t left = rank;
    for (unsigned axis = 0; axis < 3; ++axis) {
      cluster.blocks[rank].id[axis] = first[axis] + left % plan.cluster[axis];
      left /= plan.cluster[axis];
    }
  }
}

//===----------------------------------------------------------------------===//
// The barrier
//===----------------------------------------------------------------------===//

template <typename Visit> void Scheduler::forFibers(const Cluster &cluster, Visit visit) {
  Fiber *const begin = cluster.blocks->fibers;
  Fiber *const end = begin + size_t(plan.fibersPerBlock()) * plan.blocksPerCluster();
  for (Fiber *fiber = begin; fiber != end; ++fiber)
    visit(*fiber);
}

/// A live thread that has arrived at the present barrier.
Fiber *Scheduler::findArrived(const Cluster &cluster) {
  Fiber *found = nullptr;
  forFibers(cluster, [&](Fiber &fiber) {
    const bool isLive = (fiber.warp->live >> fiber.lane & 1) != 0;
    if (!found && isLive && getArrivals(fiber) > cluster.completed)
      found = &fiber;
  });
  return found;
}

void Scheduler::arriveAtCluster(Fiber &fiber, uint32_t site) {
  Cluster &own = *fiber.block->cluster;
  if (plan.checks && own.live != plan.fibersPerBlock() * plan.blocksPerCluster())
    checkNobodyReturned(fiber, site, own.blocks->fibers,
                        plan.fibersPerBlock() * plan.blocksPerCluster(), "cluster");
  if (isBetween(fiber)) {
    Error failure = badCluster(fiber, site, "a wait for the cluster before the next arrival");
    abandon(failure);
  }
  if (own.arrived != 0 && own.site != site) {
    Fiber &other = *findArrived(own);
    other.site = own.site;
    Error failure = divergence(fiber, site, other, "cluster at one barrier");
    abandon(failure);
  }
  own.site = site;
  ++fiber.clusterSteps;
  if (++own.arrived == own.live)
    releaseCluster(own);
}

void Scheduler::waitForCluster(Fiber &fiber, uint32_t site) {
  if (!isBetween(fiber)) {
    Error failure = badCluster(fiber, site, "an arrival at the barrier of the cluster before");
    abandon(failure);
  }
  if (fiber.block->cluster->completed < getArrivals(fiber))
    block(fiber, Wait::Cluster, site);
  ++fiber.clusterSteps;
}

void Scheduler::releaseCluster(Cluster &cluster) {
  cluster.arrived = 0;
  ++cluster.completed;
  forFibers(cluster, [](Fiber &fiber) {
    if (fiber.waitsFor(Wait::Cluster))
      fiber.warp->ready |= 1u << fiber.lane;
  });
}

/// The thread returns: no other thread waits for it any longer.
void Scheduler::leaveCluster(Fiber &fiber) {
  Cluster &own = *fiber.block->cluster;
  if (isBetween(fiber)) {
    Error failure = badCluster(fiber, own.site,
                               "a thread to wait for the cluster after its arrival, not to return");
    abandon(failure);
  }
  if (plan.checks && own.arrived != 0)
    if (Fiber *other = findArrived(own)) {
      other->site = own.site;
      Error failure = returned(*other, fiber, "cluster");
      abandon(failure);
    }
  if (plan.checks && plan.blocksPerCluster() > 1 && fiber.block->live == 0) {
    Error failure{ErrorCode::DataRace, {}};
    bool isEarly = false;
    if (std::optional<Error> problem = checkPeersAreDone(fiber)) {
      failure = std::move(*problem);
      isEarly = true;
    }
    if (isEarly)
      abandon(failure);
  }
  --own.live;
  if (own.arrived != 0 && own.arrived == own.live)
    releaseCluster(own);
}

//===----------------------------------------------------------------------===//
// Shared memory of peers
//===----------------------------------------------------------------------===//

uint64_t Scheduler::mapPeer(Fiber &fiber, uint32_t site, uint64_t address, uint32_t rank) {
  const Block &own = *fiber.block;
  if (rank >= plan.blocksPerCluster()) {
    Error failure = makeError(ErrorCode::OutOfBounds, where(fiber), ": expected a rank less than ",
                              plan.blocksPerCluster(), ", the blocks of a cluster, at ",
                              plan.siteText(site), ", but got ", rank);
    abandon(failure);
  }
  return address + (own.cluster->blocks[rank].shared - own.shared);
}

/// A peer is there after the first barrier of the cluster, and until it returns.
std::optional<Error> Scheduler::checkPeer(const Fiber &fiber, const CheckedAccess &access,
                                          const Block &peer) const {
  if (fiber.clusterSteps < 2)
    return makeError(ErrorCode::DataRace, where(fiber), ": expected ", plan.siteText(access.site),
                     " after a barrier of the cluster, but block ", describe(peer.id),
                     ", whose shared memory it accesses, may not have begun");
  if (peer.live == 0)
    return makeError(ErrorCode::DataRace, where(fiber), ": expected ", plan.siteText(access.site),
                     " before block ", describe(peer.id),
                     ", whose shared memory it accesses, returns, but no barrier of the cluster "
                     "is between them");
  return std::nullopt;
}

/// An access of a peer to the shared memory of a block that returns must be ordered before that.
std::optional<Error> Scheduler::checkPeersAreDone(const Fiber &last) {
  const Block &block = *last.block;
  const Moment now = momentOf(last, 0);
  const size_t count = sharedBytes / sharedGranule;
  const Shadow *first = sharedShadow.data() + (&block - blocks.data()) * count;
  for (const Shadow *shadow = first; shadow != first + count; ++shadow)
    for (const Moment &moment : {shadow->write, shadow->read, shadow->otherRead}) {
      if (moment.epoch < block.firstEpoch || moment.block == now.block ||
          plan.checks->races.isOrderedByCluster(moment, now))
        continue;
      const Block *peer = block.cluster->blocks;
      while (plan.getLinear(peer->id) != moment.block)
        ++peer;
      const uint32_t thread = moment.thread;
      return makeError(ErrorCode::DataRace, "kernel '", plan.kernel->name, "', block ",
                       describe(peer->id), ", thread ",
                       describe({thread % plan.block[0], thread / plan.block[0] % plan.block[1],
                                 thread / plan.block[0] / plan.block[1]}),
                       ": expected ", plan.siteText(moment.site), " before block ",
                       describe(block.id),
                       ", whose shared memory it accesses, returns, but no barrier of the cluster "
                       "is between them");
    }
  return std::nullopt;
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_cluster_arrive(fuser_host_context *context, uint32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->arriveAtCluster(fiber, site);
}

extern "C" void fuser_host_cluster_wait(fuser_host_context *context, uint32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->waitForCluster(fiber, site);
}

extern "C" uint64_t fuser_host_map_peer(fuser_host_context *context, uint32_t site,
                                        uint64_t address, uint32_t rank) {
  Fiber &fiber = fiberOf(context);
  return fiber.scheduler->mapPeer(fiber, site, address, rank);
}
