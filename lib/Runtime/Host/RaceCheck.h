//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which accesses of a launch are ordered with each other.
//
// Each byte of shared memory and each granule of global memory that a launch writes
// remembers who wrote it last and who read it since. Time is counted in epochs: a block
// enters a new one at each barrier. Two accesses of different threads are ordered where
//
//   their block has passed a barrier between them;
//   the grid has synchronised between them;
//   the first one's block drew a ticket after it, and the other one's block drew a later
//   ticket of the same counter before it.
//
// Nothing depends on which of them the host device happens to run first.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_RACECHECK_H
#define FUSER_LIB_RUNTIME_HOST_RACECHECK_H

#include "fuser/Runtime/Device.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fuser::runtime::host {

/// One access by one thread, as it is remembered.
struct Moment {
  uint32_t block = 0; ///< linear, x fastest
  uint32_t epoch = 0; ///< 0: there was none
  uint32_t site = 0;
  uint16_t thread = 0; ///< linear, x fastest
  bool isAtomic = false;

  bool isSameThread(const Moment &other) const {
    return block == other.block && thread == other.thread;
  }
};

/// What is remembered of a piece of memory.
struct Shadow {
  Moment write;
  /// Reads since then: the last one, and one of another thread before it, if possible of another
  /// block. So whoever writes next sees a read that is not its own, if there was one.
  Moment read, otherRead;
};

/// The order of one launch, whose blocks run on one CPU thread.
class RaceCheck {
public:
  /// `ranges` are the boxes of the launch; without any, all memory may be written.
  explicit RaceCheck(ArrayView<MemoryRange> ranges);

  /// Begins an epoch of one block.
  uint32_t beginEpoch() { return ++clock; }
  /// Begins an epoch of all blocks: everything so far is ordered before it.
  uint32_t synchronizeGrid() {
    // Tickets order nothing any more that came before.
    acquired.clear();
    return gridEpoch = ++clock;
  }

  /// False where nobody writes what the parameter points at: its accesses need no order.
  bool isTracked(uint32_t parameter) const {
    return tracked.empty() || (parameter < tracked.size() && tracked[parameter]);
  }
  /// Remembers an access of `kind` (FUSER_HOST_READ, ...) and returns an earlier one that it is not
  /// ordered with, if there is one.
  std::optional<Moment> access(Shadow &shadow, const Moment &now, uint32_t kind);
  /// The same for global memory; `at` becomes the address of what both touch.
  std::optional<Moment> accessGlobal(uint32_t parameter, uint64_t &at, uint32_t bytes,
                                     const Moment &now, uint32_t kind);

private:
  static constexpr size_t kChunk = 1024;
  using Chunk = std::array<Shadow, kChunk>;
  /// A ticket that was drawn: what its block did up to then is visible to whoever draws later.
  struct Ticket {
    uint64_t number; ///< how many were drawn before
    uint32_t epoch;
    uint16_t thread;
  };
  /// The tickets of one counter, by block.
  struct Counter {
    uint64_t drawn = 0;
    std::unordered_map<uint32_t, std::vector<Ticket>> tickets;
  };
  struct Acquired {
    const Counter *counter;
    uint64_t count; ///< those drawn before
    uint32_t epoch;
    uint16_t thread;
  };

  void addRead(Shadow &shadow, const Moment &now) const;
  Shadow &shadowOf(uint64_t granule);
  bool isOrdered(const Moment &before, const Moment &now) const;
  bool isOrderedByTickets(const Moment &before, const Moment &now) const;
  void drawTicket(uint64_t at, const Moment &now);

  uint32_t clock = 0, gridEpoch = 0;
  uint64_t granuleBytes = 1;
  /// By parameter: whether somebody may write what it points at. Empty: everybody may.
  std::vector<bool> tracked;
  std::unordered_map<uint64_t, std::unique_ptr<Chunk>> chunks;
  uint64_t lastIndex = 0;
  Chunk *lastChunk = nullptr;
  std::unordered_map<uint64_t, Counter> counters;
  std::unordered_map<uint32_t, std::vector<Acquired>> acquired;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_RACECHECK_H
