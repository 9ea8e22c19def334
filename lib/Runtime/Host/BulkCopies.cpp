//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"

#include "Scheduler.h"

#include <sstream>

namespace fuser::runtime::host {

/// Bytes of a barrier.
static constexpr uint32_t kBarrierBytes = 8;
/// What divides both addresses and the size of a copy.
static constexpr uint64_t kCopyGranule = 16;
/// A phase counts bytes in 20 bits.
static constexpr uint64_t kMaxBytes = (1 << 20) - 1;

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

std::string BulkCopies::describe(const Block &block, uint64_t address) const {
  return "barrier at byte " + std::to_string(address - reinterpret_cast<uint64_t>(block.shared)) +
         " of the shared memory";
}

std::string BulkCopies::describePhase(const Block &block, uint64_t address) const {
  const Barrier &barrier = barriers.at(address);
  std::ostringstream text;
  text << "phase " << barrier.phase << " of the " << describe(block, address) << " has "
       << barrier.arrivals << " of " << barrier.count << " arrivals, and " << barrier.begun
       << " of the " << barrier.expected << " bytes that they expect";
  return text.str();
}

std::string BulkCopies::describeWaits(const Block &block) const {
  std::string text;
  for (const auto &[address, barrier] : barriers)
    if (!barrier.waiting.empty() && barrier.waiting.front()->block == &block)
      text += "; " + describePhase(block, address);
  return text;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

std::optional<Error> BulkCopies::checkBytes(const Fiber &fiber, uint32_t site, uint64_t bytes,
                                            uint64_t least) const {
  if (bytes >= least && bytes <= kMaxBytes && bytes % kCopyGranule == 0)
    return std::nullopt;
  return makeError(ErrorCode::AlignmentMismatch, scheduler.where(fiber),
                   ": expected a multiple of ", kCopyGranule, " bytes from ", least, " to ",
                   kMaxBytes, " at ", scheduler.plan.siteText(site), ", but got ",
                   static_cast<int64_t>(bytes));
}

std::optional<Error> BulkCopies::checkUse(const Fiber &fiber, uint32_t site,
                                          uint64_t address) const {
  if (barriers.count(address) == 0)
    return makeError(ErrorCode::UninitializedRead, scheduler.where(fiber), ": expected ",
                     scheduler.plan.siteText(site),
                     " at a barrier that was initialized, but got the ",
                     describe(*fiber.block, address));
  if (!scheduler.plan.checks)
    return std::nullopt;
  // Uses of several threads need no order.
  const Barrier &barrier = barriers.at(address);
  if (barrier.initializer != &fiber && barrier.initEpoch == fiber.block->epoch)
    return makeError(ErrorCode::DataRace, scheduler.where(fiber),
                     ": expected a barrier of the block between the init of a barrier and ",
                     scheduler.plan.siteText(site), ", but got none for the ",
                     describe(*fiber.block, address));
  return scheduler.checkShared(
      fiber, {site, FUSER_HOST_SHARED, address, kBarrierBytes, FUSER_HOST_ATOMIC});
}

/// The bytes of copies when all arrivals have told what they expect.
std::optional<Error> BulkCopies::checkSum(const Fiber &fiber, uint32_t site,
                                          uint64_t address) const {
  const Barrier &barrier = barriers.at(address);
  if (barrier.arrivals < barrier.count || barrier.begun <= barrier.expected)
    return std::nullopt;
  return makeError(ErrorCode::DataRace, scheduler.where(fiber),
                   ": expected at most the bytes that are waited for at ",
                   scheduler.plan.siteText(site), ", but ", describePhase(*fiber.block, address));
}

std::optional<Error> BulkCopies::checkArrival(const Fiber &fiber, uint32_t site, uint64_t address,
                                              uint64_t bytes) {
  if (std::optional<Error> problem = checkUse(fiber, site, address))
    return problem;
  if (std::optional<Error> problem = checkBytes(fiber, site, bytes, /*least=*/0))
    return problem;
  const Barrier &barrier = barriers.at(address);
  if (barrier.arrivals == barrier.count)
    return makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected a wait for phase ",
                     barrier.phase, " before the next arrival at ", scheduler.plan.siteText(site),
                     ", but no thread has waited for it: ", describePhase(*fiber.block, address));
  return std::nullopt;
}

std::optional<Error> BulkCopies::checkCopy(const Fiber &fiber, const PendingCopy &copy,
                                           uint64_t address, uint64_t bytes) {
  if (std::optional<Error> problem = checkUse(fiber, copy.site, address))
    return problem;
  if (std::optional<Error> problem = checkBytes(fiber, copy.site, bytes, kCopyGranule))
    return problem;
  if (!barriers.at(address).isFenced)
    return makeError(ErrorCode::DataRace, scheduler.where(fiber),
                     ": expected a fuser_gpu.mbarrier_fence between the init of a barrier and ",
                     scheduler.plan.siteText(copy.site), ", but got none for the ",
                     describe(*fiber.block, address));
  return std::nullopt;
}

/// The hardware takes a phase for the one of the present one and the one before that has its
/// parity.
std::optional<Error> BulkCopies::checkPhase(const Fiber &fiber, uint32_t site, uint64_t address,
                                            uint64_t phase) {
  if (std::optional<Error> problem = checkUse(fiber, site, address))
    return problem;
  const uint64_t present = barriers.at(address).phase;
  if (phase == present || phase + 1 == present)
    return std::nullopt;
  std::ostringstream expected;
  expected << "phase " << present;
  if (present > 0)
    expected << " or " << present - 1;
  const bool passes = (phase ^ present) & 1;
  return makeError(ErrorCode::DataRace, scheduler.where(fiber), ": expected a wait for ",
                   expected.str(), " of the ", describe(*fiber.block, address), " at ",
                   scheduler.plan.siteText(site), ", but got ", static_cast<int64_t>(phase),
                   passes ? ", which the parity lets pass" : ", for which the parity waits longer");
}

void BulkCopies::checkReturn(Fiber &last) {
  const auto begin = reinterpret_cast<uint64_t>(last.block->shared);
  for (auto at = barriers.lower_bound(begin); at != barriers.end(); ++at) {
    if (at->first >= begin + scheduler.sharedBytes)
      return;
    if (at->second.copies.empty())
      continue;
    Error failure = makeError(ErrorCode::DataRace, scheduler.where(last), ": expected a wait for ",
                              scheduler.plan.siteText(at->second.copies.front().site),
                              " before the block returns, but the copy is under way: ",
                              describePhase(*last.block, at->first));
    scheduler.abandon(failure);
  }
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void BulkCopies::init(Fiber &fiber, uint32_t site, uint64_t address, uint32_t count) {
  std::optional<Error> problem;
  if (barriers.count(address) != 0)
    problem = makeError(ErrorCode::DataRace, scheduler.where(fiber),
                        ": expected one init of a barrier while the block lives, but got another "
                        "one of the ",
                        describe(*fiber.block, address), " at ", scheduler.plan.siteText(site));
  else if (scheduler.plan.checks)
    problem = scheduler.checkShared(
        fiber, {site, FUSER_HOST_SHARED, address, kBarrierBytes, FUSER_HOST_WRITE});
  if (problem)
    scheduler.abandon(*problem);
  Barrier &barrier = barriers[address];
  barrier.initializer = &fiber;
  barrier.initEpoch = fiber.block->epoch;
  barrier.count = count;
}

void BulkCopies::fence(const Fiber &fiber) {
  for (auto &[address, barrier] : barriers)
    barrier.isFenced |= barrier.initializer == &fiber;
}

void BulkCopies::expect(Fiber &fiber, uint32_t site, uint64_t address, uint64_t bytes) {
  if (std::optional<Error> problem = checkArrival(fiber, site, address, bytes))
    scheduler.abandon(*problem);
  recordArrival(fiber, site, address);
  Barrier &barrier = barriers.at(address);
  ++barrier.arrivals;
  barrier.expected += bytes;
  settle(fiber, site, address);
}

/// What the thread did until now precedes the waits for the present phase.
void BulkCopies::recordArrival(Fiber &fiber, uint32_t site, uint64_t address) {
  if (!scheduler.plan.checks)
    return;
  scheduler.plan.checks->races.arriveAtPhase(address, barriers.at(address).phase,
                                             scheduler.momentOf(fiber, site));
  ++fiber.arrivals;
}

void BulkCopies::arrive(Fiber &fiber, uint32_t site, uint64_t address) {
  if (std::optional<Error> problem = checkArrival(fiber, site, address, /*bytes=*/0))
    scheduler.abandon(*problem);
  recordArrival(fiber, site, address);
  ++barriers.at(address).arrivals;
  settle(fiber, site, address);
}

void BulkCopies::copy(Fiber &fiber, ArrayView<PendingCopy> parts, uint64_t address,
                      uint64_t bytes) {
  const uint32_t site = parts[0].site;
  if (std::optional<Error> problem = checkCopy(fiber, parts[0], address, bytes))
    scheduler.abandon(*problem);
  for (PendingCopy part : parts) {
    scheduler.copies.start(fiber, part);
    barriers.at(address).copies.push_back(part);
  }
  barriers.at(address).begun += bytes;
  settle(fiber, site, address);
}

/// The present phase ends with its last arrival or copy. If nothing was copied, it does so at once.
void BulkCopies::settle(Fiber &fiber, uint32_t site, uint64_t address) {
  if (std::optional<Error> problem = checkSum(fiber, site, address))
    scheduler.abandon(*problem);
  const Barrier &barrier = barriers.at(address);
  if (barrier.isComplete() && (barrier.expected == 0 || !barrier.waiting.empty()))
    complete(fiber, address);
}

void BulkCopies::complete(Fiber &fiber, uint64_t address) {
  Barrier &barrier = barriers.at(address);
  uint32_t epoch = 0;
  if (scheduler.plan.checks)
    epoch = scheduler.plan.checks->races.completePhase(address, barrier.phase);
  for (const PendingCopy &copy : barrier.copies) {
    Moment moment;
    if (scheduler.plan.checks) {
      moment = scheduler.momentOf(fiber, copy.site);
      moment.epoch = epoch;
      moment.isOfPhase = true;
    }
    scheduler.copies.finish(fiber, copy, moment);
  }
  barrier.copies.clear();
  ++barrier.phase;
  barrier.arrivals = 0;
  barrier.expected = barrier.begun = 0;
  for (Fiber *waiting : barrier.waiting)
    waiting->warp->ready |= 1u << waiting->lane;
  barrier.waiting.clear();
}

void BulkCopies::wait(Fiber &fiber, uint32_t site, uint64_t address, uint64_t phase) {
  if (std::optional<Error> problem = checkPhase(fiber, site, address, phase))
    scheduler.abandon(*problem);
  Barrier &barrier = barriers.at(address);
  if (phase == barrier.phase && barrier.isComplete())
    complete(fiber, address);
  if (phase == barrier.phase) {
    barrier.waiting.push_back(&fiber);
    scheduler.block(fiber, Wait::Phase, site);
  }
  if (scheduler.plan.checks)
    scheduler.plan.checks->races.acquirePhase(address, phase, scheduler.momentOf(fiber, site));
}

} // namespace fuser::runtime::host

//===----------------------------------------------------------------------===//
// The functions that kernels call
//===----------------------------------------------------------------------===//

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_mbarrier_init(fuser_host_context *context, uint32_t site,
                                         uint64_t barrier, uint32_t count) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getBulkCopies().init(fiber, site, barrier, count);
}

extern "C" void fuser_host_mbarrier_fence(fuser_host_context *context) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getBulkCopies().fence(fiber);
}

extern "C" void fuser_host_mbarrier_expect(fuser_host_context *context, uint32_t site,
                                           uint64_t barrier, uint64_t bytes) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getBulkCopies().expect(fiber, site, barrier, bytes);
}

extern "C" void fuser_host_mbarrier_wait(fuser_host_context *context, uint32_t site,
                                         uint64_t barrier, uint64_t phase) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getBulkCopies().wait(fiber, site, barrier, phase);
}

extern "C" void fuser_host_copy_bulk(fuser_host_context *context, uint32_t site, uint32_t memory,
                                     uint64_t source, uint64_t target, uint64_t bytes,
                                     uint64_t barrier) {
  Fiber &fiber = fiberOf(context);
  const auto number = static_cast<uint32_t>(bytes);
  const fuser::runtime::host::PendingCopy copy = {site,
                                                  memory,
                                                  reinterpret_cast<const char *>(source),
                                                  reinterpret_cast<char *>(target),
                                                  number,
                                                  number,
                                                  {}};
  fiber.scheduler->getBulkCopies().copy(fiber, {&copy, 1}, barrier, bytes);
}

extern "C" void fuser_host_mbarrier_arrive(fuser_host_context *context, uint32_t site,
                                           uint64_t barrier) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->getBulkCopies().arrive(fiber, site, barrier);
}
