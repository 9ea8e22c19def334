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

/// The element accumulates in its compute type, and the index in its own type.
SmallVector<Type> fuser::detail::getIndexedAccumulators(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  return {ElementBuilder::getComputeType(element),
          getElementTypeOrSelf(op->getOperand(1).getType())};
}

/// The identity loses against every element: for equal elements the smaller index wins.
SmallVector<Value> fuser::detail::buildIndexedIdentity(Operation *op, OpBuilder &builder,
                                                       Location loc, Extreme extreme) {
  SmallVector<Type> types = getIndexedAccumulators(op);
  TypedAttr element =
      extreme == Extreme::Greatest ? getLeastAttr(types[0]) : getGreatestAttr(types[0]);
  APInt last = APInt::getSignedMaxValue(types[1].getIntOrFloatBitWidth());
  return {arith::ConstantOp::create(builder, loc, element),
          arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(types[1], last))};
}

SmallVector<Value> fuser::detail::liftIndexed(Operation *op, OpBuilder &builder, Location loc,
                                              ValueRange operands) {
  Type element = getIndexedAccumulators(op)[0];
  return {ElementBuilder(builder, loc, element).convertTo(operands[0], element), operands[1]};
}

SmallVector<Value> fuser::detail::combineIndexed(OpBuilder &builder, Location loc, ValueRange lhs,
                                                 ValueRange rhs, Extreme extreme) {
  const bool greatest = extreme == Extreme::Greatest;
  ElementBuilder b(builder, loc, lhs[0].getType());
  Value earlier = b.compare(CmpIPredicate::slt, rhs[1], lhs[1]);
  Value beats, reaches;
  if (b.isFloat(lhs[0])) {
    // NaN is beyond every number: an unordered comparison holds for it, unless lhs is NaN as well.
    Value lhsIsNumber = b.compare(CmpFPredicate::ORD, lhs[0], lhs[0]);
    Value rhsIsNan = b.compare(CmpFPredicate::UNO, rhs[0], rhs[0]);
    beats = b.create<arith::AndIOp>(
        {b.compare(greatest ? CmpFPredicate::UGT : CmpFPredicate::ULT, rhs[0], lhs[0]),
         lhsIsNumber});
    reaches = b.create<arith::AndIOp>(
        {b.compare(greatest ? CmpFPredicate::UGE : CmpFPredicate::ULE, rhs[0], lhs[0]),
         b.create<arith::OrIOp>({lhsIsNumber, rhsIsNan})});
  } else {
    beats = b.compare(greatest ? CmpIPredicate::sgt : CmpIPredicate::slt, rhs[0], lhs[0]);
    reaches = b.compare(greatest ? CmpIPredicate::sge : CmpIPredicate::sle, rhs[0], lhs[0]);
  }
  Value takesRhs = b.create<arith::OrIOp>({beats, b.create<arith::AndIOp>({reaches, earlier})});
  return {b.select(takesRhs, rhs[0], lhs[0]), b.select(takesRhs, rhs[1], lhs[1])};
}

SmallVector<Value> fuser::detail::finalizeIndexed(Operation *op, OpBuilder &builder, Location loc,
                                                  ValueRange accumulators) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return {ElementBuilder(builder, loc, element).convertTo(accumulators[0], element),
          accumulators[1]};
}
