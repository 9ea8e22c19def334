//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Extremes with an index: verification and the combiner over pairs (element, index).
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

LogicalResult fuser::detail::verifyIndexedReductionOp(Operation *op) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto index = cast<RankedTensorType>(op->getOperand(1).getType());
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
  // RD1
  if (failed(verifyReductionDims(op, input, dims)))
    return failure();
  // RD3
  if (failed(verifyElementClass(op, input.getElementType(), ElementClass::Number)))
    return failure();
  // RD5
  if (failed(verifyCompatibleShape(input, index)))
    return op->emitOpError("expected an index of shape [")
           << input.getShape() << "], but got " << index;
  if (!index.getElementType().isInteger(32) && !index.getElementType().isInteger(64))
    return op->emitOpError("expected an index of i32 or i64, but got ") << index.getElementType();
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults())) {
    RankedTensorType expected = inferReductionType(operand, dims);
    auto type = cast<RankedTensorType>(result.getType());
    // RD2
    bool fits = op->hasAttr("domains") || succeeded(verifyCompatibleShape(expected, type));
    if (!fits || type.getElementType() != expected.getElementType())
      return op->emitOpError("expected a result of ") << expected << ", but got " << type;
  }
  return verifyTensorViewOp(op);
}

/// The element computes as it would in a function of elements, the index as it is.
static SmallVector<Type> getPairTypes(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  return {ElementBuilder::getComputeType(element),
          getElementTypeOrSelf(op->getOperand(1).getType())};
}

/// What loses against every element: at an equal element the smaller index wins.
static SmallVector<Value> buildLast(OpBuilder &builder, Location loc, Operation *op,
                                    TypedAttr element) {
  Type index = getPairTypes(op)[1];
  APInt greatest = APInt::getSignedMaxValue(index.getIntOrFloatBitWidth());
  return {arith::ConstantOp::create(builder, loc, element),
          arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(index, greatest))};
}

static SmallVector<Value> liftPair(OpBuilder &builder, Location loc, Operation *op,
                                   ValueRange operands) {
  Type element = getPairTypes(op)[0];
  return {ElementBuilder(builder, loc, element).convertTo(operands[0], element), operands[1]};
}

/// The pair that wins: the element further out, at equal ones the smaller index.
static SmallVector<Value> combinePairs(OpBuilder &builder, Location loc, ValueRange lhs,
                                       ValueRange rhs, bool greatest) {
  ElementBuilder b(builder, loc, lhs[0].getType());
  Value further, equal;
  if (b.isFloat(lhs[0])) {
    Value lhsIsNan = b.compare(CmpFPredicate::UNO, lhs[0], lhs[0]);
    Value rhsIsNan = b.compare(CmpFPredicate::UNO, rhs[0], rhs[0]);
    Value beats = b.compare(greatest ? CmpFPredicate::OGT : CmpFPredicate::OLT, rhs[0], lhs[0]);
    // Of one NaN and one number the NaN.
    Value alone = b.compare(CmpIPredicate::ugt, rhsIsNan, lhsIsNan);
    further = b.create<arith::OrIOp>({beats, alone});
    equal = b.create<arith::OrIOp>({b.compare(CmpFPredicate::OEQ, lhs[0], rhs[0]),
                                    b.create<arith::AndIOp>({lhsIsNan, rhsIsNan})});
  } else {
    further = b.compare(greatest ? CmpIPredicate::sgt : CmpIPredicate::slt, rhs[0], lhs[0]);
    equal = b.compare(CmpIPredicate::eq, lhs[0], rhs[0]);
  }
  Value earlier = b.compare(CmpIPredicate::slt, rhs[1], lhs[1]);
  Value takesRhs = b.create<arith::OrIOp>({further, b.create<arith::AndIOp>({equal, earlier})});
  return {b.select(takesRhs, rhs[0], lhs[0]), b.select(takesRhs, rhs[1], lhs[1])};
}

static SmallVector<Value> finalizePair(OpBuilder &builder, Location loc, Operation *op,
                                       ValueRange accumulators) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return {ElementBuilder(builder, loc, element).convertTo(accumulators[0], element),
          accumulators[1]};
}

//===----------------------------------------------------------------------===//
// max_with_index
//===----------------------------------------------------------------------===//

SmallVector<Type> MaxWithIndexOp::getAccumulatorTypes() { return getPairTypes(*this); }

SmallVector<Value> MaxWithIndexOp::buildIdentity(OpBuilder &builder, Location loc) {
  return buildLast(builder, loc, *this, detail::getLeastAttr(getAccumulatorTypes()[0]));
}

SmallVector<Value> MaxWithIndexOp::buildLift(OpBuilder &builder, Location loc,
                                             ValueRange operands) {
  return liftPair(builder, loc, *this, operands);
}

SmallVector<Value> MaxWithIndexOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                                ValueRange rhs) {
  return combinePairs(builder, loc, lhs, rhs, /*greatest=*/true);
}

SmallVector<Value> MaxWithIndexOp::buildFinalize(OpBuilder &builder, Location loc,
                                                 ValueRange accumulators, Value) {
  return finalizePair(builder, loc, *this, accumulators);
}

//===----------------------------------------------------------------------===//
// min_with_index
//===----------------------------------------------------------------------===//

SmallVector<Type> MinWithIndexOp::getAccumulatorTypes() { return getPairTypes(*this); }

SmallVector<Value> MinWithIndexOp::buildIdentity(OpBuilder &builder, Location loc) {
  return buildLast(builder, loc, *this, detail::getGreatestAttr(getAccumulatorTypes()[0]));
}

SmallVector<Value> MinWithIndexOp::buildLift(OpBuilder &builder, Location loc,
                                             ValueRange operands) {
  return liftPair(builder, loc, *this, operands);
}

SmallVector<Value> MinWithIndexOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                                ValueRange rhs) {
  return combinePairs(builder, loc, lhs, rhs, /*greatest=*/false);
}

SmallVector<Value> MinWithIndexOp::buildFinalize(OpBuilder &builder, Location loc,
                                                 ValueRange accumulators, Value) {
  return finalizePair(builder, loc, *this, accumulators);
}
