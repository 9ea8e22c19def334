//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The data that an executable prepares once, so that a call only checks, evaluates and launches.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_EXECUTIONPLAN_H
#define FUSER_LIB_RUNTIME_EXECUTIONPLAN_H

#include "CallState.h"
#include "CallStreams.h"

#include "fuser/Runtime/Executable.h"

#include <mutex>

namespace fuser::runtime {

using artifact::ArgumentSpec;
using artifact::Artifact;
using artifact::BufferId;
using artifact::ExprId;
using artifact::OutputSpec;

inline constexpr uint32_t kNone = 0xffffffffu;

/// The properties of a buffer that do not depend on a call.
struct BufferPlan {
  /// Sizes and strides of an Alloc or a View; null for arguments.
  const std::vector<ExprId> *sizes = nullptr, *strides = nullptr;
  uint32_t argument = kNone;
  /// Buffer whose memory it is a part of.
  BufferId root = 0;
  /// Output whose memory it uses if the caller provides that: set for buffers that an Alloc made
  /// and the program returns.
  uint32_t output = kNone;
};

/// What a call checks of one argument, in the order of memory: ArgumentSpec in one piece.
struct ArgumentCheck {
  bool isTensor = true;
  artifact::DType dtype = artifact::DType::F32;
  uint32_t rank = 0;
  /// Bits of an address that must be zero.
  uint64_t alignmentMask = 0;
  /// Of its first dimension in ExecutionPlan::dimChecks, the fastest one.
  uint32_t firstDim = 0;
  /// Whether an expression reads its value, or the alignment of its address.
  bool isRead = false;
};
struct DimCheck {
  uint32_t dim = 0;
  /// The stride must be the number of elements of the faster dimensions.
  bool isContiguous = false;
  /// kDynamic: any.
  int64_t size = artifact::kDynamic;
};

/// Maps boxes to the pointer parameters that they bound.
struct RangePlan {
  uint32_t parameter = 0;
  uint32_t box = 0;
};

/// The properties of a launch that do not depend on a call.
struct LaunchPlan {
  std::vector<RangePlan> ranges;
  /// The parameters that are scalar arguments.
  std::vector<uint32_t> scalars;
  /// Those that are tensor maps.
  std::vector<uint32_t> tensorMaps;
};

/// A loop of the host program.
struct LoopPlan {
  /// The number of loops around it.
  uint32_t depth = 0;
  /// The streams that the loops in an iteration use, with that of the iteration.
  uint32_t streamsOfIteration = 1;
  /// The position of its ForEnd.
  size_t end = 0;
};

/// Streams in addition to the caller's, created when a program first needs them, and kept.
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
  /// Plans the calls of an artifact, which need the results of the functions below.
  static Expected<std::unique_ptr<ExecutionPlan>>
  create(Artifact artifact, std::shared_ptr<Device> device, ExecutableOptions options);
  /// Copies the constants to the device.
  Status uploadConstants();
  /// Loads the kernels, in several threads where they have to be assembled. Fails with the error of
  /// the first kernel in the order of the artifact.
  Status loadKernels();

  Artifact artifact;
  std::shared_ptr<Device> device;
  DeviceId deviceId;
  ExecutableOptions options;
  std::vector<std::shared_ptr<LoadedKernel>> kernels;
  std::vector<std::string> argumentNames;
  /// Arguments that calls pass: all but the constants.
  size_t numPassed = 0;
  /// The artifact's constants on the device.
  std::vector<Tensor> constantTensors;
  /// One value per expression, the constants filled in.
  std::vector<int64_t> constants;
  /// Expressions of the guards, in order; then the remaining expressions outside of loops.
  std::vector<ExprId> guardNodes, callNodes;
  /// The expressions that each loop evaluates in every iteration, by loop number.
  std::vector<std::vector<ExprId>> loopNodes;
  std::vector<BufferPlan> buffers;
  /// Buffers that are arguments, and those with memory of the call.
  std::vector<BufferId> argumentBuffers, allocatedBuffers;
  std::vector<ArgumentCheck> argumentChecks;
  std::vector<DimCheck> dimChecks;
  /// Arguments that outputs are stored in.
  std::vector<uint32_t> writtenArguments;
  /// Whether there are outputs that are not stored in arguments.
  bool hasOwnOutputs = false;
  /// Per instruction; empty but for launches.
  std::vector<LaunchPlan> launches;
  /// Per instruction; null but for library calls.
  std::vector<const LibraryRoutine *> routines;
  /// The buffer of each output.
  std::vector<BufferId> outputBuffers;
  /// For each output: the first output that is a part of the same buffer, and whether another one
  /// is.
  std::vector<uint32_t> firstOutputs;
  std::vector<bool> sharesBuffer;
  /// Whether the device reads the ranges of launches.
  bool checksAccesses = false;
  /// Of a program that selects streams; at least 1, the caller's.
  size_t numStreams = 1, numEvents = 0;
  /// By number.
  std::vector<LoopPlan> loops;
  /// Whether the program selects streams, or has loops over them.
  bool usesStreams = false;
  std::unique_ptr<StreamPool> streams;
  std::unique_ptr<EventPool> events;
  mutable CallStates states;

private:
  ExecutionPlan() = default;
  Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel);
  Status bindRoutines();
  void planExpressions();
  void planArguments();
  void planBuffers();
  void planLaunches();
  void planLoops();
};

/// Checks the number, kind, type, rank, sizes, strides, device and alignment of the arguments.
/// Fails with the code of the first one that does not fit; the message names it by index and name.
Status checkArguments(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                      WrittenRanges &ranges);

/// The part of checkArguments that depends on addresses: an argument that the call writes shares no
/// byte with another argument, and no two of its elements do.
Status checkInPlace(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    WrittenRanges &ranges);

/// Checks the caller's memory for the outputs against the evaluated expressions `values`.
Status checkOutputs(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    ArrayView<TensorView> outputs, const int64_t *values, WrittenRanges &ranges);

/// Checks that the caller's memory for an output shares no byte with an argument or another output
/// with its own memory. Fails with OverlappingBuffers.
Status checkOverlap(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    ArrayView<TensorView> outputs, size_t index);

/// Copies equal shapes with any strides, with one device copy per common contiguous run.
Status copyStrided(Device &device, const TensorView &source, const TensorView &destination,
                   Stream stream);

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_EXECUTIONPLAN_H
