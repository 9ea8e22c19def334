//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an executable prepares once, so that a call only checks, evaluates and launches.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_EXECUTIONPLAN_H
#define FUSER_LIB_RUNTIME_EXECUTIONPLAN_H

#include "fuser/Runtime/Executable.h"

#include <mutex>

namespace fuser::runtime {

using artifact::ArgumentSpec;
using artifact::Artifact;
using artifact::BufferId;
using artifact::ExprId;
using artifact::OutputSpec;

inline constexpr uint32_t kNone = 0xffffffffu;

/// What is known of a buffer before any call.
struct BufferPlan {
  /// Sizes and strides where an Alloc or a View made it; null for arguments.
  const std::vector<ExprId> *sizes = nullptr, *strides = nullptr;
  uint32_t argument = kNone;
  /// Buffer whose memory it is a part of.
  BufferId root = 0;
  /// Output whose memory it is when a caller brings that: set for buffers that an Alloc made and
  /// the program returns.
  uint32_t output = kNone;
};

/// Which box bounds which pointer parameter.
struct RangePlan {
  uint32_t parameter = 0;
  uint32_t box = 0;
};

/// Streams beside the caller's, made when a loop first wants them and kept.
class StreamPool {
public:
  explicit StreamPool(Device &device) : device(device) {}
  ~StreamPool();
  Expected<std::vector<Stream>> get(size_t count);

private:
  Device &device;
  std::mutex mutex;
  std::vector<Stream> streams;
};

class ExecutionPlan {
public:
  static Expected<std::unique_ptr<ExecutionPlan>>
  create(Artifact artifact, std::shared_ptr<Device> device, ExecutableOptions options);

  Artifact artifact;
  std::shared_ptr<Device> device;
  DeviceId deviceId;
  ExecutableOptions options;
  std::vector<std::shared_ptr<LoadedKernel>> kernels;
  std::vector<std::string> argumentNames;
  /// One value per expression, the constants filled in.
  std::vector<int64_t> constants;
  /// Expressions that the guards need, in order; then what else the program needs outside of loops.
  std::vector<ExprId> guardNodes, callNodes;
  /// What each loop evaluates in every iteration, by loop number.
  std::vector<std::vector<ExprId>> loopNodes;
  std::vector<BufferPlan> buffers;
  /// Per instruction; empty but for launches.
  std::vector<std::vector<RangePlan>> ranges;
  /// Per instruction; null but for library calls.
  std::vector<const LibraryRoutine *> routines;
  /// The buffer behind each output.
  std::vector<BufferId> outputBuffers;
  size_t maxParameters = 0;
  std::unique_ptr<StreamPool> streams;

private:
  ExecutionPlan() = default;
  Status loadKernels();
  Status bindRoutines();
  void planExpressions();
  void planBuffers();
  void planLaunches();
};

/// Checks the number, kind, type, rank, sizes, strides, device and alignment of the arguments.
/// Fails with the code of the first that does not fit; the message names it by index and name.
Status checkArguments(const ExecutionPlan &plan, ArrayView<CallArgument> arguments);

/// Checks memory that the caller brings for the outputs against the evaluated expressions `values`.
Status checkOutputs(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    ArrayView<TensorView> outputs, const int64_t *values);

/// Checks that the caller's memory for an output shares no byte with an argument or another output
/// that has memory of its own. Fails with OverlappingBuffers.
Status checkOverlap(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    ArrayView<TensorView> outputs, size_t index);

/// Copies equal shapes with any strides, in as few device copies as their common runs allow.
Status copyStrided(Device &device, const TensorView &source, const TensorView &destination,
                   Stream stream);

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_EXECUTIONPLAN_H
