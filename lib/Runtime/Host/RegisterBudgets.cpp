//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RegisterBudgets.h"

#include "Scheduler.h"

#include <algorithm>
#include <sstream>

namespace fuser::runtime::host {

/// Registers of a multiprocessor, the most that a thread has, and what these are multiples of.
static constexpr uint32_t kFile = 65536, kMost = 256, kStep = 8;

void RegisterBudgets::reset(size_t numWarps) {
  const uint32_t threads =
      std::max<uint32_t>((scheduler.plan.threadsPerBlock() + FUSER_HOST_WARP_SIZE - 1) /
                             FUSER_HOST_WARP_SIZE * FUSER_HOST_WARP_SIZE,
                         FUSER_HOST_WARP_SIZE);
  atLaunch = std::min(kFile / threads / kStep * kStep, kMost);
  warps.assign(numWarps, {atLaunch, atLaunch, false});
}

RegisterBudgets::WarpState &RegisterBudgets::getState(const Warp &warp) {
  return warps[&warp - scheduler.warps.data()];
}

const RegisterBudgets::WarpState &RegisterBudgets::getState(const Warp &warp) const {
  return warps[&warp - scheduler.warps.data()];
}

void RegisterBudgets::change(Fiber &fiber, uint32_t site, bool increases, uint32_t registers) {
  Warp &warp = *fiber.warp;
  scheduler.checkMeets(fiber, site, kAllLanes, "warp group at one change of its registers");
  WarpState &state = getState(warp);
  state.wanted = registers;
  state.increases = increases;
  scheduler.getMatrices(warp).kind = WarpMatrices::Kind::Registers;
  scheduler.arrive(fiber, site, kAllLanes);
  if (!completeGroup(warp))
    scheduler.block(fiber, Wait::Shuffle, site);
}

/// True if all lanes of the warp group of a warp are at one change. Fails if one never can be.
bool RegisterBudgets::isComplete(const Warp &own) const {
  const Block &block = *own.lanes->block;
  const size_t first = (&own - block.warps) / kGroupWarps * kGroupWarps;
  const Fiber &fiber = own.lanes[__builtin_ctz(own.shuffling)];
  if (first + kGroupWarps > block.numWarps) {
    Error failure =
        makeError(ErrorCode::BarrierDivergence, scheduler.where(fiber),
                  ": expected the 4 warps of a warp group at ", scheduler.plan.siteText(fiber.site),
                  ", but the block has ", block.numWarps - first);
    scheduler.abandon(failure);
  }
  for (size_t each = first; each < first + kGroupWarps; ++each) {
    const Warp &warp = block.warps[each];
    if (warp.live != kAllLanes) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(~warp.live));
      Error failure = scheduler.returned(fiber, warp.lanes[lane], "warp group");
      scheduler.abandon(failure);
    }
    if (warp.shuffling == 0 || scheduler.getMatrices(warp).kind != WarpMatrices::Kind::Registers)
      return false;
    const Fiber &other = warp.lanes[__builtin_ctz(warp.shuffling)];
    if (other.site != fiber.site) {
      Error failure = scheduler.divergence(fiber, fiber.site, other,
                                           "warp group at one change of its registers");
      scheduler.abandon(failure);
    }
    if (warp.shuffling != kAllLanes)
      return false;
  }
  return true;
}

void RegisterBudgets::fail(const Fiber &fiber, const WarpState &state) const {
  Error failure = makeError(ErrorCode::InvalidLaunch, scheduler.where(fiber), ": expected ",
                            scheduler.plan.siteText(fiber.site), " to ",
                            state.increases ? "increase" : "decrease",
                            " the registers of a thread to at ", state.increases ? "least" : "most",
                            " the ", state.registers, " that it has, but got ", state.wanted);
  scheduler.abandon(failure);
}

uint32_t RegisterBudgets::countFree(const Block &block) const {
  uint32_t used = 0;
  for (uint32_t warp = 0; warp < block.numWarps; ++warp)
    used += getState(block.warps[warp]).registers * FUSER_HOST_WARP_SIZE;
  return atLaunch * FUSER_HOST_WARP_SIZE * block.numWarps - used;
}

/// Of a warp group that is complete; false if the block has not enough.
bool RegisterBudgets::take(const Block &block, size_t first) {
  const WarpState state = getState(block.warps[first]);
  if (state.increases &&
      (state.wanted - state.registers) * kGroupWarps * FUSER_HOST_WARP_SIZE > countFree(block))
    return false;
  for (size_t each = first; each < first + kGroupWarps; ++each) {
    Warp &warp = block.warps[each];
    getState(warp).registers = state.wanted;
    scheduler.getMatrices(warp).kind = WarpMatrices::Kind::None;
    warp.ready |= warp.shuffling;
    warp.shuffling = 0;
  }
  return true;
}

bool RegisterBudgets::waitsForRegisters(const Block &block, size_t first) const {
  for (size_t each = first; each < first + kGroupWarps; ++each)
    if (block.warps[each].shuffling != kAllLanes ||
        scheduler.getMatrices(block.warps[each]).kind != WarpMatrices::Kind::Registers)
      return false;
  return true;
}

bool RegisterBudgets::completeGroup(Warp &own) {
  if (!isComplete(own))
    return false;
  const Block &block = *own.lanes->block;
  const size_t first = (&own - block.warps) / kGroupWarps * kGroupWarps;
  const WarpState &state = getState(own);
  if (state.increases ? state.wanted < state.registers : state.wanted > state.registers)
    fail(own.lanes[0], state);
  const bool gives = !state.increases;
  if (!take(block, first))
    return false;
  // Others may have waited for what the warp group gives back.
  if (gives)
    for (size_t other = 0; other + kGroupWarps <= block.numWarps; other += kGroupWarps)
      if (waitsForRegisters(block, other))
        take(block, other);
  return true;
}

void RegisterBudgets::checkReturn(const Fiber &fiber) const {
  if (warps.empty())
    return;
  const Block &block = *fiber.block;
  const size_t first = (fiber.warp - block.warps) / kGroupWarps * kGroupWarps;
  for (size_t each = first; each < first + kGroupWarps && each < block.numWarps; ++each) {
    const Warp &warp = block.warps[each];
    if (warp.shuffling == 0 || scheduler.getMatrices(warp).kind != WarpMatrices::Kind::Registers)
      continue;
    Error failure =
        scheduler.returned(warp.lanes[__builtin_ctz(warp.shuffling)], fiber, "warp group");
    scheduler.abandon(failure);
  }
}

std::string RegisterBudgets::describeWaits(const Block &block) const {
  std::ostringstream text;
  if (warps.empty())
    return {};
  for (size_t first = 0; first + kGroupWarps <= block.numWarps; first += kGroupWarps)
    if (const WarpState &state = getState(block.warps[first]); waitsForRegisters(block, first))
      text << "; warp group " << first / kGroupWarps << " waits for " << state.wanted
           << " registers of each thread, of which it has " << state.registers << ", and "
           << countFree(block) << " of the " << atLaunch * FUSER_HOST_WARP_SIZE * block.numWarps
           << " of the block are free";
  return text.str();
}

} // namespace fuser::runtime::host

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_set_max_registers(fuser_host_context *context, uint32_t site,
                                             uint32_t increases, uint32_t registers) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getRegisters().change(fiber, site, increases != 0, registers);
}
