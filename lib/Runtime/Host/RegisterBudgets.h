//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many registers the threads of each warp group can have (fuser_gpu.set_max_registers). A
// launch gives equal shares of the register file; afterwards, a warp group takes what others of its
// block have given back.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_REGISTERBUDGETS_H
#define FUSER_LIB_RUNTIME_HOST_REGISTERBUDGETS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuser::runtime::host {

class Scheduler;
struct Block;
struct Fiber;
struct Warp;

/// The registers of the warp groups of one scheduler. Faults end its run.
class RegisterBudgets {
public:
  explicit RegisterBudgets(Scheduler &scheduler) : scheduler(scheduler) {}

  /// All threads have what a launch gives.
  void reset(size_t numWarps);
  /// A lane asks for another number of registers.
  void change(Fiber &fiber, uint32_t site, bool increases, uint32_t registers);
  /// Changes the registers of a warp group, if all of its lanes are there and the block has enough.
  bool completeGroup(Warp &warp);
  /// The thread returns: in a checked kernel, no other one of its warp group waits for it.
  void checkReturn(const Fiber &fiber) const;
  /// "; warp group 1 waits for ..." for each one that does.
  std::string describeWaits(const Block &block) const;

private:
  struct WarpState {
    uint32_t registers = 0; ///< of each thread
    uint32_t wanted = 0;
    bool increases = false;
  };

  WarpState &getState(const Warp &warp);
  const WarpState &getState(const Warp &warp) const;
  bool isComplete(const Warp &own) const;
  bool waitsForRegisters(const Block &block, size_t first) const;
  /// What no warp group of a block has, in registers.
  uint32_t countFree(const Block &block) const;
  bool take(const Block &block, size_t first);
  [[noreturn]] void fail(const Fiber &fiber, const WarpState &state) const;

  Scheduler &scheduler;
  std::vector<WarpState> warps;
  uint32_t atLaunch = 0;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_REGISTERBUDGETS_H
