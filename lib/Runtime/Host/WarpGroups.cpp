//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WarpGroups.h"

#include "Scheduler.h"

#include <cstring>

namespace fuser::runtime::host {

static constexpr uint32_t kRows = 64, kWarpRows = kRows / kGroupWarps, kSteps = 16;
static constexpr uint32_t kChunk = 8, kChunkBytes = 16, kBankRowBytes = 128;
static constexpr size_t kGranule = 16;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

uint64_t GroupOperand::getChunk(uint32_t row, uint32_t chunk) const {
  const uint32_t chunks = bytes / kChunkBytes, turn = row * bytes / kBankRowBytes % chunks;
  if (transposed != 0)
    return address + chunk / chunks * pitch + uint64_t(row) * bytes +
           uint64_t(chunk % chunks ^ turn) * kChunkBytes;
  const uint64_t inRow = address % bytes;
  return address - inRow + uint64_t(row) * bytes +
         ((inRow / kChunkBytes + chunk) ^ turn) * kChunkBytes;
}

uint64_t GroupOperand::getElement(uint32_t index, uint32_t step) const {
  const uint32_t row = transposed != 0 ? step : index, along = transposed != 0 ? index : step;
  return getChunk(row, along / kChunk) + along % kChunk * sizeof(uint16_t);
}

template <typename Visit>
void GroupOperand::forChunks(uint32_t first, uint32_t count, Visit visit) const {
  if (transposed != 0) {
    for (uint32_t step = 0; step < kSteps; ++step)
      for (uint32_t chunk = first / kChunk; chunk < (first + count) / kChunk; ++chunk)
        visit(getChunk(step, chunk));
    return;
  }
  for (uint32_t row = first; row < first + count; ++row)
    for (uint32_t chunk = 0; chunk < kSteps / kChunk; ++chunk)
      visit(getChunk(row, chunk));
}

//===----------------------------------------------------------------------===//
// Accumulators of lanes
//===----------------------------------------------------------------------===//

/// A signaling NaN. Arithmetic would make it a quiet one.
static constexpr uint32_t kTag = 0x7F800000, kTagBits = 22, kElementBits = 7;
static constexpr uint32_t kNumbers = 1u << (kTagBits - kElementBits);

static uint32_t getBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// `number` is not 0, so that the tag of element 0 is a NaN.
static void setTag(float &element, uint32_t number, uint32_t index) {
  const uint32_t bits = kTag | number << kElementBits | index;
  std::memcpy(&element, &bits, sizeof(bits));
}

/// The number of the accumulator that the element stands for; 0: it is a value.
static uint32_t getNumber(float element, uint32_t index) {
  const uint32_t bits = getBits(element);
  return bits >> kTagBits == kTag >> kTagBits && bits % (1u << kElementBits) == index
             ? bits >> kElementBits & (kNumbers - 1)
             : 0;
}

/// The number of the accumulator from whose element arithmetic has made a NaN; else 0.
static uint32_t getOrigin(float element) {
  const uint32_t bits = getBits(element) & ~(1u << 31);
  return bits > kTag ? bits >> kElementBits & (kNumbers - 1) : 0;
}

/// The row, of 16, and the column of an element of a lane.
static std::pair<uint32_t, uint32_t> getPlace(uint32_t lane, uint32_t element) {
  return {lane / 4 + 8 * (element / 2 % 2), element / 4 * 8 + 2 * (lane % 4) + element % 2};
}

static constexpr const char *kSameOperands = "all lanes of a warp group to name the same operands";

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void WarpGroups::reset(size_t numWarps, size_t numFibers, size_t sharedBytes) {
  warps.assign(numWarps, WarpState());
  written.assign(sharedBytes / kGranule, Written());
  unfenced.assign(numFibers, {});
}

WarpGroups::WarpState &WarpGroups::getState(const Warp &warp) {
  return warps[&warp - scheduler.warps.data()];
}

void WarpGroups::failRequest(const Fiber &fiber, uint32_t site, const char *what) {
  Error failure = makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected ", what,
                            " at ", scheduler.plan.siteText(site));
  scheduler.abandon(failure);
}

void WarpGroups::multiply(Fiber &fiber, const GroupProduct &product, float *sums) {
  Warp &warp = *fiber.warp;
  WarpState &state = getState(warp);
  scheduler.checkMeets(fiber, product.site, kAllLanes, "warp at one product of its group");
  if (warp.shuffling != 0 && !product.hasOperandsOf(state.arriving))
    failRequest(fiber, product.site, kSameOperands);
  state.arriving = product;
  state.sums[fiber.lane] = sums;
  scheduler.getMatrices(warp).kind = WarpMatrices::Kind::Product;
  scheduler.arrive(fiber, product.site, kAllLanes);
  if (!completeGroup(warp))
    scheduler.block(fiber, Wait::Shuffle, product.site);
}

void WarpGroups::fence(Fiber &fiber, uint32_t site) {
  scheduler.meetAt(fiber, site, WarpMatrices::Kind::Fence);
}

void WarpGroups::commit(Fiber &fiber, uint32_t site) {
  scheduler.meetAt(fiber, site, WarpMatrices::Kind::Commit);
}

void WarpGroups::wait(Fiber &fiber, uint32_t site, uint32_t pending) {
  scheduler.meetAt(fiber, site, WarpMatrices::Kind::Wait, pending);
}

void WarpGroups::complete(Warp &warp, const WarpMatrices &meeting) {
  WarpState &state = getState(warp);
  if (meeting.kind == WarpMatrices::Kind::Fence)
    state.hasFenced = true;
  else if (meeting.kind == WarpMatrices::Kind::Commit)
    ++state.committed;
  else
    finish(warp, meeting.count);
}

/// The lane gets what its undefined elements stand for; nothing, if they are values.
void WarpGroups::takeResult(Fiber &fiber, uint32_t site, uint32_t count, float *elements) {
  WarpState &state = getState(*fiber.warp);
  const uint32_t number = findAccumulator(fiber, site, count, elements);
  state.hasFenced = false;
  if (number == 0)
    return;
  Accumulator &accumulator = state.accumulators[number];
  if (accumulator.underWay != 0)
    failRequest(fiber, site, "to wait for the groups of all products that add to the results");
  for (uint32_t each = 0; each < count; ++each) {
    const auto [row, column] = getPlace(fiber.lane, each);
    elements[each] = accumulator.sums[row * accumulator.n + column];
  }
  accumulator.takenLanes |= 1u << fiber.lane;
  if (accumulator.takenLanes == kAllLanes)
    state.accumulators.erase(number);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

bool WarpGroups::completeGroup(Warp &own) {
  const Block &block = *own.lanes->block;
  const size_t first = (&own - block.warps) / kGroupWarps * kGroupWarps;
  Fiber &fiber = own.lanes[__builtin_ctz(own.shuffling)];
  for (size_t each = first; each < first + kGroupWarps; ++each) {
    if (each >= block.numWarps) {
      Error failure = makeError(ErrorCode::BarrierDivergence, scheduler.where(fiber),
                                ": expected the 4 warps of a warp group at ",
                                scheduler.plan.siteText(fiber.site), ", but the block has ",
                                block.numWarps - first);
      scheduler.abandon(failure);
    }
    const Warp &warp = block.warps[each];
    if (warp.live != kAllLanes) {
      uint32_t lane = 0;
      while ((warp.live >> lane & 1) != 0)
        ++lane;
      Error failure = scheduler.returned(fiber, warp.lanes[lane], "warp group");
      scheduler.abandon(failure);
    }
    if (warp.shuffling == 0 || scheduler.getMatrices(warp).kind != WarpMatrices::Kind::Product)
      return false;
    const Fiber &other = warp.lanes[__builtin_ctz(warp.shuffling)];
    if (other.site != fiber.site) {
      Error failure = scheduler.divergence(fiber, fiber.site, other, "warp group at one product");
      scheduler.abandon(failure);
    }
    if (warp.shuffling != kAllLanes)
      return false;
    const GroupProduct &product = getState(warp).arriving;
    if (!product.hasOperandsOf(getState(own).arriving))
      failRequest(fiber, fiber.site, kSameOperands);
  }
  const GroupProduct product = getState(own).arriving;
  if (std::optional<Error> problem = checkOperands(block.warps + first, product))
    scheduler.abandon(*problem);
  for (size_t each = first; each < first + kGroupWarps; ++each) {
    Warp &warp = block.warps[each];
    begin(warp, product);
    scheduler.getMatrices(warp).kind = WarpMatrices::Kind::None;
    warp.ready |= warp.shuffling;
    warp.shuffling = 0;
  }
  return true;
}

/// The number of the accumulator that a lane's elements stand for; 0: they are values.
uint32_t WarpGroups::findAccumulator(Fiber &fiber, uint32_t site, uint32_t count,
                                     const float *elements) {
  const WarpState &state = getState(*fiber.warp);
  const uint32_t number = getNumber(elements[0], 0);
  auto it = state.accumulators.find(number);
  const bool isKnown = it != state.accumulators.end() && it->second.n == 2 * count;
  for (uint32_t each = 0; each < count; ++each)
    if (getNumber(elements[each], each) != (isKnown ? number : 0) ||
        (!isKnown && state.accumulators.count(getOrigin(elements[each])) != 0))
      failRequest(fiber, site,
                  "accumulators that nothing has used or changed since the last product");
  return isKnown ? number : 0;
}

/// The elements of all lanes become undefined.
void WarpGroups::begin(Warp &warp, const GroupProduct &product) {
  WarpState &state = getState(warp);
  const uint32_t count = product.n / 2;
  uint32_t number = findAccumulator(warp.lanes[0], product.site, count, state.sums[0]);
  for (uint32_t lane = 1; lane < FUSER_HOST_WARP_SIZE; ++lane)
    if (findAccumulator(warp.lanes[lane], product.site, count, state.sums[lane]) != number)
      failRequest(warp.lanes[lane], product.site, "the same accumulators in all lanes");
  if (number == 0) {
    if (!state.hasFenced)
      failRequest(
          warp.lanes[0], product.site,
          "a fuser_gpu.wgmma_fence between what has computed the accumulators and a product,"
          " which is missing");
    do
      number = ++state.created % kNumbers;
    while (number == 0 || state.accumulators.count(number) != 0);
    Accumulator &accumulator = state.accumulators[number];
    accumulator.n = product.n;
    accumulator.sums.resize(size_t(kWarpRows) * product.n);
    for (uint32_t lane = 0; lane < FUSER_HOST_WARP_SIZE; ++lane)
      for (uint32_t each = 0; each < count; ++each) {
        const auto [row, column] = getPlace(lane, each);
        accumulator.sums[row * product.n + column] = state.sums[lane][each];
        setTag(state.sums[lane][each], number, each);
      }
  }
  ++state.accumulators[number].underWay;
  state.pending.push_back({product, number, state.committed});
}

/// Adds the product of a warp's rows.
static void multiplyRows(const GroupProduct &product, uint32_t firstRow, float *sums) {
  constexpr uint32_t kMaxColumns = 256;
  float rhs[kSteps][kMaxColumns];
  auto read = [&](const GroupOperand &operand, uint32_t index, uint32_t step) {
    uint16_t bits;
    std::memcpy(&bits, reinterpret_cast<const void *>(operand.getElement(index, step)),
                sizeof(bits));
    return toFloat(bits, product.format);
  };
  for (uint32_t column = 0; column < product.n; ++column)
    for (uint32_t step = 0; step < kSteps; ++step)
      rhs[step][column] = read(product.rhs, column, step);
  for (uint32_t row = 0; row < kWarpRows; ++row)
    for (uint32_t step = 0; step < kSteps; ++step) {
      const float lhs = read(product.lhs, firstRow + row, step);
      float *own = sums + size_t(row) * product.n;
      for (uint32_t column = 0; column < product.n; ++column)
        own[column] += lhs * rhs[step][column];
    }
}

/// Does the products of all groups of a warp but the last ones.
void WarpGroups::finish(Warp &warp, uint32_t pending) {
  WarpState &state = getState(warp);
  const uint32_t firstRow = (&warp - warp.lanes->block->warps) % kGroupWarps * kWarpRows;
  while (!state.pending.empty() && state.pending.front().group + pending < state.committed) {
    const Pending done = state.pending.front();
    state.pending.pop_front();
    if (scheduler.plan.checks) {
      std::optional<Error> problem;
      auto check = [&](uint64_t chunk) {
        if (!problem)
          problem = checkRead(warp.lanes[0], done.product.site, chunk);
      };
      done.product.lhs.forChunks(firstRow, kWarpRows, check);
      done.product.rhs.forChunks(0, done.product.n, check);
      if (problem)
        scheduler.abandon(*problem);
    }
    Accumulator &accumulator = state.accumulators[done.accumulator];
    multiplyRows(done.product, firstRow, accumulator.sums.data());
    --accumulator.underWay;
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::optional<Error> WarpGroups::checkRead(const Fiber &fiber, uint32_t site, uint64_t chunk) {
  return scheduler.checkShared(fiber,
                               {site, FUSER_HOST_SHARED, chunk, kChunkBytes, FUSER_HOST_READ});
}

/// All warps read the right operand, and their rows of the left one.
std::optional<Error> WarpGroups::checkOperands(const Warp *group, const GroupProduct &product) {
  Fiber &first = group->lanes[0];
  for (const GroupOperand *operand : {&product.lhs, &product.rhs}) {
    const uint64_t inGroup = operand->address % (8 * operand->bytes);
    if (inGroup >= operand->bytes || inGroup % (2 * kChunkBytes) != 0 ||
        (operand->transposed != 0 && inGroup != 0))
      scheduler.failAlignment(first, product.site, operand->address, 8 * operand->bytes);
  }
  if (!scheduler.plan.checks)
    return std::nullopt;
  std::optional<Error> problem;
  auto checkAs = [&](const Fiber &fiber) {
    return [&](uint64_t chunk) {
      if (!problem)
        problem = checkRead(fiber, product.site, chunk);
      if (!problem)
        problem = checkFence(fiber, product.site, chunk);
    };
  };
  for (uint32_t warp = 0; warp < kGroupWarps; ++warp)
    product.lhs.forChunks(warp * kWarpRows, kWarpRows, checkAs(group[warp].lanes[0]));
  // A write by any thread meets one of two readers.
  for (uint32_t warp = 0; warp < 2; ++warp)
    product.rhs.forChunks(0, product.n, checkAs(group[warp].lanes[0]));
  return problem;
}

size_t WarpGroups::getGranule(const Block &block, uint64_t address) const {
  const size_t inBlock = address - reinterpret_cast<uint64_t>(block.shared);
  return ((&block - scheduler.blocks.data()) * scheduler.sharedBytes + inBlock) / kGranule;
}

/// After the fence came a barrier of the block, or an arrival. Whether this orders the write with
/// the read is what the check for races finds.
std::optional<Error> WarpGroups::checkFence(const Fiber &fiber, uint32_t site, uint64_t chunk,
                                            bool ofOthers) const {
  const Written &last = written[getGranule(*fiber.block, chunk)];
  if (last.thread == 0)
    return std::nullopt;
  const Fiber &writer = scheduler.fibers[last.thread - 1];
  const bool isOrdered = last.fenceEpoch < fiber.block->epoch || writer.arrivals > last.arrivals ||
                         (ofOthers && &writer == &fiber);
  if (last.fenceEpoch != 0 && isOrdered)
    return std::nullopt;
  const uint64_t byte = chunk - reinterpret_cast<uint64_t>(fiber.block->shared);
  return makeError(ErrorCode::DataRace, scheduler.where(scheduler.fibers[last.thread - 1]),
                   last.fenceEpoch == 0 ? ": expected a fuser_gpu.fence_async"
                                        : ": expected a barrier after the fuser_gpu.fence_async",
                   " between what the thread wrote to byte ", byte, " of the shared memory and ",
                   scheduler.plan.siteText(site), ", which reads it");
}

void WarpGroups::fenceAsync(const Fiber &fiber) {
  const auto number = static_cast<uint32_t>(scheduler.getNumber(fiber));
  for (size_t granule : unfenced[number])
    if (Written &last = written[granule]; last.thread == number + 1 && last.fenceEpoch == 0) {
      last.fenceEpoch = fiber.block->epoch;
      last.arrivals = fiber.arrivals;
    }
  unfenced[number].clear();
}

/// A copy of a bulk engine needs no fence.
void WarpGroups::noteWrite(const Fiber &fiber, const Block &block, const CheckedAccess &access,
                           bool isOfEngine) {
  const auto number = static_cast<uint32_t>(scheduler.getNumber(fiber));
  const size_t end = getGranule(block, access.address + access.bytes - 1);
  for (size_t granule = getGranule(block, access.address); granule <= end; ++granule) {
    Written &last = written[granule];
    const bool isListed = last.thread == number + 1 && last.fenceEpoch == 0;
    last = {isOfEngine ? 0 : number + 1, 0, 0};
    if (!isOfEngine && !isListed)
      unfenced[number].push_back(granule);
  }
}

std::optional<Error> WarpGroups::checkWrite(const Fiber &fiber, const Block &block,
                                            const CheckedAccess &access, bool isOfEngine) {
  for (uint32_t number = 0; number < block.numWarps; ++number)
    for (const Pending &pending : getState(block.warps[number]).pending) {
      const GroupProduct &product = pending.product;
      bool isRead = false;
      auto compare = [&](uint64_t chunk) {
        isRead |= chunk < access.address + access.bytes && access.address < chunk + kChunkBytes;
      };
      product.lhs.forChunks(0, kRows, compare);
      product.rhs.forChunks(0, product.n, compare);
      if (isRead)
        return makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected ",
                         scheduler.plan.siteText(access.site), " after a wait for ",
                         scheduler.plan.siteText(product.site),
                         ", which reads the same bytes of the shared memory and is under way");
    }
  if (access.kind != kBeginCopy)
    noteWrite(fiber, block, access, isOfEngine);
  return std::nullopt;
}

void WarpGroups::checkReturn(Fiber &fiber) {
  if (warps.empty() || getState(*fiber.warp).pending.empty())
    return;
  Error failure =
      makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected a wait for ",
                scheduler.plan.siteText(getState(*fiber.warp).pending.front().product.site),
                " before the thread returns, but the product is under way");
  scheduler.abandon(failure);
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;
using fuser::runtime::host::GroupProduct;

extern "C" void fuser_host_wgmma(fuser_host_context *context, uint32_t site, uint32_t format,
                                 uint32_t n, uint64_t lhs, uint32_t lhs_bytes,
                                 uint32_t lhs_transposed, uint64_t lhs_pitch, uint64_t rhs,
                                 uint32_t rhs_bytes, uint32_t rhs_transposed, uint64_t rhs_pitch,
                                 float *sums) {
  Fiber &fiber = fiberOf(context);
  const GroupProduct product = {site,
                                format,
                                n,
                                {lhs, lhs_bytes, lhs_transposed, lhs_pitch},
                                {rhs, rhs_bytes, rhs_transposed, rhs_pitch}};
  fiber.scheduler->getWarpGroups().multiply(fiber, product, sums);
}

extern "C" void fuser_host_wgmma_fence(fuser_host_context *context, uint32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getWarpGroups().fence(fiber, site);
}

extern "C" void fuser_host_wgmma_commit(fuser_host_context *context, uint32_t site) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getWarpGroups().commit(fiber, site);
}

extern "C" void fuser_host_wgmma_wait(fuser_host_context *context, uint32_t site,
                                      uint32_t pending) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getWarpGroups().wait(fiber, site, pending);
}

extern "C" void fuser_host_wgmma_result(fuser_host_context *context, uint32_t site, uint32_t count,
                                        float *elements) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getWarpGroups().takeResult(fiber, site, count, elements);
}

extern "C" void fuser_host_fence_async(fuser_host_context *context) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getWarpGroups().fenceAsync(fiber);
}
