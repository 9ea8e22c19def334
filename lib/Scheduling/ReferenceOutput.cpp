//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/KernelSchedule.h"

using namespace mlir;
using namespace fuser;

/// True if the output is read at indices other than its own.
static bool isResized(const KernelView &kernel, const GlobalTensor &tensor) {
  return llvm::any_of(tensor.order, [&](unsigned dimClass) { return kernel.getResize(dimClass); });
}

ReferenceOutput ReferenceOutput::get(const KernelView &kernel) {
  ReferenceOutput best;
  int64_t most = -1;
  bool resized = false;
  auto ret = cast<ReturnOp>(kernel.getKernel().getBody().front().back());
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    int64_t rank = tensor.order.size();
    if (!tensor.isOutput || rank < most)
      continue;
    SmallVector<unsigned> classes;
    for (int64_t dim : getOutputOrder(kernel.getKernel(), tensor.position))
      classes.push_back(kernel.getClasses().getClass(ret.getValues()[tensor.position], dim));
    ReferenceOutput reference{tensor.position, !kernel.hasLoops(tensor.value, tensor.order),
                              kernel.getSpace().getLoopClasses(classes)};
    // One that is resized follows the other.
    if (rank == most && (reference.lacksPart || !best.lacksPart) &&
        (reference.lacksPart != best.lacksPart || !resized))
      continue;
    most = rank;
    resized = isResized(kernel, tensor);
    best = std::move(reference);
  }
  return best;
}

std::optional<Refusal> fuser::checkParts(const KernelView &kernel,
                                         const ReferenceOutput &reference) {
  if (!reference.lacksPart)
    return std::nullopt;
  Operation *op = kernel.getOutput(reference.position).value.getDefiningOp();
  Refusal refusal{RefusalCategory::Structure,
                  kUncoveredDimension,
                  {op},
                  "expected one output that has every dimension of the kernel, but output " +
                      std::to_string(reference.position) +
                      ", which has most, lacks a part of what a reshape merges"};
  cutBefore(op, refusal.cuts);
  cutBehind(op, refusal.cuts);
  return refusal;
}

SmallVector<unsigned> fuser::getConcrete(const KernelView &kernel, ArrayRef<unsigned> classes) {
  SmallVector<unsigned> concrete;
  for (unsigned dimClass : classes)
    if (!kernel.getClasses().isBroadcast(dimClass))
      concrete.push_back(dimClass);
  return concrete;
}
