//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CallSignature.h"

#include "ExecutionPlan.h"

namespace fuser::runtime {

bool CallSignature::matches(const ExecutionPlan &plan, ArrayView<CallArgument> arguments) const {
  if (!isKnown || arguments.size() != plan.argumentChecks.size())
    return false;
  const int64_t *known = numbers.data();
  const ArgumentCheck *check = plan.argumentChecks.data();
  for (const CallArgument &argument : arguments) {
    if (argument.isTensor != check->isTensor)
      return false;
    if (!argument.isTensor) {
      if (argument.scalar.dtype != check->dtype ||
          (check->isRead && argument.scalar.asInteger() != *known++))
        return false;
      ++check;
      continue;
    }
    const TensorView &tensor = argument.tensor;
    const auto address = reinterpret_cast<uintptr_t>(tensor.data);
    if (tensor.dtype != check->dtype || tensor.rank != check->rank ||
        tensor.device != plan.deviceId || address == 0 || (address & check->alignmentMask) != 0)
      return false;
    for (uint32_t dim = 0; dim < tensor.rank; ++dim, known += 2)
      if (tensor.sizes[dim] != known[0] || tensor.strides[dim] != known[1])
        return false;
    if (check->isRead && alignmentOf(tensor.data) != *known++)
      return false;
    ++check;
  }
  return true;
}

void CallSignature::assign(const ExecutionPlan &plan, ArrayView<CallArgument> arguments) {
  isKnown = false;
  numbers.clear();
  const ArgumentCheck *check = plan.argumentChecks.data();
  for (const CallArgument &argument : arguments) {
    if (argument.isTensor) {
      const TensorView &tensor = argument.tensor;
      for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
        if (tensor.sizes[dim] == 0)
          return;
        numbers.push_back(tensor.sizes[dim]);
        numbers.push_back(tensor.strides[dim]);
      }
      if (check->isRead)
        numbers.push_back(alignmentOf(tensor.data));
    } else if (check->isRead) {
      numbers.push_back(argument.scalar.asInteger());
    }
    ++check;
  }
  isKnown = true;
}

} // namespace fuser::runtime
