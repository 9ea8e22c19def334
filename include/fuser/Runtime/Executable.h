//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A compiled fusion that is ready to be called on one device.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_EXECUTABLE_H
#define FUSER_RUNTIME_EXECUTABLE_H

#include "fuser/Artifact/Artifact.h"
#include "fuser/Runtime/Device.h"
#include "fuser/Runtime/KernelCache.h"
#include "fuser/Runtime/Tensor.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fuser::runtime {

/// The routine that a library call runs. Enqueues its work to `stream` and writes `outputs`.
using LibraryRoutine = std::function<Status(
    Device &device, Stream stream, ArrayView<TensorView> inputs, ArrayView<TensorView> outputs,
    const std::vector<std::pair<std::string, std::string>> &options)>;

struct ExecutableOptions {
  /// Cache of loaded kernels; null: the device loads each kernel itself.
  std::shared_ptr<KernelCache> kernels;
  /// Library routines by name.
  std::map<std::string, LibraryRoutine> libraries;
  /// Load the kernels only if a call with these arguments would run; nullopt: in any case.
  std::optional<ArrayView<CallArgument>> onlyFor;
  /// Threads that assemble different kernels at the same time; 0: one per processor.
  unsigned threads = 0;
  /// Called after each kernel with the numbers of loaded and of all kernels; by any thread, one
  /// call at a time. Not called after create has returned.
  std::function<void(size_t loaded, size_t total)> onProgress;
  /// Loading ends with Interrupted once it is not 0; null: never. Read until create returns.
  const int *interrupt = nullptr;
};

class ExecutionPlan;

/// An artifact on a device. May be called from several threads at once.
///
/// A call checks its arguments and the guards, evaluates the integers, allocates and launches. It
/// never compiles, and returns before the kernels end: results are valid in stream order.
class Executable {
public:
  /// Checks the artifact, loads its kernels, and copies its constants to the device. Fails with
  /// Corrupt, DeviceUnavailable (kernels of a format for another kind of device), Unsupported (a
  /// library routine that is not registered), as Device::loadKernel does, and as checkGuards does
  /// for ExecutableOptions::onlyFor.
  static Expected<std::unique_ptr<Executable>> create(artifact::Artifact artifact,
                                                      std::shared_ptr<Device> device,
                                                      ExecutableOptions options = {});
  ~Executable();

  const artifact::Artifact &getArtifact() const;
  const std::shared_ptr<Device> &getDevice() const;

  // Calls pass the artifact's arguments in order, without its constants.

  /// Whether a call with these arguments would run: success, or the error. Needs valid data
  /// pointers only for alignment guards, and does not access the device.
  Status checkGuards(ArrayView<CallArgument> arguments) const;

  /// Runs with newly allocated outputs. Fails with the code of the first argument that does not
  /// fit, GuardFailed, IntegerOverflow or DivisionByZero from sizes, OutOfMemory, and as
  /// Device::launch does.
  Expected<std::vector<Tensor>> call(ArrayView<CallArgument> arguments, Stream stream = nullptr);
  Status call(ArrayView<CallArgument> arguments, ResultReceiver &receiver, Stream stream = nullptr);

  /// Runs into memory of the caller: one view per output, with exactly the sizes and strides of the
  /// fusion's outputs. An output that aliases an argument must be that argument's memory; any other
  /// must share no byte with an argument or another output (OverlappingBuffers).
  Status callInto(ArrayView<CallArgument> arguments, ArrayView<TensorView> outputs,
                  Stream stream = nullptr);

  /// As the functions above where the arguments fit; nullopt, with nothing done, where checkGuards
  /// would refuse them. A refusal by a guard costs no more than its evaluation.
  std::optional<Status> tryCall(ArrayView<CallArgument> arguments, ResultReceiver &receiver,
                                Stream stream);
  std::optional<Status> tryCallInto(ArrayView<CallArgument> arguments,
                                    ArrayView<TensorView> outputs, Stream stream);

private:
  explicit Executable(std::unique_ptr<ExecutionPlan> plan);

  std::unique_ptr<ExecutionPlan> plan;
};

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_EXECUTABLE_H
