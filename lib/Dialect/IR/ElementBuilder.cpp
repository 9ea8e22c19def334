//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuser;

Type ElementBuilder::getComputeType(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() < 32 ? Float32Type::get(element.getContext()) : element;
}

Type ElementBuilder::getTypeLike(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return vector.clone(element);
  return element;
}

Value ElementBuilder::constant(Value like, Type element, double value) {
  Type type = getTypeLike(like, element);
  TypedAttr scalar = isa<FloatType>(element)
                         ? TypedAttr(builder.getFloatAttr(element, value))
                         : TypedAttr(builder.getIntegerAttr(element, int64_t(value)));
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, scalar));
  return arith::ConstantOp::create(builder, loc, scalar);
}

Value ElementBuilder::convertTo(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = getTypeLike(value, element);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(element);
  if (element.isInteger(1)) {
    Value zero = constant(value, from, 0);
    if (fromFloat)
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
  }
  if (fromFloat && toFloat) {
    unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = element.getIntOrFloatBitWidth();
    if (fromWidth == toWidth) // bf16 <-> f16, through f32
      return convertTo(convertTo(value, builder.getF32Type()), element);
    if (fromWidth < toWidth)
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }
  if (fromFloat)
    return arith::FPToSIOp::create(builder, loc, type, value);
  if (toFloat) {
    if (from.isInteger(1))
      return arith::UIToFPOp::create(builder, loc, type, value);
    return arith::SIToFPOp::create(builder, loc, type, value);
  }
  if (isa<IndexType>(from) || isa<IndexType>(element))
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth()) {
    if (from.isInteger(1))
      return arith::ExtUIOp::create(builder, loc, type, value);
    return arith::ExtSIOp::create(builder, loc, type, value);
  }
  return arith::TruncIOp::create(builder, loc, type, value);
}

SmallVector<Value> ElementBuilder::toCompute(ValueRange operands) {
  Type compute = getComputeType(resultElement);
  return llvm::map_to_vector(operands, [&](Value operand) { return convertTo(operand, compute); });
}
