//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads and writes at indices that are data. Reads out of bounds return 0, writes out of bounds are
// dropped.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "MoveElements.h"
#include "fuser/Dialect/IR/Fuser.h"

#include <algorithm>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

static int64_t getDim(OpContext &context) {
  return context.getOp()->getAttrOfType<IntegerAttr>("dim").getInt();
}

/// Fails if `inner` is larger than `outer` in a dimension other than `dim`.
static LogicalResult checkInside(OpContext &context, ArrayRef<int64_t> inner,
                                 ArrayRef<int64_t> outer, int64_t dim) {
  for (auto [at, small, large] : llvm::enumerate(inner, outer))
    if (int64_t(at) != dim && small > large)
      return context.emitError() << "expected dimension " << at << " of the index to be at most "
                                 << large << ", but got " << small;
  return success();
}

static LogicalResult evaluateGather(OpContext &context) {
  const Tensor &input = context.operand(0), &index = context.operand(1);
  int64_t dim = getDim(context), next = 0;
  if (failed(checkInside(context, index.getShape(), input.getShape(), dim)))
    return failure();
  return context.setResult(readElements(input, index.getShape(), [&](SmallVectorImpl<int64_t> &at) {
    at[dim] = index.integers()[next++];
  }));
}

static LogicalResult evaluateTakeAlongAxis(OpContext &context) {
  const Tensor &input = context.operand(0), &index = context.operand(1);
  int64_t dim = getDim(context);
  SmallVector<int64_t> shape(index.getShape());
  for (auto [at, size, inputSize] : llvm::enumerate(shape, input.getShape())) {
    if (int64_t(at) == dim || size == inputSize || inputSize == 1)
      continue;
    if (size != 1)
      return context.emitError() << "expected dimension " << at << " of the index to be "
                                 << inputSize << " or 1, but got " << size;
    size = inputSize;
  }
  SmallVector<int64_t> indexAt;
  return context.setResult(readElements(input, shape, [&](SmallVectorImpl<int64_t> &at) {
    indexAt.assign(at.begin(), at.end());
    for (auto [position, size] : llvm::zip_equal(indexAt, index.getShape()))
      position = size == 1 ? 0 : position;
    for (auto [position, size] : llvm::zip_equal(at, input.getShape()))
      position = size == 1 ? 0 : position;
    at[dim] = index.integers()[*getPosition(index.getShape(), indexAt)];
  }));
}

static LogicalResult evaluateIndexSelect(OpContext &context) {
  const Tensor &input = context.operand(0), &index = context.operand(1);
  const int64_t dim = getDim(context);
  SmallVector<int64_t> shape(ArrayRef(input.getShape()).take_front(dim));
  llvm::append_range(shape, index.getShape());
  llvm::append_range(shape, ArrayRef(input.getShape()).drop_front(dim + 1));
  return context.setResult(readElements(input, shape, [&](SmallVectorImpl<int64_t> &at) {
    auto *begin = at.begin() + dim, *end = begin + index.getShape().size();
    const int64_t position = index.integers()[*getPosition(index.getShape(), ArrayRef(begin, end))];
    at.insert(at.erase(begin, end), position);
  }));
}

static double combine(ScatterReduce kind, double lhs, double rhs) {
  switch (kind) {
  case ScatterReduce::Add:
    return lhs + rhs;
  case ScatterReduce::Mul:
    return lhs * rhs;
  case ScatterReduce::Min:
    return minimum(lhs, rhs);
  case ScatterReduce::Max:
    return maximum(lhs, rhs);
  }
  llvm_unreachable("unknown way to combine");
}

/// Only sums and products, because complex numbers have no order.
static std::complex<double> combine(ScatterReduce kind, std::complex<double> lhs,
                                    std::complex<double> rhs) {
  return kind == ScatterReduce::Add ? lhs + rhs : lhs * rhs;
}

static int64_t combine(ScatterReduce kind, int64_t lhs, int64_t rhs) {
  switch (kind) {
  case ScatterReduce::Add:
    return wrapAdd(lhs, rhs);
  case ScatterReduce::Mul:
    return wrapMul(lhs, rhs);
  case ScatterReduce::Min:
    return std::min(lhs, rhs);
  case ScatterReduce::Max:
    return std::max(lhs, rhs);
  }
  llvm_unreachable("unknown way to combine");
}

/// Combines one element of `from` into one of `to`; not rounded.
static void combineElement(ScatterReduce kind, Tensor &to, int64_t toPosition, const Tensor &from,
                           int64_t fromPosition) {
  if (to.getKind() == ElementKind::Float)
    to.floats()[toPosition] = combine(kind, to.floats()[toPosition], from.floats()[fromPosition]);
  else if (to.getKind() == ElementKind::Complex)
    to.complexes()[toPosition] =
        combine(kind, to.complexes()[toPosition], from.complexes()[fromPosition]);
  else
    to.integers()[toPosition] =
        wrapToType(combine(kind, to.integers()[toPosition], from.integers()[fromPosition]),
                   to.getElementType());
}

/// Elements of the source in row-major order: if an index occurs several times, the last one wins,
/// or each is combined with the previous ones. Of a push, any order is right.
static LogicalResult evaluateScatter(OpContext &context) {
  const Tensor &source = context.operand(0), &index = context.operand(1);
  Tensor result = context.operand(2);
  int64_t dim = getDim(context), next = 0;
  if (source.getShape() != index.getShape())
    return context.emitError() << "expected a source of shape [" << index.getShape()
                               << "] like the index, but got [" << source.getShape() << "]";
  if (failed(checkInside(context, index.getShape(), result.getShape(), dim)))
    return failure();
  std::optional<ScatterReduce> reduce;
  if (auto kind = context.getOp()->getAttrOfType<ScatterReduceAttr>("reduce"))
    reduce = kind.getValue();
  auto place = [&](int64_t position) {
    if (reduce)
      combineElement(*reduce, result, position, source, next);
    else
      copyElement(result, position, source, next);
  };
  SmallVector<int64_t> to;
  forEachIndex(index.getShape(), [&](ArrayRef<int64_t> at) {
    to.assign(at.begin(), at.end());
    to[dim] = index.integers()[next];
    if (std::optional<int64_t> position = getPosition(result.getShape(), to))
      place(*position);
    ++next;
  });
  return reduce ? context.setComputed(std::move(result)) : context.setResult(std::move(result));
}

void fuser::reference::addIndexingOps(OpTable &table) {
  table["fuser.gather"] = evaluateGather;
  table["fuser.take_along_axis"] = evaluateTakeAlongAxis;
  table["fuser.index_select"] = evaluateIndexSelect;
  table["fuser.scatter"] = evaluateScatter;
  table["fuser.push"] = evaluateScatter;
}
