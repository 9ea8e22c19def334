//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The checks of a scheduled kernel that precede its loops, and the analyses that they make.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "fuser/Dialect/IR/BorderOps.h"

using namespace mlir;
using namespace fuser;

/// What ops read is checked by them; an argument that none reads may hold anything.
static LogicalResult verifyElements(KernelOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (isa<RankedTensorType>(argument.getType()) &&
        !isa<IntegerType, FloatType, ComplexType>(getElementTypeOrSelf(argument.getType())))
      return kernel.emitOpError("expected integers, floats or complex numbers as elements of "
                                "argument ")
             << argument.getArgNumber() << ", but got " << argument.getType();
  return success();
}

/// Outputs must be in global memory, each computed by an op of the kernel.
static LogicalResult verifyOutputs(KernelOp kernel) {
  auto returnOp = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [index, value] : llvm::enumerate(returnOp.getValues())) {
    auto view = value.getDefiningOp<TensorViewOpInterface>();
    if (view && isa<BorderOp>(view.getOperation()))
      continue;
    if (!view || view.getMemoryType() != MemoryType::Global)
      return returnOp.emitOpError("expected output ")
             << index << " to be defined by an op with memory = #fuser.memory<global>, but got "
             << (view ? "a value in " + stringifyMemoryType(view.getMemoryType()).str() + " memory"
                      : std::string("an argument"));
    if (llvm::count(returnOp.getValues(), value) > 1)
      return returnOp.emitOpError("expected every output to be an op of its own, but output ")
             << index << " is returned twice";
  }
  return success();
}

FailureOr<std::unique_ptr<CheckedKernel>> fuser::checkKernel(KernelOp kernel) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  if (failed(extents) || failed(verifyElements(kernel)) || failed(verifyOutputs(kernel)))
    return failure();
  auto checked =
      std::make_unique<CheckedKernel>(CheckedKernel{kernel, std::move(*extents), {}, {}});
  FailureOr<std::unique_ptr<LoopNest>> nest = LoopNest::create(kernel, checked->extents);
  if (failed(nest))
    return failure();
  checked->nest = std::move(*nest);
  checked->equalIds = std::make_unique<EqualIds>(checked->extents);
  if (failed(checked->equalIds->verifyReads(*checked->nest)))
    return failure();
  return checked;
}
