//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Executable.h"

#include "Execution.h"

namespace fuser::runtime {

namespace {
/// A call of a plan: its arguments are followed by the artifact's constants.
class Call {
public:
  Call(const ExecutionPlan &plan, ArrayView<CallArgument> passed, Stream stream)
      : plan(plan), numPassed(passed.size()), all(withConstants(plan, passed)),
        execution(plan, all.empty() ? passed : ArrayView<CallArgument>(all), stream) {}

  Status check() {
    const size_t expected = artifact::numPassedArguments(plan.artifact);
    if (numPassed != expected)
      return makeError(ErrorCode::ArgumentCount, "expected ", expected, " arguments, but got ",
                       numPassed);
    return execution.check();
  }
  Expected<std::vector<Tensor>> run() {
    if (Status status = execution.run(nullptr); !status)
      return status.takeError();
    return execution.takeOutputs();
  }
  Status runInto(ArrayView<TensorView> outputs) { return execution.run(&outputs); }

private:
  /// Empty where there are no constants, which calls then do not pay for.
  static std::vector<CallArgument> withConstants(const ExecutionPlan &plan,
                                                 ArrayView<CallArgument> passed) {
    if (plan.constantTensors.empty())
      return {};
    std::vector<CallArgument> all(passed.begin(), passed.end());
    for (const Tensor &constant : plan.constantTensors)
      all.emplace_back(constant.view());
    return all;
  }

  const ExecutionPlan &plan;
  size_t numPassed;
  std::vector<CallArgument> all;
  Execution execution;
};
} // namespace

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
    if (Status status = Call(**plan, *options.onlyFor, nullptr).check(); !status)
      return status.takeError();
  if (Status status = (*plan)->loadKernels(); !status)
    return status.takeError();
  return std::unique_ptr<Executable>(new Executable(plan.take()));
}

const artifact::Artifact &Executable::getArtifact() const { return plan->artifact; }
const std::shared_ptr<Device> &Executable::getDevice() const { return plan->device; }

Status Executable::checkGuards(ArrayView<CallArgument> arguments) const {
  return Call(*plan, arguments, nullptr).check();
}

Expected<std::vector<Tensor>> Executable::call(ArrayView<CallArgument> arguments, Stream stream) {
  Call call(*plan, arguments, stream);
  if (Status status = call.check(); !status)
    return status.takeError();
  return call.run();
}

Status Executable::callInto(ArrayView<CallArgument> arguments, ArrayView<TensorView> outputs,
                            Stream stream) {
  Call call(*plan, arguments, stream);
  if (Status status = call.check(); !status)
    return status;
  return call.runInto(outputs);
}

std::optional<Expected<std::vector<Tensor>>> Executable::tryCall(ArrayView<CallArgument> arguments,
                                                                 Stream stream) {
  Call call(*plan, arguments, stream);
  if (!call.check())
    return std::nullopt;
  return call.run();
}

std::optional<Status> Executable::tryCallInto(ArrayView<CallArgument> arguments,
                                              ArrayView<TensorView> outputs, Stream stream) {
  Call call(*plan, arguments, stream);
  if (!call.check())
    return std::nullopt;
  return call.runInto(outputs);
}

} // namespace fuser::runtime
