//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs blocks of one launch: the threads of a block, and how they wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_SCHEDULER_H
#define FUSER_LIB_RUNTIME_HOST_SCHEDULER_H

#include "AsyncCopies.h"
#include "BulkCopies.h"
#include "ContextSwitch.h"
#include "FiberStacks.h"
#include "LaunchChecks.h"
#include "RegisterBudgets.h"
#include "TensorStores.h"
#include "WarpGroups.h"
#include "fuser/Artifact/HostABI.h"
#include "fuser/Runtime/Device.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fuser::runtime::host {

class Scheduler;
struct Warp;
struct Block;
struct Cluster;

/// The description of a launch, for everything that runs a part of it. Immutable during the launch.
struct LaunchPlan {
  const fuser_host_kernel_info *kernel = nullptr;
  void **params = nullptr;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t cluster[3] = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  bool poisonShared = true;
  /// For a checked kernel; else null.
  LaunchChecks *checks = nullptr;

  uint32_t threadsPerBlock() const { return block[0] * block[1] * block[2]; }
  /// x fastest.
  uint32_t getLinear(const uint32_t (&id)[3]) const {
    return id[0] + grid[0] * (id[1] + grid[1] * id[2]);
  }
  uint64_t blocks() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  /// The blocks that are live at once in any case.
  uint32_t blocksPerCluster() const { return cluster[0] * cluster[1] * cluster[2]; }
  /// Threads never wait: one fiber runs them one after the other.
  bool isPlain() const { return (kernel->flags & FUSER_HOST_WAITS) == 0; }
  /// All blocks are live at once.
  bool isCooperative() const { return (kernel->flags & FUSER_HOST_USES_GRID_SYNC) != 0; }
  uint32_t fibersPerBlock() const { return isPlain() ? 1 : threadsPerBlock(); }
  /// The text of `site` in the kernel's table.
  const char *siteText(uint32_t site) const;
};

/// The reason for which a fiber waits. It is not reset when the fiber resumes: a lane waits if it
/// is live and not ready.
enum class Wait : uint8_t { Shuffle, Barrier, Role, Phase, Cluster, Grid, Returned };

/// One flow of control: a GPU thread, or all threads of a block that never wait.
struct alignas(64) Fiber {
  /// First, so that the runtime functions find the fiber by the context that they are given.
  fuser_host_context context;
  // The data that a switch accesses, in one cache line.
  Continuation continuation;
  Scheduler *scheduler;
  Warp *warp;
  Block *block;
  uint32_t lane;
  uint32_t site;
  Wait wait;
  /// Barriers of the cluster: the sum of those that it has arrived at and those that it has waited
  /// for. Odd: it has arrived, and has not waited yet.
  uint32_t clusterSteps;
  /// At phases and barriers of roles.
  uint32_t arrivals;
  /// The GPU thread has waited for the launches before this one.
  bool hasWaitedForLaunches;

  bool waitsFor(Wait reason) const;
};

/// Lanes as bits. Invariant: ready lanes are live, and a live lane is ready or waits.
struct Warp {
  Fiber *lanes; ///< of the first lane
  uint32_t existing;
  uint32_t live;
  uint32_t ready;
  /// Lanes that wait in a shuffle, and per lane its value and its request.
  uint32_t shuffling;
  uint32_t segment[FUSER_HOST_WARP_SIZE];
  uint32_t source[FUSER_HOST_WARP_SIZE];
  uint64_t value[FUSER_HOST_WARP_SIZE];
  uint64_t result[FUSER_HOST_WARP_SIZE];
};

inline bool Fiber::waitsFor(Wait reason) const {
  return wait == reason && ((warp->live & ~warp->ready) >> lane & 1) != 0;
}

struct HostTensorMap;

/// The operands of fuser_host_copy_tensor, and those of fuser_host_store_tensor, which has no
/// barrier.
struct TensorBox {
  uint32_t memory, rank;
  uint64_t map, shared, barrier, bytes;
  int64_t coordinates[5];
};

/// A barrier for some threads of a block.
struct RoleBarrier {
  uint32_t threads = 0, site = 0; ///< those of the threads that wait
  uint64_t completed = 0;
  std::vector<Fiber *> waiting;
};

/// A mask of all lanes of a warp, and the warps of a warp group.
inline constexpr uint32_t kAllLanes = ~0u, kGroupWarps = 4;
/// Of a block; the first one is not used.
inline constexpr uint32_t kRoleBarriers = 16;

struct Block {
  uint32_t id[3];
  uint32_t live;
  /// Threads that wait at the barrier, and the site of the first one.
  uint32_t waiting;
  uint32_t site;
  Warp *warps;
  uint32_t numWarps;
  Fiber *fibers;
  char *shared;
  Cluster *cluster;
  // For a checked kernel: the first epoch of the block, and the current one.
  uint32_t firstEpoch, epoch;
  RoleBarrier roles[kRoleBarriers];
  /// Of the box whose copy a thread begins.
  std::vector<PendingCopy> parts;
};

struct Cluster {
  /// Its blocks, by rank.
  Block *blocks;
  uint32_t live;
  /// Of the present barrier: threads that have arrived, and the site of the first one.
  uint32_t arrived, site;
  /// Barriers at which all threads have arrived.
  uint32_t completed;
};

/// What the lanes of a warp bring to a matrix instruction, and what they get.
struct WarpMatrices {
  /// The instruction at which they meet; none: a shuffle.
  enum class Kind : uint8_t {
    None,
    Load,
    Store,
    Multiply,
    // Of warp groups.
    Registers,
    Product,
    Fence,
    Commit,
    Wait
  } kind = Kind::None;
  /// Of loads and stores; count: groups that may be pending.
  uint32_t memory = 0, count = 0, transposed = 0;
  uint32_t format = 0, k = 0; ///< of products
  struct Lane {
    uint64_t address;
    uint64_t lhs[2], rhs, sum[2]; ///< lhs: also what is stored
    fuser_host_fragment result;
  } lanes[FUSER_HOST_WARP_SIZE] = {};
};

/// An element of 16 bits, of FUSER_HOST_BF16 or FUSER_HOST_F16.
float toFloat(uint16_t bits, uint32_t format);

/// Runs a fixed number of blocks at once, repeatedly. Used by one CPU thread at a time; round-robin
/// within each warp first, because lanes of a warp synchronize most often.
class Scheduler {
public:
  /// `stacks` has one stack per fiber of `residentBlocks` blocks. It and `plan` outlive the
  /// scheduler. Fails with OutOfMemory where there is no room for shared memory.
  static Expected<std::unique_ptr<Scheduler>>
  create(const LaunchPlan &plan, uint32_t residentBlocks, const FiberStacks &stacks);
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// Runs the resident blocks: those of clusters from linear index `firstCluster` on (x fastest). A
  /// block of a launch without clusters is its own cluster. Fails with the kernel's error; its
  /// threads are then abandoned.
  Status run(uint64_t firstCluster);

  // Requests of threads, through the functions of HostABI.h.
  void barrier(Fiber &fiber, uint32_t site);
  void roleBarrier(Fiber &fiber, uint32_t site, uint32_t id, uint32_t threads);
  void copyBox(Fiber &fiber, uint32_t site, const TensorBox &box);
  /// The map that a kernel names, which is one of the box.
  HostTensorMap getTensorMap(const Fiber &fiber, uint32_t site, const TensorBox &box);
  void gridSync(Fiber &fiber, uint32_t site);
  void arriveAtCluster(Fiber &fiber, uint32_t site);
  void waitForCluster(Fiber &fiber, uint32_t site);
  uint64_t mapPeer(Fiber &fiber, uint32_t site, uint64_t address, uint32_t rank);
  AsyncCopies &getCopies() { return copies; }
  BulkCopies &getBulkCopies() { return bulkCopies; }
  WarpGroups &getWarpGroups() { return warpGroups; }
  TensorStores &getStores() { return stores; }
  RegisterBudgets &getRegisters() { return registers; }
  fuser_host_shuffle_result shuffle(Fiber &fiber, uint32_t site, uint32_t mode, uint64_t value,
                                    uint32_t offset, uint32_t width);
  fuser_host_fragment loadMatrices(Fiber &fiber, uint32_t site, uint32_t memory, uint32_t count,
                                   uint32_t transposed, uint64_t address);
  void storeMatrices(Fiber &fiber, uint32_t site, uint32_t memory, uint32_t count,
                     uint32_t transposed, uint64_t address, const uint64_t (&words)[2]);
  fuser_host_fragment multiply(Fiber &fiber, uint32_t site, uint32_t format, uint32_t k,
                               const WarpMatrices::Lane &operands);
  void checkAccess(Fiber &fiber, const CheckedAccess &access);
  [[noreturn]] void failBounds(Fiber &fiber, uint32_t site, int64_t index, int64_t lanes,
                               int64_t elements);
  [[noreturn]] void failAlignment(Fiber &fiber, uint32_t site, uint64_t address,
                                  uint32_t alignment);

private:
  friend class AsyncCopies;
  friend class BulkCopies;
  friend class RegisterBudgets;
  friend class WarpGroups;
  friend class TensorStores;
  static constexpr size_t kWidestGranule = 16;
  struct SharedDeleter {
    void operator()(char *memory) const;
  };

  Scheduler(const LaunchPlan &plan, uint32_t residentBlocks, const FiberStacks &stacks)
      : plan(plan), stacks(stacks), blocks(residentBlocks) {}
  Status allocateShared();
  void layOut();
  void start(uint64_t firstCluster);
  void startCluster(Cluster &cluster, uint64_t number);
  static void fiberMain(void *fiber);
  void runPlainThreads(Fiber &fiber);
  [[noreturn]] void finish(Fiber &fiber);

  size_t getNumber(const Fiber &fiber) const { return &fiber - fibers.data(); }
  /// Suspends `fiber` until it is ready again.
  void block(Fiber &fiber, Wait reason, uint32_t site);
  /// The next ready fiber after `fiber`, or null.
  Fiber *next(const Fiber &fiber);
  /// Ends `run` with `failure`, which is moved from. Objects on the fiber's stack are not
  /// destroyed: no other one may own memory.
  [[noreturn]] void abandon(Error &failure);

  // For a checked kernel: no thread waits for a thread that has returned.
  void checkReturn(const Fiber &fiber);
  void checkNobodyReturned(Fiber &fiber, uint32_t site, Fiber *first, uint32_t count,
                           const char *group);
  void releaseBarrier(Block &block);
  // Barriers of roles (Roles.cpp).
  void releaseRole(Fiber &last, RoleBarrier &barrier);
  std::string describeRoles(const Block &block) const;
  // Clusters (Clusters.cpp).
  template <typename Visit> void forFibers(const Cluster &cluster, Visit visit);
  void leaveCluster(Fiber &fiber);
  void releaseCluster(Cluster &cluster);
  Fiber *findArrived(const Cluster &cluster);
  std::optional<Error> checkPeer(const Fiber &fiber, const CheckedAccess &access,
                                 const Block &peer) const;
  std::optional<Error> checkPeersAreDone(const Fiber &last);
  void releaseGrid();
  /// Fails if another lane of the segment waits elsewhere.
  void checkMeets(Fiber &fiber, uint32_t site, uint32_t segment, const char *group);
  /// The lane waits until all of the segment that are live do.
  void meet(Fiber &fiber, uint32_t site, uint32_t segment);
  void arrive(Fiber &fiber, uint32_t site, uint32_t segment);
  void meetAt(Fiber &fiber, uint32_t site, WarpMatrices::Kind kind, uint32_t count = 0);
  void complete(Warp &warp, uint32_t segment);
  void completeShuffle(Warp &warp, uint32_t segment);
  // Matrix instructions (Matrices.cpp).
  WarpMatrices &getMatrices(const Warp &warp) { return matrices[&warp - warps.data()]; }
  void completeMatrices(Warp &warp, WarpMatrices &meeting);
  void completeLoad(Warp &warp, WarpMatrices &meeting);
  void completeStore(Warp &warp, WarpMatrices &meeting);

  // Checks of accesses: the error, if there is one (MemoryChecks.cpp).
  std::optional<Error> checkGlobal(const Fiber &fiber, const CheckedAccess &access);
  std::optional<Error> checkShared(const Fiber &fiber, const CheckedAccess &access) {
    return checkShared(fiber, access, momentOf(fiber, access.site));
  }
  std::optional<Error> checkShared(const Fiber &fiber, const CheckedAccess &access,
                                   const Moment &now);
  const Block &getSharedOwner(const Fiber &fiber, const CheckedAccess &access) const;
  Shadow *shadowOf(const Block &block, size_t begin, size_t bytes);
  Moment momentOf(const Fiber &fiber, uint32_t site) const;

  Error divergence(const Fiber &fiber, uint32_t site, const Fiber &other, const char *group) const;
  Error deadlock() const;
  Error badCluster(const Fiber &fiber, uint32_t site, const std::string &what) const;
  Error badWidth(const Fiber &fiber, uint32_t site, uint32_t width) const;
  Error returned(const Fiber &waiting, const Fiber &gone, const char *group) const;
  Error absentLane(const Fiber &fiber, uint32_t source) const;
  Error outside(const Fiber &fiber, uint32_t site, const std::string &what) const;
  Error beyond(const Fiber &fiber, uint32_t site, int64_t index, int64_t lanes,
               int64_t elements) const;
  Error race(const Fiber &fiber, const CheckedAccess &access, const Moment &other,
             const std::string &what) const;
  Error undrawn(const Fiber &fiber, uint32_t site) const;
  Error undefined(const Fiber &fiber, uint32_t site, const std::string &what) const;
  Error misaligned(const Fiber &fiber, uint32_t site, uint64_t address, uint32_t alignment) const;
  std::string where(const Fiber &fiber) const;

  const LaunchPlan &plan;
  const FiberStacks &stacks;
  std::vector<Block> blocks;
  std::vector<Cluster> clusters;
  std::vector<Warp> warps;
  std::vector<Fiber> fibers;
  AsyncCopies copies{*this};
  BulkCopies bulkCopies{*this};
  WarpGroups warpGroups{*this};
  TensorStores stores{*this};
  RegisterBudgets registers{*this};
  /// Of each warp of a kernel with matrix instructions.
  std::vector<WarpMatrices> matrices;
  std::unique_ptr<char, SharedDeleter> sharedMemory;
  /// The shadow of each granule of the blocks' shared memory. All accesses so far covered whole
  /// granules; a narrower access splits them.
  std::vector<Shadow> sharedShadow;
  size_t sharedGranule = kWidestGranule;
  size_t sharedBytes = 0;   ///< of one block
  size_t dynamicOffset = 0; ///< of its dynamic part

  uint64_t liveInGrid = 0;
  uint64_t waitingForGrid = 0;
  uint32_t gridSite = 0;
  Continuation caller;
  std::optional<Error> error;
  /// The first read of uninitialized memory. It is reported at the end of the run, because the
  /// write may follow, which makes it a race. The value may be a loop bound, so that the wait is
  /// limited.
  std::optional<Error> undefinedRead;
  uint32_t undefinedBudget = 0;
};

/// The thread that calls from a kernel.
inline Fiber &fiberOf(fuser_host_context *context) { return *reinterpret_cast<Fiber *>(context); }

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_SCHEDULER_H
