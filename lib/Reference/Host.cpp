//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Host functions: launches evaluate their kernels; buffers have values, not addresses.
//
//===----------------------------------------------------------------------===//

#include "OpContext.h"
#include "fuser/Dialect/IR/Fuser.h"

#include <limits>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

/// An uninitialised buffer: NaN where the type has it, so that reading it shows.
static LogicalResult evaluateAlloc(OpContext &context) {
  auto type = cast<RankedTensorType>(context.getOp()->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  unsigned next = 0;
  for (int64_t &size : shape) {
    if (ShapedType::isDynamic(size))
      size = context.operand(next++).integers()[0];
    if (size < 0)
      return context.emitError() << "expected sizes that are not negative, but got " << size;
  }
  Tensor buffer(type.getElementType(), shape);
  if (buffer.getKind() == ElementKind::Float)
    std::fill(buffer.floats().begin(), buffer.floats().end(),
              std::numeric_limits<double>::quiet_NaN());
  return context.setResult(std::move(buffer));
}

/// The results are the kernel's outputs; what `outs` held before does not matter.
static LogicalResult evaluateLaunch(OpContext &context) {
  auto launch = cast<LaunchOp>(context.getOp());
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  if (!kernel)
    return context.emitError() << "expected a fuser.kernel to evaluate, but got "
                               << launch.getKernel();
  SmallVector<Tensor> args;
  for (unsigned number = 0, count = launch.getInputs().size(); number < count; ++number)
    args.push_back(context.operand(number));
  FailureOr<SmallVector<Tensor>> outputs =
      evaluate(cast<FunctionOpInterface>(kernel.getOperation()), args, context.getOptions());
  if (failed(outputs))
    return failure();
  for (auto [number, output] : llvm::enumerate(*outputs))
    if (failed(context.setResult(std::move(output), number)))
      return failure();
  return success();
}

void fuser::reference::addHostOps(OpTable &table) {
  table["fuser.alloc"] = evaluateAlloc;
  table["fuser.free"] = [](OpContext &) { return success(); };
  table["fuser.launch"] = evaluateLaunch;
  table["fuser.copy"] = [](OpContext &context) {
    return context.setResult(context.sharedOperand(0));
  };
}
