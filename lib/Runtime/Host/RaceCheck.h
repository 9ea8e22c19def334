//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks whether conflicting accesses of a launch are ordered.
//
// Each byte of shared memory and each granule of global memory that a launch writes records its
// last writer and the reads since. Time is counted in epochs: a block enters a new one at each
// barrier. Two accesses of different threads are ordered if
//
//   their block has passed a barrier between them, and no asynchronous copy is under way;
//   the first one is a copy that a phase of a barrier completed, for which the second one's thread
//   has waited before it;
//   the first one's thread has arrived at a phase after it, for which the second one's thread has
//   waited before it, itself or through the arrivals of others (PhaseOrder.h);
//   the first one's thread has arrived at a barrier of the cluster after it, and the other one's
//   thread has waited for this barrier before it;
//   the grid has synchronised between them;
//   the first one's block drew a ticket after it, and the other one's block drew a later
//   ticket of the same counter before it.
//
// The result does not depend on the order in which the host device runs blocks and threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_RACECHECK_H
#define FUSER_LIB_RUNTIME_HOST_RACECHECK_H

#include "PhaseOrder.h"
#include "fuser/Runtime/Device.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fuser::runtime::host {

/// One recorded access by one thread.
struct Moment {
  /// Of more steps than this, the order of accesses by barriers of the cluster is unknown.
  static constexpr uint32_t kMaxClusterSteps = (1u << 18) - 1;

  uint32_t block = 0; ///< linear, x fastest
  uint32_t epoch = 0; ///< 0: there was none
  uint32_t site = 0;
  uint32_t thread : 11; ///< linear, x fastest
  uint32_t isAtomic : 1;
  uint32_t isPending : 1;     ///< a copy that the thread has not waited for
  uint32_t isOfPhase : 1;     ///< a copy that a phase completed, in an epoch of its own
  uint32_t clusterSteps : 18; ///< of the thread (Fiber::clusterSteps), at most kMaxClusterSteps
  uint32_t arrivals = 0;      ///< of the thread, at barriers for some threads of the block

  Moment() : thread(0), isAtomic(false), isPending(false), isOfPhase(false), clusterSteps(0) {}

  bool isSameThread(const Moment &other) const {
    return block == other.block && thread == other.thread;
  }
};

/// The recorded accesses to a piece of memory.
struct Shadow {
  Moment write;
  /// Reads since then: the last one, and an earlier one by another thread, if possible of another
  /// block. The next writer thus sees a read by another thread, if there was one.
  Moment read, otherRead;
};

/// The order of one launch, whose blocks run on one CPU thread.
class RaceCheck {
public:
  /// `ranges` are the boxes of the launch; without them, all memory may be written.
  explicit RaceCheck(ArrayView<MemoryRange> ranges);

  /// The launch has clusters of this shape.
  void setClusters(const uint32_t (&grid)[3], const uint32_t (&cluster)[3]);

  /// Begins an epoch of one block.
  uint32_t beginEpoch() { return ++clock; }
  /// Begins an epoch of all blocks: everything so far is ordered before it.
  uint32_t synchronizeGrid() {
    // Earlier tickets no longer order anything.
    acquired.clear();
    return gridEpoch = ++clock;
  }

  /// Begins a launch of blocks: no phase is complete.
  void resetPhases();
  /// The thread at `now` arrives at a phase: what it did before is ordered before the waits.
  void arriveAtPhase(uint64_t barrier, uint64_t phase, const Moment &now) {
    order.arrive(barrier, phase, now);
  }
  /// A phase of a barrier is complete, after those before. Returns the epoch of what was copied:
  /// the epochs that the block begins later follow it.
  uint32_t completePhase(uint64_t barrier, uint64_t phase);
  /// The thread at `now` has waited for a phase, and those before.
  void acquirePhase(uint64_t barrier, uint64_t phase, const Moment &now) {
    order.wait(barrier, phase, now);
  }

  /// False if the launch does not write the parameter's memory: its accesses need no order.
  bool isTracked(uint32_t parameter) const {
    return tracked.empty() || (parameter < tracked.size() && tracked[parameter]);
  }
  /// True if a barrier of the cluster orders the accesses.
  bool isOrderedByCluster(const Moment &before, const Moment &now) const;
  /// Records an access of `kind` (FUSER_HOST_READ, ..., kBeginCopy, ...) and returns an earlier
  /// conflicting access that is not ordered with it, if any.
  std::optional<Moment> access(Shadow &shadow, const Moment &now, uint32_t kind);
  /// The same for global memory; `at` is set to the address that both accesses touch.
  std::optional<Moment> accessGlobal(uint32_t parameter, uint64_t &at, uint32_t bytes,
                                     const Moment &now, uint32_t kind);

private:
  static constexpr size_t kChunk = 1024;
  using Chunk = std::array<Shadow, kChunk>;
  /// A drawn ticket: all earlier accesses of its block are visible to blocks that draw later ones.
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

  struct Phase {
    uint64_t barrier, number;
  };

  void addRead(Shadow &shadow, const Moment &now) const;
  Shadow &shadowOf(uint64_t granule);
  bool isOrdered(const Moment &before, const Moment &now) const;
  bool isOrderedByPhase(const Moment &copy, const Moment &now) const;
  bool isOrderedByTickets(const Moment &before, const Moment &now) const;
  void acquireTickets(uint64_t at, const Moment &now);
  void drawTicket(uint64_t at, const Moment &now);

  uint32_t clock = 0, gridEpoch = 0;
  uint32_t gridDim[3] = {1, 1, 1}, clusterDim[3] = {1, 1, 1};
  bool hasClusters = false;
  uint64_t granuleBytes = 1;
  /// By parameter: whether the launch may write its memory. Empty: it may write all memory.
  std::vector<bool> tracked;
  std::unordered_map<uint64_t, std::unique_ptr<Chunk>> chunks;
  uint64_t lastIndex = 0;
  Chunk *lastChunk = nullptr;
  std::unordered_map<uint64_t, Counter> counters;
  std::unordered_map<uint32_t, std::vector<Acquired>> acquired;
  /// By the epoch of its copies.
  std::unordered_map<uint32_t, Phase> phases;
  /// Of phases. A barrier is one of one block.
  PhaseOrder order;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_RACECHECK_H
