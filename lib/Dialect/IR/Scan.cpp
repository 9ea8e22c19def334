//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans: verification, and the tuples of those that carry several numbers. The scalar forms of
// others are in ScanOps.td.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ScanOps.cpp.inc"

LogicalResult fuser::detail::verifyScanOp(Operation *op, int64_t dim, ReductionTypes types) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  // SC1
  if (dim < 0 || dim >= input.getRank())
    return op->emitOpError("expected 'dim' to be a dimension of ") << input << ", but got " << dim;
  // SC2
  if (failed(verifyCompatibleShape(input, result)))
    return op->emitOpError("expected a result of shape [")
           << input.getShape() << "], but got " << result;
  // SC3
  if (failed(verifyReductionTypes(op, input.getElementType(), result.getElementType(), types)))
    return failure();
  return verifyTensorViewOp(op);
}

//===----------------------------------------------------------------------===//
// LogCumSumExpOp: the tuple (max, sum of exp(x - max)), as that of MaxSumExpOp. The maximum is at
// least the lowest finite number, so that distances of elements of -inf are numbers.
//===----------------------------------------------------------------------===//

SmallVector<Type> LogCumSumExpOp::getCarriedTypes() {
  return SmallVector<Type>(2,
                           ElementBuilder::getComputeType(getInput().getType().getElementType()));
}

static double getLowest(Type type) {
  return APFloat::getLargest(cast<FloatType>(type).getFloatSemantics(), /*Negative=*/true)
      .convertToDouble();
}

SmallVector<Value> LogCumSumExpOp::buildInitial(OpBuilder &builder, Location loc) {
  Type type = getCarriedTypes()[0];
  auto create = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  };
  return {create(getLowest(type)), create(0)};
}

SmallVector<Value> LogCumSumExpOp::buildLift(OpBuilder &builder, Location loc,
                                             ValueRange operands) {
  Type type = getCarriedTypes()[0];
  ElementBuilder b(builder, loc, type);
  Value element = b.convertTo(operands[0], b.resultElement);
  Value lowest = b.constantLike(element, getLowest(type));
  Value isNone = b.compare(arith::CmpFPredicate::OLT, element, lowest);
  return {b.maximum(element, lowest),
          b.select(isNone, b.constantLike(element, 0), b.constantLike(element, 1))};
}

SmallVector<Value> LogCumSumExpOp::buildCombine(OpBuilder &builder, Location loc, ValueRange first,
                                                ValueRange rest) {
  ElementBuilder b(builder, loc, getCarriedTypes()[0]);
  return detail::combineMaxSumExp(b, first, rest);
}

SmallVector<Value> LogCumSumExpOp::buildResults(OpBuilder &builder, Location loc,
                                                ValueRange carried) {
  ElementBuilder b(builder, loc, getCarriedTypes()[0]);
  Value maximum = carried[0],
        infinity = b.constantLike(maximum, std::numeric_limits<double>::infinity());
  Value logarithm = b.create<math::LogOp>({carried[1]});
  Value sum = b.create<arith::AddFOp>({maximum, logarithm});
  // The distance of two infinities is none.
  Value isInfinite = b.compare(arith::CmpFPredicate::OEQ, maximum, infinity);
  return {b.convertTo(b.select(isInfinite, maximum, sum), getResult().getType().getElementType())};
}
