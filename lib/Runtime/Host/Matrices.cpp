//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix instructions: the last lane that arrives does the work of its warp.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include <cmath>
#include <cstring>
#include <utility>

namespace fuser::runtime::host {

/// Rows and columns of a matrix that is loaded or stored, of elements of 16 bits.
static constexpr uint32_t kMatrix = 8;
static constexpr uint32_t kRowBytes = 16;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static uint16_t getElement(const uint64_t *words, uint32_t number) {
  return static_cast<uint16_t>(words[number / 4] >> (16 * (number % 4)));
}

static float getFloat(const uint64_t *words, uint32_t number) {
  const auto bits = static_cast<uint32_t>(words[number / 2] >> (32 * (number % 2)));
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static void setFloat(uint64_t *words, uint32_t number, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const uint32_t shift = 32 * (number % 2);
  words[number / 2] =
      (words[number / 2] & ~(uint64_t(0xFFFFFFFF) << shift)) | (uint64_t(bits) << shift);
}

float toFloat(uint16_t bits, uint32_t format) {
  if (format == FUSER_HOST_BF16) {
    const uint32_t wide = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = (bits >> 15) != 0 ? -1.0f : 1.0f;
  if (exponent == 31)
    return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

fuser_host_fragment Scheduler::loadMatrices(Fiber &fiber, uint32_t site, uint32_t memory,
                                            uint32_t count, uint32_t transposed, uint64_t address) {
  checkMeets(fiber, site, kAllLanes, "warp at one load of matrices");
  WarpMatrices &meeting = getMatrices(*fiber.warp);
  meeting.kind = WarpMatrices::Kind::Load;
  meeting.memory = memory;
  meeting.count = count;
  meeting.transposed = transposed;
  meeting.lanes[fiber.lane].address = address;
  meet(fiber, site, kAllLanes);
  return meeting.lanes[fiber.lane].result;
}

void Scheduler::completeLoad(Warp &warp, WarpMatrices &meeting) {
  uint16_t rows[4 * kMatrix][kMatrix];
  for (uint32_t lane = 0; lane < meeting.count * kMatrix; ++lane) {
    Fiber &fiber = warp.lanes[lane];
    const uint64_t address = meeting.lanes[lane].address;
    if (address % kRowBytes != 0)
      failAlignment(fiber, fiber.site, address, kRowBytes);
    if (meeting.memory == FUSER_HOST_SHARED)
      checkAccess(fiber, {fiber.site, FUSER_HOST_SHARED, address, kRowBytes, FUSER_HOST_READ});
    std::memcpy(rows[lane], reinterpret_cast<const void *>(address), kRowBytes);
  }
  for (uint32_t lane = 0; lane < FUSER_HOST_WARP_SIZE; ++lane) {
    uint64_t *words = meeting.lanes[lane].result.words;
    words[0] = words[1] = 0;
    for (uint32_t number = 0; number < 2 * meeting.count; ++number) {
      uint32_t row = lane / 4, column = 2 * (lane % 4) + number % 2;
      if (meeting.transposed != 0)
        std::swap(row, column);
      words[number / 4] |= uint64_t(rows[number / 2 * kMatrix + row][column])
                           << (16 * (number % 4));
    }
  }
}

void Scheduler::storeMatrices(Fiber &fiber, uint32_t site, uint32_t memory, uint32_t count,
                              uint32_t transposed, uint64_t address, const uint64_t (&words)[2]) {
  checkMeets(fiber, site, kAllLanes, "warp at one store of matrices");
  WarpMatrices &meeting = getMatrices(*fiber.warp);
  meeting.kind = WarpMatrices::Kind::Store;
  meeting.memory = memory;
  meeting.count = count;
  meeting.transposed = transposed;
  meeting.lanes[fiber.lane].address = address;
  std::memcpy(meeting.lanes[fiber.lane].lhs, words, sizeof(words));
  meet(fiber, site, kAllLanes);
}

void Scheduler::completeStore(Warp &warp, WarpMatrices &meeting) {
  uint16_t rows[4 * kMatrix][kMatrix];
  for (uint32_t lane = 0; lane < FUSER_HOST_WARP_SIZE; ++lane)
    for (uint32_t number = 0; number < 2 * meeting.count; ++number) {
      uint32_t row = lane / 4, column = 2 * (lane % 4) + number % 2;
      if (meeting.transposed != 0)
        std::swap(row, column);
      rows[number / 2 * kMatrix + row][column] = getElement(meeting.lanes[lane].lhs, number);
    }
  for (uint32_t lane = 0; lane < meeting.count * kMatrix; ++lane) {
    Fiber &fiber = warp.lanes[lane];
    const uint64_t address = meeting.lanes[lane].address;
    if (address % kRowBytes != 0)
      failAlignment(fiber, fiber.site, address, kRowBytes);
    if (meeting.memory == FUSER_HOST_SHARED)
      checkAccess(fiber, {fiber.site, FUSER_HOST_SHARED, address, kRowBytes, FUSER_HOST_WRITE});
    std::memcpy(reinterpret_cast<void *>(address), rows[lane], kRowBytes);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

fuser_host_fragment Scheduler::multiply(Fiber &fiber, uint32_t site, uint32_t format, uint32_t k,
                                        const WarpMatrices::Lane &operands) {
  checkMeets(fiber, site, kAllLanes, "warp at one product of matrices");
  WarpMatrices &meeting = getMatrices(*fiber.warp);
  meeting.kind = WarpMatrices::Kind::Multiply;
  meeting.format = format;
  meeting.k = k;
  meeting.lanes[fiber.lane] = operands;
  meet(fiber, site, kAllLanes);
  return meeting.lanes[fiber.lane].result;
}

/// Element (row, column) of a product is in lane 4 * (row mod 8) + column / 2.
static void multiplyMatrices(WarpMatrices &meeting) {
  constexpr uint32_t kRows = 16, kColumns = 8, kMaxSteps = 16;
  float lhs[kRows][kMaxSteps], rhs[kMaxSteps][kColumns];
  for (uint32_t lane = 0; lane < FUSER_HOST_WARP_SIZE; ++lane) {
    const WarpMatrices::Lane &own = meeting.lanes[lane];
    for (uint32_t e = 0; e < meeting.k / 2; ++e)
      lhs[lane / 4 + 8 * (e / 2 % 2)][2 * (lane % 4) + e % 2 + 8 * (e / 4)] =
          toFloat(getElement(own.lhs, e), meeting.format);
    for (uint32_t e = 0; e < meeting.k / 4; ++e)
      rhs[2 * (lane % 4) + e % 2 + 8 * (e / 2)][lane / 4] =
          toFloat(getElement(&own.rhs, e), meeting.format);
  }
  for (uint32_t lane = 0; lane < FUSER_HOST_WARP_SIZE; ++lane) {
    WarpMatrices::Lane &own = meeting.lanes[lane];
    for (uint32_t e = 0; e < 4; ++e) {
      const uint32_t row = lane / 4 + 8 * (e / 2), column = 2 * (lane % 4) + e % 2;
      float sum = getFloat(own.sum, e);
      for (uint32_t step = 0; step < meeting.k; ++step)
        sum += lhs[row][step] * rhs[step][column];
      setFloat(own.result.words, e, sum);
    }
  }
}

void Scheduler::meetAt(Fiber &fiber, uint32_t site, WarpMatrices::Kind kind, uint32_t count) {
  checkMeets(fiber, site, kAllLanes, "warp at one op of its products");
  getMatrices(*fiber.warp).kind = kind;
  getMatrices(*fiber.warp).count = count;
  meet(fiber, site, kAllLanes);
}

/// All lanes take part: one that has returned, or that the block does not have, has no fragment.
void Scheduler::completeMatrices(Warp &warp, WarpMatrices &meeting) {
  if (meeting.kind == WarpMatrices::Kind::Product) {
    warpGroups.completeGroup(warp);
    return;
  }
  if (meeting.kind == WarpMatrices::Kind::Registers) {
    registers.completeGroup(warp);
    return;
  }
  for (uint32_t lane = 0; lane < FUSER_HOST_WARP_SIZE; ++lane)
    if ((warp.shuffling >> lane & 1) == 0) {
      uint32_t present = 0;
      while ((warp.shuffling >> present & 1) == 0)
        ++present;
      Error failure = absentLane(warp.lanes[present], lane);
      abandon(failure);
    }
  if (meeting.kind == WarpMatrices::Kind::Load)
    completeLoad(warp, meeting);
  else if (meeting.kind == WarpMatrices::Kind::Store)
    completeStore(warp, meeting);
  else if (meeting.kind == WarpMatrices::Kind::Multiply)
    multiplyMatrices(meeting);
  else
    warpGroups.complete(warp, meeting);
  meeting.kind = WarpMatrices::Kind::None;
  warp.ready |= warp.shuffling;
  warp.shuffling = 0;
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;
using fuser::runtime::host::WarpMatrices;

extern "C" fuser_host_fragment fuser_host_ldmatrix(fuser_host_context *context, uint32_t site,
                                                   uint32_t memory, uint32_t count,
                                                   uint32_t transposed, uint64_t address) {
  Fiber &fiber = fiberOf(context);
  return fiber.scheduler->loadMatrices(fiber, site, memory, count, transposed, address);
}

extern "C" void fuser_host_stmatrix(fuser_host_context *context, uint32_t site, uint32_t memory,
                                    uint32_t count, uint32_t transposed, uint64_t address,
                                    uint64_t word0, uint64_t word1) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->storeMatrices(fiber, site, memory, count, transposed, address, {word0, word1});
}

extern "C" fuser_host_fragment fuser_host_mma(fuser_host_context *context, uint32_t site,
                                              uint32_t format, uint32_t k, uint64_t lhs0,
                                              uint64_t lhs1, uint64_t rhs, uint64_t sum0,
                                              uint64_t sum1) {
  Fiber &fiber = fiberOf(context);
  WarpMatrices::Lane operands = {0, {lhs0, lhs1}, rhs, {sum0, sum1}, {}};
  return fiber.scheduler->multiply(fiber, site, format, k, operands);
}
