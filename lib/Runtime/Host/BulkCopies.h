//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barriers in shared memory whose phases complete with copies (mbarrier). A phase is complete when
// all arrivals have happened and all bytes that they expect have been copied. As a GPU may copy at
// any time until then, the bytes are copied as late as possible: when a thread waits for the phase.
//
// The hardware knows the parity of a phase only. Here, phases are counted, so that a wait for one
// that the hardware would take for another one is found.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_BULKCOPIES_H
#define FUSER_LIB_RUNTIME_HOST_BULKCOPIES_H

#include "AsyncCopies.h"

#include <map>

namespace fuser::runtime::host {

struct Block;

/// The barriers of the blocks of one scheduler. Faults end its run.
class BulkCopies {
public:
  explicit BulkCopies(Scheduler &scheduler) : scheduler(scheduler) {}

  /// No block has a barrier.
  void reset() { barriers.clear(); }

  // Requests of threads; `address` is that of the barrier.
  void init(Fiber &fiber, uint32_t site, uint64_t address, uint32_t count);
  /// The engine that copies sees the barriers that the thread has initialized.
  void fence(const Fiber &fiber);
  void expect(Fiber &fiber, uint32_t site, uint64_t address, uint64_t bytes);
  void arrive(Fiber &fiber, uint32_t site, uint64_t address);
  /// A copy in one or several parts, of `bytes` bytes together.
  void copy(Fiber &fiber, ArrayView<PendingCopy> parts, uint64_t address, uint64_t bytes);
  void wait(Fiber &fiber, uint32_t site, uint64_t address, uint64_t phase);

  /// The last thread of a block returns: in a checked kernel, all copies have been waited for.
  void checkReturn(Fiber &last);
  /// "; phase 1 of the barrier at byte 64 has 0 of 1 arrivals, and 0 of 256 bytes" for each barrier
  /// that threads of a block wait at.
  std::string describeWaits(const Block &block) const;

private:
  struct Barrier {
    const Fiber *initializer = nullptr;
    uint32_t initEpoch = 0; ///< of the block, in a checked kernel
    uint32_t count = 0;
    bool isFenced = false;
    /// The present phase: of those before, all are complete.
    uint64_t phase = 0;
    uint32_t arrivals = 0;
    uint64_t expected = 0, begun = 0; ///< bytes
    std::vector<PendingCopy> copies;
    std::vector<Fiber *> waiting;

    bool isComplete() const { return arrivals == count && begun == expected; }
  };

  // What is wrong with a request, if anything is.
  std::optional<Error> checkUse(const Fiber &fiber, uint32_t site, uint64_t address) const;
  std::optional<Error> checkArrival(const Fiber &fiber, uint32_t site, uint64_t address,
                                    uint64_t bytes);
  std::optional<Error> checkCopy(const Fiber &fiber, const PendingCopy &copy, uint64_t address,
                                 uint64_t bytes);
  std::optional<Error> checkBytes(const Fiber &fiber, uint32_t site, uint64_t bytes,
                                  uint64_t least) const;
  std::optional<Error> checkSum(const Fiber &fiber, uint32_t site, uint64_t address) const;
  std::optional<Error> checkPhase(const Fiber &fiber, uint32_t site, uint64_t address,
                                  uint64_t phase);

  void recordArrival(Fiber &fiber, uint32_t site, uint64_t address);
  void settle(Fiber &fiber, uint32_t site, uint64_t address);
  void complete(Fiber &fiber, uint64_t address);
  /// "barrier at byte 64 of the shared memory"
  std::string describe(const Block &block, uint64_t address) const;
  std::string describePhase(const Block &block, uint64_t address) const;

  Scheduler &scheduler;
  /// By address: the addresses of blocks differ. Elements do not move.
  std::map<uint64_t, Barrier> barriers;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_BULKCOPIES_H
