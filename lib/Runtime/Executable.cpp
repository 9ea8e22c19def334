//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Executable.h"

#include "Execution.h"

namespace fuser::runtime {

/// Runs with newly allocated outputs.
static Status runAllocated(Execution &execution, ResultReceiver &receiver) {
  if (Status status = execution.run(nullptr); !status)
    return status;
  execution.takeOutputs(receiver);
  return {};
}

Executable::Executable(std::unique_ptr<ExecutionPlan> plan) : plan(std::move(plan)) {}
Executable::~Executable() = default;

Expected<std::unique_ptr<Executable>> Executable::create(artifact::Artifact artifact,
                                                         std::shared_ptr<Device> device,
                                                         ExecutableOptions options) {
  Expected<std::unique_ptr<ExecutionPlan>> plan =
      ExecutionPlan::create(std::move(artifact), std::move(device), options);
  if (!plan)
    return plan.takeError();
  if (Status status = (*plan)->uploadConstants(); !status)
    return status.takeError();
  if (options.onlyFor)
    if (Status status = Execution(**plan, *options.onlyFor, nullptr).check(); !status)
      return status.takeError();
  if (Status status = (*plan)->loadKernels(); !status)
    return status.takeError();
  return std::unique_ptr<Executable>(new Executable(plan.take()));
}

const artifact::Artifact &Executable::getArtifact() const { return plan->artifact; }
const std::shared_ptr<Device> &Executable::getDevice() const { return plan->device; }

Status Executable::checkGuards(ArrayView<CallArgument> arguments) const {
  return Execution(*plan, arguments, nullptr).check();
}

Expected<std::vector<Tensor>> Executable::call(ArrayView<CallArgument> arguments, Stream stream) {
  TensorReceiver receiver(plan->outputBuffers.size());
  if (Status status = call(arguments, receiver, stream); !status)
    return status.takeError();
  return receiver.take();
}

Status Executable::call(ArrayView<CallArgument> arguments, ResultReceiver &receiver,
                        Stream stream) {
  Execution execution(*plan, arguments, stream);
  if (Status status = execution.check(); !status)
    return status;
  return runAllocated(execution, receiver);
}

Status Executable::callInto(ArrayView<CallArgument> arguments, ArrayView<TensorView> outputs,
                            Stream stream) {
  Execution execution(*plan, arguments, stream);
  if (Status status = execution.check(); !status)
    return status;
  return execution.run(&outputs);
}

std::optional<Status> Executable::tryCall(ArrayView<CallArgument> arguments,
                                          ResultReceiver &receiver, Stream stream) {
  Execution execution(*plan, arguments, stream);
  if (!execution.check(/*explain=*/false))
    return std::nullopt;
  return runAllocated(execution, receiver);
}

std::optional<Status> Executable::tryCallInto(ArrayView<CallArgument> arguments,
                                              ArrayView<TensorView> outputs, Stream stream) {
  Execution execution(*plan, arguments, stream);
  if (!execution.check(/*explain=*/false))
    return std::nullopt;
  return execution.run(&outputs);
}

} // namespace fuser::runtime
