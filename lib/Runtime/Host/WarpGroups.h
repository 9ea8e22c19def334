//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products of matrices by warp groups. Like a GPU, they read shared memory and change accumulators
// at any time until a warp has waited for them: here when it waits, and not before. Until then, the
// accumulators of a lane are signaling NaNs that name what they stand for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_WARPGROUPS_H
#define FUSER_LIB_RUNTIME_HOST_WARPGROUPS_H

#include "LaunchChecks.h"
#include "fuser/Artifact/HostABI.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fuser::runtime::host {

class Scheduler;
struct Block;
struct Fiber;
struct Warp;
struct WarpMatrices;

/// An operand of a product in shared memory (fuser_gpu.rows).
struct GroupOperand {
  uint64_t address = 0;
  uint32_t bytes = 0; ///< of a row
  uint32_t transposed = 0;
  uint64_t pitch = 0; ///< bytes

  /// The address of 8 elements: of chunk 0 or 1 along the sum of a row or, transposed, of a chunk
  /// along the rows of a step of the sum.
  uint64_t getChunk(uint32_t row, uint32_t chunk) const;
  uint64_t getElement(uint32_t index, uint32_t step) const;
  /// Calls visit(address) for the chunks of rows (columns) from `first` on.
  template <typename Visit> void forChunks(uint32_t first, uint32_t count, Visit visit) const;
};

struct GroupProduct {
  uint32_t site = 0, format = 0, n = 0;
  GroupOperand lhs, rhs;

  /// The op is the same, so that only the addresses may differ.
  bool hasOperandsOf(const GroupProduct &other) const {
    return lhs.address == other.lhs.address && rhs.address == other.rhs.address;
  }
};

/// The products of the warp groups of one scheduler. Faults end its run.
class WarpGroups {
public:
  explicit WarpGroups(Scheduler &scheduler) : scheduler(scheduler) {}

  /// Nothing is under way, and nothing was written, in the blocks of a kernel with such products.
  void reset(size_t numWarps, size_t numFibers, size_t sharedBytes);
  bool isUsed() const { return !warps.empty(); }

  // Requests of lanes.
  void multiply(Fiber &fiber, const GroupProduct &product, float *sums);
  void fence(Fiber &fiber, uint32_t site);
  void commit(Fiber &fiber, uint32_t site);
  void wait(Fiber &fiber, uint32_t site, uint32_t pending);
  void takeResult(Fiber &fiber, uint32_t site, uint32_t count, float *elements);
  void fenceAsync(const Fiber &fiber);

  /// All live lanes of a warp are at one of the requests.
  void complete(Warp &warp, const WarpMatrices &meeting);
  /// Begins the product of a warp group, if all of its lanes are there.
  bool completeGroup(Warp &warp);
  /// The thread returns: in a checked kernel, its warp has waited for all products.
  void checkReturn(Fiber &fiber);
  /// A write to the shared memory of a block: no product reads it, and products that follow see it
  /// after a fence of the thread.
  std::optional<Error> checkWrite(const Fiber &fiber, const Block &block,
                                  const CheckedAccess &access, bool isOfEngine);
  /// The thread that has written 16 bytes has made them visible to what `fiber` begins at `site`.
  /// `ofOthers`: it sees its own writes without a barrier.
  std::optional<Error> checkFence(const Fiber &fiber, uint32_t site, uint64_t chunk,
                                  bool ofOthers = false) const;

private:
  struct Pending {
    GroupProduct product;
    uint32_t accumulator; ///< its number in the warp
    uint64_t group;
  };
  struct Accumulator {
    uint32_t n;
    std::vector<float> sums; ///< 16 rows
    uint32_t underWay = 0;   ///< products
    uint32_t takenLanes = 0;
  };
  struct WarpState {
    GroupProduct arriving;
    float *sums[FUSER_HOST_WARP_SIZE] = {};
    bool hasFenced = false;
    uint64_t committed = 0; ///< groups
    uint32_t created = 0;   ///< accumulators
    std::deque<Pending> pending;
    std::unordered_map<uint32_t, Accumulator> accumulators;
  };
  /// What products know of 16 bytes of shared memory.
  struct Written {
    uint32_t thread = 0; ///< that wrote them, from 1 on; 0: no thread, or an engine
    uint32_t fenceEpoch = 0;
    /// Of the thread at phases and barriers of its role, until the fence.
    uint32_t arrivals = 0;
  };

  WarpState &getState(const Warp &warp);
  void begin(Warp &warp, const GroupProduct &product);
  uint32_t findAccumulator(Fiber &fiber, uint32_t site, uint32_t count, const float *elements);
  void finish(Warp &warp, uint32_t pending);
  std::optional<Error> checkRead(const Fiber &fiber, uint32_t site, uint64_t chunk);
  void noteWrite(const Fiber &fiber, const Block &block, const CheckedAccess &access,
                 bool isOfEngine);
  std::optional<Error> checkOperands(const Warp *group, const GroupProduct &product);
  [[noreturn]] void failRequest(const Fiber &fiber, uint32_t site, const char *what);
  size_t getGranule(const Block &block, uint64_t address) const;

  Scheduler &scheduler;
  std::vector<WarpState> warps;
  std::vector<Written> written;
  /// By thread: granules that it wrote since its last fence.
  std::vector<std::vector<size_t>> unfenced;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_WARPGROUPS_H
