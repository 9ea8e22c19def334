//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ReferenceOutput.h"

using namespace mlir;
using namespace fuser;

/// True if the output is read at indices other than its own.
static bool isResized(const KernelView &kernel, const GlobalTensor &tensor) {
  return llvm::any_of(tensor.order, [&](unsigned dimClass) { return kernel.getResize(dimClass); });
}

ReferenceOutput ReferenceOutput::get(const KernelView &kernel) {
  ReferenceOutput reference;
  int64_t most = -1;
  bool resized = false;
  auto ret = cast<ReturnOp>(kernel.getKernel().getBody().front().back());
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    int64_t rank = tensor.order.size();
    // The resized one follows the other.
    if (!tensor.isOutput || rank < most || (rank == most && !resized))
      continue;
    most = rank;
    resized = isResized(kernel, tensor);
    SmallVector<unsigned> classes;
    for (int64_t dim : getOutputOrder(kernel.getKernel(), tensor.position))
      classes.push_back(kernel.getClasses().getClass(ret.getValues()[tensor.position], dim));
    reference = {tensor.position, kernel.getSpace().getLoopClasses(classes)};
  }
  return reference;
}

SmallVector<unsigned> fuser::getConcrete(const KernelView &kernel, ArrayRef<unsigned> classes) {
  SmallVector<unsigned> concrete;
  for (unsigned dimClass : classes)
    if (!kernel.getClasses().isBroadcast(dimClass))
      concrete.push_back(dimClass);
  return concrete;
}
