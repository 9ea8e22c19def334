//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The memory that a call works in, kept from one call to the next one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_CALLSTATE_H
#define FUSER_LIB_RUNTIME_CALLSTATE_H

#include "CallSignature.h"
#include "WrittenRanges.h"

#include "fuser/Artifact/HostProgram.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace fuser::runtime {

class ExecutionPlan;

/// A tensor map, and the address of the tensor that it was made for (null: it was not made).
struct PreparedTensorMap {
  TensorMap map;
  const void *address = nullptr;
  /// For errors.
  std::string name;
};

/// What an instruction takes from the values of a call: it stays while calls have the signature of
/// the last one, unless the instruction is in a loop.
struct PreparedInstruction {
  bool isPrepared = false;
  /// Of an Alloc.
  size_t bytes = 0;
  /// Of a launch. Parameters point into the state, scalars into the arguments of the current call.
  LaunchConfig config;
  std::vector<KernelParameter> parameters;
  /// Of a launch, in the order of its plan. Each is kept while the address stays.
  std::vector<PreparedTensorMap> tensorMaps;
};

/// Vectors that a call fills. Their sizes are the same in every call, so that only the first call
/// allocates.
struct CallState {
  explicit CallState(const ExecutionPlan &plan);
  CallState(const CallState &) = delete;
  CallState &operator=(const CallState &) = delete;

  /// Forgets the signature, and what holds for it.
  void forget();

  /// That of the last call whose arguments fit: guards hold, and their expressions have values.
  CallSignature signature;
  /// Whether the other expressions outside of loops have the values of `signature`.
  bool isEvaluated = false;
  /// One value per expression, the constants filled in.
  std::vector<int64_t> values;
  /// Address of each buffer, and the memory that the call must free.
  std::vector<char *> data;
  std::vector<void *> owned;
  /// One per instruction.
  std::vector<PreparedInstruction> instructions;
  /// Sizes, then strides, of the largest result.
  std::vector<int64_t> resultShape;
  std::vector<MemoryRange> ranges;
  /// Sizes and strides that `ranges` point at.
  std::vector<int64_t> rangeShapes;
  /// Arguments and constants of a call with constants.
  std::vector<CallArgument> arguments;
  WrittenRanges written;
};

/// The state of the last call that ended. Calls that run at the same time have states of their own.
class CallStates {
public:
  CallStates() = default;
  ~CallStates() { delete idle.load(); }
  CallStates(const CallStates &) = delete;
  CallStates &operator=(const CallStates &) = delete;

  /// The kept state; null if another call has it, or there is none yet.
  std::unique_ptr<CallState> take() {
    return std::unique_ptr<CallState>(idle.exchange(nullptr, std::memory_order_acquire));
  }
  void keep(std::unique_ptr<CallState> state) {
    CallState *expected = nullptr;
    if (idle.compare_exchange_strong(expected, state.get(), std::memory_order_release,
                                     std::memory_order_relaxed))
      (void)state.release();
  }

private:
  std::atomic<CallState *> idle{nullptr};
};

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_CALLSTATE_H
