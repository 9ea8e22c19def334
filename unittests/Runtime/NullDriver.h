//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the library fuser_null_driver, a CUDA driver without a GPU, has been asked for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_RUNTIME_NULLDRIVER_H
#define FUSER_UNITTESTS_RUNTIME_NULLDRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuser::runtime::test {

struct NullDriverState {
  unsigned launches = 0, occupancyQueries = 0, allocations = 0;
  /// Of the last launch: its grid, shared memory and stream, and the number of its attributes. The
  /// first 8 bytes of its parameters, as many as `numParameters`, which the caller sets.
  unsigned grid[3] = {}, block[3] = {}, sharedBytes = 0, numAttributes = 0;
  /// The numbers of its attributes.
  std::vector<int> attributes;
  /// Their values, the first number of each.
  std::vector<int> attributeValues;
  void *stream = nullptr;
  uint64_t parameters[8] = {};
  unsigned numParameters = 0;
  /// What it answers: the name of the device, blocks of each of 132 multiprocessors, and the result
  /// of launches.
  std::string name = "NVIDIA H100";
  int residentBlocks = 2, launchResult = 0;
  /// The number of the capture that all streams are in; 0: none. The functions and arguments that
  /// end with the graphs.
  uint64_t capture = 0;
  std::vector<std::pair<void (*)(void *), void *>> userObjects;
  void endGraphs() {
    for (auto [end, argument] : std::exchange(userObjects, {}))
      end(argument);
  }
  /// The thread's mode of captures, how often it changed, and allocations in another mode than the
  /// relaxed one (2).
  int captureMode = 0;
  unsigned modeExchanges = 0, allocationsInOtherModes = 0;
  /// The other functions that were called, with their arguments, and the one that fails.
  std::vector<std::string> calls;
  std::string failing;
};

} // namespace fuser::runtime::test

/// What `printDevice` says of its device, from the size of its memory on.
constexpr const char *kNullDriverLimits = R"(memory_bytes = 85899345920
l2_bytes = 52428800
warp_size = 32
max_threads_per_block = 1024
max_threads_per_multiprocessor = 2048
max_blocks_per_multiprocessor = 32
registers_per_multiprocessor = 65536
max_registers_per_thread = 255
shared_bytes_per_block = 49152
shared_bytes_per_block_opt_in = 232448
shared_bytes_per_multiprocessor = 233472
max_parameter_bytes = 32764
max_cluster_blocks = 8
max_cooperative_threads = 0
max_grid = 2147483647, 65535, 65535
max_block = 1024, 1024, 64
)";

/// The library's function that gives its state.
using NullDriverStateFunction = fuser::runtime::test::NullDriverState *(*)();
constexpr const char *kNullDriverState = "fuser_null_driver_state";

#endif // FUSER_UNITTESTS_RUNTIME_NULLDRIVER_H
