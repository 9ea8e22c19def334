//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which accesses to memory that threads share still need a barrier between them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_HAZARDS_H
#define FUSER_LIB_LOWERING_HAZARDS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace fuser {

/// How far threads wait for each other, in ascending order.
enum class SyncLevel {
  None,
  /// The threads of a block.
  Block,
  /// The blocks of a cluster, and so the threads of each of them.
  Cluster,
  /// The blocks of a grid, and so all threads.
  Grid,
};

/// One op's access to a value that other threads see: a region of shared memory, or a value in
/// global memory.
struct MemoryUse {
  enum class Space { Shared, Global } space = Space::Shared;
  bool writes = false;
  /// The write combines what any thread has written, by one atomic access.
  bool combines = false;
  /// Shared memory that other blocks of the cluster access.
  bool isDistributed = false;
  /// Shared memory: the number of the region.
  unsigned region = 0;
  /// Global memory: the op that computes the value.
  mlir::Operation *producer = nullptr;
  /// The op that accesses.
  mlir::Operation *user = nullptr;
};

/// Follows the emission of a kernel and tells which barrier an access needs. Accesses that no
/// barrier separates from the present are pending.
///
/// A loop is walked once. What its body does at its head (before its first barrier) follows what
/// it did at its tail in the iteration before; and a loop that may run zero times orders nothing
/// for what comes after it.
class Hazards {
public:
  /// The level that must lie between two accesses, `earlier` first; None where they may meet.
  using Conflict = std::function<SyncLevel(const MemoryUse &earlier, const MemoryUse &later)>;
  explicit Hazards(Conflict conflict) : conflict(std::move(conflict)) {}

  /// The level that is needed between everything pending and `use`.
  SyncLevel getLevelBefore(const MemoryUse &use) const;
  /// The access happens now.
  void note(const MemoryUse &use);
  /// A barrier of this level is executed now, by all threads that it concerns.
  void synchronize(SyncLevel level);

  void enterLoop();
  /// The level that the end of an iteration needs before the next one begins.
  SyncLevel getLevelBeforeNextIteration() const;
  void leaveLoop(bool runsAtLeastOnce);

private:
  struct Entry {
    MemoryUse use;
    /// Pending: a barrier of the block (or cluster) came after it. At a head: one came before it.
    bool blockSynced = false;
  };
  /// What is known of the body of a loop that is being walked.
  struct Frame {
    llvm::SmallVector<Entry> before;
    llvm::SmallVector<Entry> head;
    /// A barrier of at least this level was seen in the body.
    SyncLevel seen = SyncLevel::None;
  };
  static Entry *find(llvm::SmallVectorImpl<Entry> &entries, const MemoryUse &use);
  void addToHead(Frame &frame, const Entry &entry);

  Conflict conflict;
  llvm::SmallVector<Entry> pending;
  llvm::SmallVector<Frame> frames;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_HAZARDS_H
