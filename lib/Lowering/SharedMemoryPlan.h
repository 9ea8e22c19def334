//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where buffers lie in shared memory: those that are never in use at the same time may share
// space.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SHAREDMEMORYPLAN_H
#define FUSER_LIB_LOWERING_SHAREDMEMORYPLAN_H

#include "LoopNest.h"

namespace fuser {

/// Bytes. Sharing costs a barrier where there was none. What is not larger, such as the slots in
/// which the warps of a block exchange the parts of a reduction, has its own place.
inline constexpr int64_t kNotWorthABarrier = 512;

/// The walk over a loop tree as a sequence of numbered events: an op is computed, a loop begins,
/// ends, or finishes the reductions and scans that collected elements in it.
class Timeline {
public:
  explicit Timeline(Loop &root);

  /// Something that happens in the body of `scope`.
  struct Event {
    unsigned number;
    const Loop *scope;
  };
  /// From one event to another, both included.
  struct Interval {
    unsigned begin, end;
    bool meets(const Interval &other) const { return begin <= other.end && other.begin <= end; }
  };
  static constexpr Interval kAlways = {0, ~0u};

  /// The op reads its operands.
  Event getCompute(const ScheduledOp &scheduled) const { return computes.lookup(scheduled.op); }
  /// The op's results are stored; one that collects does it after its loops.
  Event getStore(const ScheduledOp &scheduled) const;
  /// The time from the first to the last of the events. What lives longer than a loop that it is
  /// accessed in lives through all of that loop's iterations.
  Interval getLifetime(llvm::ArrayRef<Event> events) const;
  /// All iterations of a loop.
  Interval getSpan(const Loop &loop) const {
    return {loops.lookup(&loop).begin, loops.lookup(&loop).end};
  }

private:
  void visit(Loop &loop);

  struct Extent {
    unsigned begin, end, finish;
  };
  unsigned next = 0;
  llvm::DenseMap<const Loop *, Extent> loops;
  llvm::DenseMap<mlir::Operation *, Event> computes;
};

/// Places buffers one after another, each as low as those that live at the same time allow: the
/// result depends on the order of the calls only.
class SharedMemoryPlan {
public:
  struct Region {
    int64_t offset, bytes;
    Timeline::Interval lifetime;
    /// The op whose buffer it is.
    mlir::Operation *owner;
  };

  /// Returns the number of the new region.
  unsigned place(mlir::Operation *owner, int64_t bytes, Timeline::Interval lifetime);
  llvm::ArrayRef<Region> getRegions() const { return regions; }
  /// The size of all, in bytes.
  int64_t getBytes() const;

private:
  llvm::SmallVector<Region> regions;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SHAREDMEMORYPLAN_H
