//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Positions, indices, copies of single elements.
//
//===----------------------------------------------------------------------===//

#include "MoveElements.h"
#include "Arithmetic.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

void fuser::reference::copyElement(Tensor &to, int64_t toPosition, const Tensor &from,
                                   int64_t fromPosition) {
  assert(to.getKind() == from.getKind() && "tensors of one element type");
  switch (from.getKind()) {
  case ElementKind::Float:
    to.floats()[toPosition] = from.floats()[fromPosition];
    return;
  case ElementKind::Integer:
    to.integers()[toPosition] = from.integers()[fromPosition];
    return;
  case ElementKind::Complex:
    to.complexes()[toPosition] = from.complexes()[fromPosition];
    return;
  }
}

std::optional<int64_t> fuser::reference::getPosition(ArrayRef<int64_t> shape,
                                                     ArrayRef<int64_t> index) {
  int64_t position = 0;
  for (auto [size, at] : llvm::zip_equal(shape, index)) {
    if (at < 0 || at >= size)
      return std::nullopt;
    position = position * size + at;
  }
  return position;
}

Tensor fuser::reference::convertScalar(const Tensor &scalar, Type type) {
  switch (getElementKind(type)) {
  case ElementKind::Float:
    return Tensor::scalar(type, roundToType(scalar.asDouble(0), type, /*roundF32=*/true));
  case ElementKind::Integer:
    if (scalar.getKind() != ElementKind::Integer)
      return Tensor::scalar(type, truncateToInteger(scalar.asDouble(0), type));
    if (type.isInteger(1))
      return Tensor::scalar(type, int64_t(scalar.integers()[0] != 0));
    return Tensor::scalar(type, wrapToType(scalar.integers()[0], type));
  case ElementKind::Complex:
    return Tensor(type, {}, std::vector{scalar.asComplex(0)});
  }
  return scalar;
}

SmallVector<int64_t> fuser::reference::resolveIntegers(OpContext &context, OperandRange dynamic,
                                                       ArrayRef<int64_t> statics) {
  SmallVector<int64_t> integers(statics);
  unsigned operand = dynamic.empty() ? 0 : dynamic.getBeginOperandIndex();
  for (int64_t &integer : integers)
    if (ShapedType::isDynamic(integer))
      integer = context.operand(operand++).integers()[0];
  return integers;
}

Tensor fuser::reference::readElements(const Tensor &source, ArrayRef<int64_t> shape,
                                      llvm::function_ref<void(SmallVectorImpl<int64_t> &)> indexOf,
                                      const Tensor *outside) {
  Tensor result(source.getElementType(), shape);
  int64_t at = 0;
  SmallVector<int64_t> from;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    from.assign(index.begin(), index.end());
    indexOf(from);
    if (std::optional<int64_t> position = getPosition(source.getShape(), from))
      copyElement(result, at, source, *position);
    else if (outside)
      copyElement(result, at, *outside, 0);
    ++at;
  });
  return result;
}

void fuser::reference::writeBox(Tensor &result, const Tensor &source, ArrayRef<int64_t> offsets) {
  int64_t from = 0;
  SmallVector<int64_t> to;
  forEachIndex(source.getShape(), [&](ArrayRef<int64_t> index) {
    to.assign(index.begin(), index.end());
    for (auto [at, offset] : llvm::zip_equal(to, offsets))
      at += offset;
    copyElement(result, *getPosition(result.getShape(), to), source, from++);
  });
}
