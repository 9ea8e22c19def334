//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barriers for some of the threads of a block.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <sstream>

namespace fuser::runtime::host {

void Scheduler::roleBarrier(Fiber &fiber, uint32_t site, uint32_t id, uint32_t threads) {
  RoleBarrier &barrier = fiber.block->roles[id % kRoleBarriers];
  if (!barrier.waiting.empty() && (barrier.site != site || barrier.threads != threads)) {
    Error failure =
        divergence(fiber, site, *barrier.waiting.front(), "role at one barrier of a role");
    abandon(failure);
  }
  barrier.site = site;
  barrier.threads = threads;
  if (plan.checks) {
    plan.checks->races.arriveAtPhase(reinterpret_cast<uint64_t>(&barrier), barrier.completed,
                                     momentOf(fiber, site));
    ++fiber.arrivals;
  }
  const uint64_t phase = barrier.completed;
  barrier.waiting.push_back(&fiber);
  if (barrier.waiting.size() == threads)
    releaseRole(fiber, barrier);
  else
    block(fiber, Wait::Role, site);
  if (plan.checks)
    plan.checks->races.acquirePhase(reinterpret_cast<uint64_t>(&barrier), phase,
                                    momentOf(fiber, site));
}

void Scheduler::releaseRole(Fiber &last, RoleBarrier &barrier) {
  if (plan.checks)
    plan.checks->races.completePhase(reinterpret_cast<uint64_t>(&barrier), barrier.completed);
  ++barrier.completed;
  for (Fiber *waiting : barrier.waiting)
    if (waiting != &last)
      waiting->warp->ready |= 1u << waiting->lane;
  barrier.waiting.clear();
}

/// "; barrier 1 of a role has 224 of 256 threads" for each one that threads wait at.
std::string Scheduler::describeRoles(const Block &block) const {
  std::ostringstream text;
  for (uint32_t id = 0; id < kRoleBarriers; ++id)
    if (const RoleBarrier &barrier = block.roles[id]; !barrier.waiting.empty())
      text << "; barrier " << id << " of a role has " << barrier.waiting.size() << " of "
           << barrier.threads << " threads";
  return text.str();
}

} // namespace fuser::runtime::host

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_role_barrier(fuser_host_context *context, uint32_t site, uint32_t id,
                                        uint32_t threads) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->roleBarrier(fiber, site, id, threads);
}
