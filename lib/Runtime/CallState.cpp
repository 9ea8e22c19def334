//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CallState.h"

#include "ExecutionPlan.h"

#include <algorithm>

namespace fuser::runtime {

using namespace artifact;

CallState::CallState(const ExecutionPlan &plan)
    : values(plan.constants), data(plan.buffers.size()), owned(plan.buffers.size()),
      instructions(plan.artifact.program.instructions.size()) {
  for (size_t i = 0; i < instructions.size(); ++i) {
    const auto *launch = std::get_if<Launch>(&plan.artifact.program.instructions[i]);
    if (!launch)
      continue;
    instructions[i].config.kernelName = plan.artifact.kernels[launch->kernel].name.c_str();
    instructions[i].config.cooperative = launch->cooperative;
    instructions[i].config.dependent = launch->dependent;
    // Parameters point to the maps, which do not move.
    instructions[i].tensorMaps.resize(plan.launches[i].tensorMaps.size());
    size_t numMaps = 0;
    for (const Parameter &parameter : launch->parameters) {
      KernelParameter &bound = instructions[i].parameters.emplace_back();
      if (parameter.kind == Parameter::Kind::Pointer)
        bound = {&data[parameter.buffer], sizeof(void *)};
      // Values need not be moved: on a little-endian machine the low bytes come first.
      if (parameter.kind == Parameter::Kind::Integer)
        bound = {&values[parameter.expr], parameter.bytes};
      if (parameter.kind == Parameter::Kind::TensorMap) {
        PreparedTensorMap &map = instructions[i].tensorMaps[numMaps++];
        map.name = "kernel '" + plan.artifact.kernels[launch->kernel].name + "', argument '" +
                   plan.artifact.program.buffers[parameter.buffer].name + "'";
        bound = {&map.map, sizeof(TensorMap)};
      }
    }
  }
  size_t rank = 0;
  for (const OutputSpec &output : plan.artifact.outputs)
    rank = std::max(rank, output.sizes.size());
  resultShape.resize(2 * rank);
}

void CallState::forget() {
  signature.clear();
  isEvaluated = false;
  for (PreparedInstruction &instruction : instructions)
    instruction.isPrepared = false;
}

} // namespace fuser::runtime
