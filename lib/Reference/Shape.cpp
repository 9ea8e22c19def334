//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that only rearrange elements, and ops that create tensors.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "MoveElements.h"
#include "RootDomain.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

//===----------------------------------------------------------------------===//
// New shapes for the same elements
//===----------------------------------------------------------------------===//

static LogicalResult evaluateIdentity(OpContext &context) {
  return context.setResult(context.sharedOperand(0));
}

static LogicalResult evaluateBroadcast(OpContext &context) {
  SmallVector<int64_t> shape(context.operand(0).getShape());
  for (int64_t dim : context.getIntegers("dims"))
    shape.insert(shape.begin() + dim, 1);
  return context.setResult(context.operand(0).reshaped(shape));
}

static LogicalResult evaluateSqueeze(OpContext &context) {
  ArrayRef<int64_t> dims = context.getIntegers("dims");
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(context.operand(0).getShape()))
    if (!llvm::is_contained(dims, int64_t(dim)))
      shape.push_back(size);
  return context.setResult(context.operand(0).reshaped(shape));
}

/// Dynamic sizes of the result come from its domain, whose root ids have the operand's sizes. Other
/// root ids have size 1, or are empty.
static LogicalResult evaluateReshape(OpContext &context) {
  auto op = cast<ReshapeOp>(context.getOp());
  const Tensor &input = context.operand(0);
  DomainAttr domain = cast<TensorViewOpInterface>(context.getOp()).getDomain();
  SmallVector<int64_t> rootExtents;
  for (IdKind kind : op.getRootKinds())
    rootExtents.push_back(kind == IdKind::Expanded ? 0 : 1);
  for (auto [dim, map] : llvm::enumerate(op.getDimMaps(0)))
    if (map.kind == DimMap::Kind::Mapped)
      rootExtents[map.id] = input.getDimSize(dim);
  RootDomain root(domain, rootExtents);
  ArrayRef<int64_t> shape = root.getResultShape();
  if (getNumElements(shape) != input.getNumElements())
    return context.emitError() << "expected a shape of " << input.getNumElements()
                               << " elements, but got [" << shape << "]";
  return context.setResult(input.reshaped(shape));
}

//===----------------------------------------------------------------------===//
// Elements in another place
//===----------------------------------------------------------------------===//

static LogicalResult evaluateExpand(OpContext &context) {
  auto op = cast<ExpandOp>(context.getOp());
  SmallVector<int64_t> shape(op.getResult().getType().getShape());
  unsigned next = 1;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!op.isExpanded(dim))
      size = context.operand(0).getDimSize(dim);
    else if (ShapedType::isDynamic(size))
      size = context.operand(next++).integers()[0];
    if (size < 0)
      return context.emitError() << "expected sizes that are not negative, but got " << size;
  }
  return context.setResult(
      readElements(context.operand(0), shape, [&](SmallVectorImpl<int64_t> &index) {
        for (auto [dim, at] : llvm::enumerate(index))
          at = op.isExpanded(dim) ? 0 : at;
      }));
}

static LogicalResult evaluatePermute(OpContext &context) {
  const Tensor &input = context.operand(0);
  ArrayRef<int64_t> permutation = context.getIntegers("permutation");
  SmallVector<int64_t> shape, from(input.getRank());
  for (int64_t dim : permutation)
    shape.push_back(input.getDimSize(dim));
  return context.setResult(readElements(input, shape, [&](SmallVectorImpl<int64_t> &index) {
    for (auto [to, dim] : llvm::enumerate(permutation))
      from[dim] = index[to];
    index.assign(from.begin(), from.end());
  }));
}

static LogicalResult evaluateSlice(OpContext &context) {
  auto op = cast<SliceOp>(context.getOp());
  const Tensor &input = context.operand(0);
  SmallVector<int64_t> offsets = resolveIntegers(context, op.getOffsets(), op.getStaticOffsets());
  SmallVector<int64_t> sizes = resolveIntegers(context, op.getSizes(), op.getStaticSizes());
  SmallVector<int64_t> strides(input.getRank(), 1);
  if (std::optional<ArrayRef<int64_t>> given = op.getStrides())
    strides.assign(given->begin(), given->end());
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    int64_t last = offsets[dim] + (sizes[dim] - 1) * strides[dim];
    if (offsets[dim] < 0 || sizes[dim] < 0 || (sizes[dim] > 0 && last >= input.getDimSize(dim)))
      return context.emitError() << "expected a box inside of dimension " << dim << " of size "
                                 << input.getDimSize(dim) << ", but got offset " << offsets[dim]
                                 << ", size " << sizes[dim] << " and stride " << strides[dim];
  }
  return context.setResult(readElements(input, sizes, [&](SmallVectorImpl<int64_t> &index) {
    for (auto [at, offset, stride] : llvm::zip_equal(index, offsets, strides))
      at = offset + at * stride;
  }));
}

static LogicalResult evaluateWindow(OpContext &context) {
  auto op = cast<WindowOp>(context.getOp());
  const Tensor &input = context.operand(0);
  const SmallVector<int64_t> dynamic(op.getDims().size(), ShapedType::kDynamic);
  SmallVector<int64_t> offsets(input.getRank(), 0), sizes(input.getShape());
  for (auto [dim, offset, size] :
       llvm::zip_equal(op.getDims(), resolveIntegers(context, op.getOffsets(), dynamic),
                       resolveIntegers(context, op.getSizes(), dynamic))) {
    offsets[dim] = offset;
    sizes[dim] = size;
  }
  return context.setResult(readElements(input, sizes, [&](SmallVectorImpl<int64_t> &index) {
    for (auto [at, offset] : llvm::zip_equal(index, offsets))
      at += offset;
  }));
}

static LogicalResult evaluatePad(OpContext &context) {
  auto op = cast<PadOp>(context.getOp());
  const Tensor &input = context.operand(0);
  SmallVector<int64_t> low = resolveIntegers(context, op.getLow(), op.getStaticLow());
  SmallVector<int64_t> high = resolveIntegers(context, op.getHigh(), op.getStaticHigh());
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    shape.push_back(input.getDimSize(dim) + low[dim] + high[dim]);
    if (shape.back() < 0)
      return context.emitError() << "expected a padded size of dimension " << dim
                                 << " that is not negative, but got " << shape.back();
  }
  unsigned valueNumber = op.getValueMutable().getOperandNumber();
  Tensor value = convertScalar(context.operand(valueNumber), input.getElementType());
  return context.setResult(readElements(
      input, shape,
      [&](SmallVectorImpl<int64_t> &index) {
        for (auto [at, before] : llvm::zip_equal(index, low))
          at -= before;
      },
      &value));
}

static LogicalResult evaluateRepeat(OpContext &context) {
  const Tensor &input = context.operand(0);
  SmallVector<int64_t> shape(input.getShape());
  for (auto [size, repeats] : llvm::zip_equal(shape, context.getIntegers("repeats")))
    size *= repeats;
  return context.setResult(readElements(input, shape, [&](SmallVectorImpl<int64_t> &index) {
    for (auto [at, size] : llvm::zip_equal(index, input.getShape()))
      at %= size;
  }));
}

//===----------------------------------------------------------------------===//
// Several tensors
//===----------------------------------------------------------------------===//

static LogicalResult evaluateCat(OpContext &context) {
  int64_t dim = cast<CatOp>(context.getOp()).getDim();
  SmallVector<int64_t> shape(context.operand(0).getShape());
  for (unsigned number = 1; number < context.getNumOperands(); ++number) {
    SmallVector<int64_t> other(context.operand(number).getShape());
    shape[dim] += other[dim];
    other[dim] = shape[dim];
    if (other != shape)
      return context.emitError() << "expected operand " << number << " to have sizes ["
                                 << ArrayRef<int64_t>(shape) << "] outside of dimension " << dim
                                 << ", but got [" << context.operand(number).getShape() << "]";
  }
  Tensor result(context.resultElementType(), shape);
  SmallVector<int64_t> offsets(shape.size(), 0);
  for (unsigned number = 0; number < context.getNumOperands(); ++number) {
    writeBox(result, context.operand(number), offsets);
    offsets[dim] += context.operand(number).getDimSize(dim);
  }
  return context.setResult(std::move(result));
}

static LogicalResult evaluateInsertSlice(OpContext &context) {
  auto op = cast<InsertSliceOp>(context.getOp());
  const Tensor &source = context.operand(0);
  Tensor result = context.operand(1);
  SmallVector<int64_t> offsets = resolveIntegers(context, op.getOffsets(), op.getStaticOffsets());
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (offsets[dim] < 0 || offsets[dim] + source.getDimSize(dim) > result.getDimSize(dim))
      return context.emitError() << "expected a box inside of dimension " << dim << " of size "
                                 << result.getDimSize(dim) << ", but got offset " << offsets[dim]
                                 << " and size " << source.getDimSize(dim);
  writeBox(result, source, offsets);
  return context.setResult(std::move(result));
}

//===----------------------------------------------------------------------===//
// Factories
//===----------------------------------------------------------------------===//

/// The result's shape; its dynamic sizes are operands from number `next` on.
static FailureOr<SmallVector<int64_t>> getFactoryShape(OpContext &context, unsigned next) {
  auto type = cast<RankedTensorType>(context.getOp()->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &size : shape) {
    if (ShapedType::isDynamic(size))
      size = context.operand(next++).integers()[0];
    if (size < 0)
      return context.emitError() << "expected sizes that are not negative, but got " << size;
  }
  if (fuser::detail::hasTooManyElements(shape))
    return context.emitError() << "expected fewer than 2^59 elements, but got sizes ["
                               << llvm::interleaved(shape) << "]";
  return shape;
}

static LogicalResult evaluateFull(OpContext &context) {
  FailureOr<SmallVector<int64_t>> shape = getFactoryShape(context, 1);
  if (failed(shape))
    return failure();
  Tensor value = convertScalar(context.operand(0), context.resultElementType());
  Tensor result(context.resultElementType(), *shape);
  for (int64_t i = 0, count = result.getNumElements(); i < count; ++i)
    copyElement(result, i, value, 0);
  return context.setResult(std::move(result));
}

static LogicalResult evaluateIota(OpContext &context) {
  FailureOr<SmallVector<int64_t>> shape = getFactoryShape(context, 2);
  if (failed(shape))
    return failure();
  Tensor result(context.resultElementType(), *shape);
  const Tensor &start = context.operand(0), &step = context.operand(1);
  for (int64_t i = 0, count = result.getNumElements(); i < count; ++i) {
    switch (result.getKind()) {
    case ElementKind::Float:
      result.floats()[i] = start.asDouble(0) + double(i) * step.asDouble(0);
      break;
    case ElementKind::Integer:
      result.integers()[i] = wrapAdd(start.integers()[0], wrapMul(i, step.integers()[0]));
      break;
    case ElementKind::Complex:
      result.complexes()[i] = start.asComplex(0) + double(i) * step.asComplex(0);
      break;
    }
  }
  return context.setComputed(std::move(result));
}

void fuser::reference::addShapeOps(OpTable &table) {
  table["fuser.set"] = evaluateIdentity;
  table["fuser.segment_set"] = evaluateIdentity;
  table["fuser.stride_order"] = evaluateIdentity;
  table["fuser.broadcast"] = evaluateBroadcast;
  table["fuser.squeeze"] = evaluateSqueeze;
  table["fuser.reshape"] = evaluateReshape;
  table["fuser.expand"] = evaluateExpand;
  table["fuser.permute"] = evaluatePermute;
  table["fuser.slice"] = evaluateSlice;
  table["fuser.window"] = evaluateWindow;
  table["fuser.pad"] = evaluatePad;
  table["fuser.repeat"] = evaluateRepeat;
  table["fuser.cat"] = evaluateCat;
  table["fuser.insert_slice"] = evaluateInsertSlice;
  table["fuser.full"] = evaluateFull;
  // The host function places other values into the boxes.
  table["fuser.border"] = evaluateFull;
  table["fuser.iota"] = evaluateIota;
}
