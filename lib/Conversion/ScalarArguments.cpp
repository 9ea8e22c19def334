//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Widens and narrows the scalar arguments of fusions.
//
//===----------------------------------------------------------------------===//

#include "ScalarArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Type fuser::conversion::getScalarArgumentType(Type type) {
  if (type.isInteger(1) || type.isInteger(64) || type.isF32() || type.isF64() ||
      isa<ComplexType, IndexType>(type))
    return type;
  if (type.isSignlessInteger() && type.getIntOrFloatBitWidth() < 64)
    return IntegerType::get(type.getContext(), 64);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(type.getContext());
  return {};
}

Value fuser::conversion::widenScalar(OpBuilder &builder, Location loc, Value scalar) {
  Type wide = getScalarArgumentType(scalar.getType());
  if (wide == scalar.getType())
    return scalar;
  if (isa<FloatType>(wide))
    return arith::ExtFOp::create(builder, loc, wide, scalar);
  return arith::ExtSIOp::create(builder, loc, wide, scalar);
}

Value fuser::conversion::narrowScalar(OpBuilder &builder, Location loc, Value argument, Type type) {
  if (argument.getType() == type)
    return argument;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(builder, loc, type, argument);
  return arith::TruncIOp::create(builder, loc, type, argument);
}

Value fuser::conversion::getNarrowScalar(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(op) ||
      getScalarArgumentType(op->getOperand(0).getType()) != value.getType())
    return value;
  return op->getOperand(0);
}
