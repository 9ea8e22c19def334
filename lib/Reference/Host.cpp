//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Host functions: launches evaluate their kernels; buffers have values, not addresses.
//
//===----------------------------------------------------------------------===//

#include "MoveElements.h"
#include "OpContext.h"
#include "fuser/Dialect/IR/HostShapeOps.h"

#include <limits>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

/// An uninitialized buffer: NaN if the type has it, so that reads of it are visible.
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

/// The results are the kernel's outputs; the previous contents of `outs` have no effect.
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

/// The elements of the base at offset + index * stride, in the view's order of dimensions.
static LogicalResult evaluateView(OpContext &context) {
  auto op = cast<ViewOp>(context.getOp());
  const Tensor &base = context.operand(0);
  SmallVector<int64_t> offsets = resolveIntegers(context, op.getOffsets(), op.getStaticOffsets());
  SmallVector<int64_t> sizes = resolveIntegers(context, op.getSizes(), op.getStaticSizes());
  for (int64_t dim = 0; dim < base.getRank(); ++dim) {
    int64_t last = offsets[dim] + (sizes[dim] - 1) * op.getStep(dim);
    if (offsets[dim] < 0 || sizes[dim] < 0 || (sizes[dim] > 0 && last >= base.getDimSize(dim)))
      return context.emitError() << "expected a box inside of dimension " << dim << " of size "
                                 << base.getDimSize(dim) << ", but got offset " << offsets[dim]
                                 << ", size " << sizes[dim] << " and stride " << op.getStep(dim);
  }
  SmallVector<int64_t> shape, from(base.getRank());
  for (int64_t dim = 0; dim < cast<RankedTensorType>(op.getResult().getType()).getRank(); ++dim)
    shape.push_back(op.getBaseDim(dim) < 0 ? 1 : sizes[op.getBaseDim(dim)]);
  return context.setResult(readElements(base, shape, [&](SmallVectorImpl<int64_t> &index) {
    from.assign(offsets.begin(), offsets.end());
    for (auto [dim, at] : llvm::enumerate(index))
      if (int64_t baseDim = op.getBaseDim(dim); baseDim >= 0)
        from[baseDim] += at * op.getStep(baseDim);
    index.assign(from.begin(), from.end());
  }));
}

/// Sets the result to the elements of operand 0 in row-major order, under another shape.
static LogicalResult setReshaped(OpContext &context, ArrayRef<int64_t> shape) {
  const Tensor &source = context.operand(0);
  if (getNumElements(shape) != source.getNumElements())
    return context.emitError() << "expected a shape of " << source.getNumElements()
                               << " elements, but got [" << shape << "]";
  return context.setResult(source.reshaped(shape));
}

static LogicalResult evaluateReshapeView(OpContext &context) {
  auto op = cast<ReshapeViewOp>(context.getOp());
  return setReshaped(context, resolveIntegers(context, op.getSizes(), op.getStaticSizes()));
}

static LogicalResult evaluateExpect(OpContext &context) {
  int64_t lhs = context.operand(0).integers()[0], rhs = context.operand(1).integers()[0];
  auto op = cast<ExpectOp>(context.getOp());
  if (op.getAtMost() ? lhs <= rhs : lhs == rhs)
    return success();
  return context.emitError() << (op.getAtMost() ? "expected ascending integers ("
                                                : "expected equal integers (")
                             << op.getReason() << "), but got " << lhs << " and " << rhs;
}

static LogicalResult evaluatePlace(OpContext &context) {
  auto op = cast<PlaceOp>(context.getOp());
  if (op.getStaticOffsets().empty())
    return setReshaped(context, SmallVector<int64_t>(context.operand(1).getShape()));
  SmallVector<int64_t> offsets = resolveIntegers(context, op.getOffsets(), op.getStaticOffsets());
  const Tensor &part = context.operand(0);
  Tensor result = context.operand(1);
  for (int64_t dim = 0; dim < part.getRank(); ++dim)
    if (offsets[dim] < 0 || offsets[dim] + part.getDimSize(dim) > result.getDimSize(dim))
      return context.emitError() << "expected a part inside of dimension " << dim << " of size "
                                 << result.getDimSize(dim) << ", but got offset " << offsets[dim]
                                 << " and size " << part.getDimSize(dim);
  writeBox(result, part, offsets);
  return context.setResult(std::move(result));
}

void fuser::reference::addHostOps(OpTable &table) {
  table["fuser.view"] = evaluateView;
  table["fuser.reshape_view"] = evaluateReshapeView;
  table["fuser.expect"] = evaluateExpect;
  // The reference evaluates ops in order.
  for (const char *name : {"fuser.stream", "fuser.record", "fuser.wait"})
    table[name] = [](OpContext &) { return success(); };
  table["fuser.place"] = evaluatePlace;
  table["fuser.alloc"] = evaluateAlloc;
  table["fuser.free"] = [](OpContext &) { return success(); };
  table["fuser.launch"] = evaluateLaunch;
  table["fuser.copy"] = [](OpContext &context) {
    return context.setResult(context.sharedOperand(0));
  };
}
