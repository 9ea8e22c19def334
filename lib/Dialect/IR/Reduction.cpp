//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions: verification and combiners.
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
#include "fuser/Dialect/IR/ReductionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult fuser::detail::verifyReductionTypes(Operation *op, Type input, Type result,
                                                  ReductionTypes types) {
  auto fits = [&] {
    bool inputIsFloat = isa<FloatType>(input), resultIsFloat = isa<FloatType>(result);
    switch (types) {
    case ReductionTypes::Additive:
      if (isa<ComplexType>(result))
        return true;
      return resultIsFloat
                 ? isa<FloatType, IntegerType>(input)
                 : isa<IntegerType>(input) && isa<IntegerType>(result) && !result.isInteger(1);
    case ReductionTypes::Equal:
      return input == result && isa<FloatType, IntegerType>(input);
    case ReductionTypes::Float:
      return inputIsFloat && resultIsFloat;
    case ReductionTypes::FloatOrComplex:
      return isa<ComplexType>(result) ? isa<FloatType, ComplexType>(input)
                                      : inputIsFloat && resultIsFloat;
    case ReductionTypes::Test:
      return isa<FloatType, IntegerType, ComplexType>(input) && result.isInteger(1);
    }
    llvm_unreachable("unknown rule");
  };
  if (fits())
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected ");
  switch (types) {
  case ReductionTypes::Additive:
    diagnostic << "a float result of real numbers, an integer result (no i1) of integers or a "
                  "complex result of numbers";
    break;
  case ReductionTypes::Equal:
    diagnostic << "operand and result of one float or integer element type";
    break;
  case ReductionTypes::Float:
    diagnostic << "operand and results of float element types";
    break;
  case ReductionTypes::FloatOrComplex:
    diagnostic << "a float result of floats or a complex result of floats or complex numbers";
    break;
  case ReductionTypes::Test:
    diagnostic << "an operand of numbers and a result of i1";
    break;
  }
  return diagnostic << ", but got " << input << " and " << result;
}

LogicalResult fuser::detail::verifyReductionDims(Operation *op, RankedTensorType type,
                                                 ArrayRef<int64_t> dims) {
  if (dims.empty())
    return op->emitOpError("expected at least one of 'dims', but got none");
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= type.getRank())
      return op->emitOpError("expected 'dims' between 0 and ")
             << type.getRank() - 1 << ", but got " << dim;
    if (index && dim <= dims[index - 1])
      return op->emitOpError("expected 'dims' in ascending order, but got [") << dims << "]";
  }
  return success();
}

LogicalResult fuser::detail::verifyReductionOp(Operation *op, ReductionTypes types) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
  // RD1
  if (failed(verifyReductionDims(op, type, dims)))
    return failure();
  for (Value result : op->getResults()) {
    auto resultType = cast<RankedTensorType>(result.getType());
    // RD2: a domain (rfactor) may say otherwise, then the domain is checked against the type.
    RankedTensorType expected = inferReductionType(op->getOperand(0), dims);
    if (!op->hasAttr("domains") && failed(verifyCompatibleShape(expected, resultType)))
      return op->emitOpError("expected a result of shape [")
             << expected.getShape() << "], but got " << resultType;
    // RD3
    if (failed(verifyReductionTypes(op, type.getElementType(), resultType.getElementType(), types)))
      return failure();
  }
  // RD4
  if (auto correction = op->getAttrOfType<IntegerAttr>("correction"))
    if (correction.getInt() < 0)
      return op->emitOpError("expected 'correction' of at least 0, but got ")
             << correction.getInt();
  return verifyTensorViewOp(op);
}

RankedTensorType fuser::detail::inferReductionType(Value input, ArrayRef<int64_t> dims,
                                                   Type element) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, int64_t(dim)))
      shape.push_back(size);
  return RankedTensorType::get(shape, element ? element : type.getElementType());
}

//===----------------------------------------------------------------------===//
// Tuples: one accumulator, or the two parts of a complex number
//===----------------------------------------------------------------------===//

SmallVector<Type> fuser::detail::getTupleTypes(Type element) {
  if (auto complexType = dyn_cast<ComplexType>(element))
    return SmallVector<Type>(2, complexType.getElementType());
  return {ElementBuilder::getComputeType(element)};
}

SmallVector<Value> fuser::detail::buildTuple(Operation *op, OpBuilder &builder, Location loc,
                                             TypedAttr constant) {
  SmallVector<Value> tuple = {arith::ConstantOp::create(builder, loc, constant)};
  if (computesInComplex(op))
    tuple.push_back(
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(constant.getType())));
  return tuple;
}

SmallVector<Value> fuser::detail::liftToTuple(Operation *op, OpBuilder &builder, Location loc,
                                              Value element) {
  ElementBuilder b(builder, loc, op->getResult(0).getType());
  auto complexType = dyn_cast<ComplexType>(b.resultElement);
  if (!complexType)
    return b.toCompute(element);
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  ElementBuilder::Parts parts = b.getParts(element, from, complexType.getElementType());
  return {parts.real, parts.imaginary};
}

Value fuser::detail::getElementOfTuple(Operation *op, OpBuilder &builder, Location loc,
                                       ValueRange tuple) {
  ElementBuilder b(builder, loc, op->getResult(0).getType());
  return tuple.size() == 2 ? b.pack({tuple[0], tuple[1]}) : b.convertTo(tuple[0], b.resultElement);
}

SmallVector<Value> fuser::detail::combineComplex(ElementBuilder &b, ValueRange lhs, ValueRange rhs,
                                                 ComplexCombination how) {
  if (how == ComplexCombination::Sum)
    return {b.create<arith::AddFOp>({lhs[0], rhs[0]}), b.create<arith::AddFOp>({lhs[1], rhs[1]})};
  auto multiply = [&](Value x, Value y) { return b.create<arith::MulFOp>({x, y}); };
  return {b.create<arith::SubFOp>({multiply(lhs[0], rhs[0]), multiply(lhs[1], rhs[1])}),
          b.create<arith::AddFOp>({multiply(lhs[0], rhs[1]), multiply(lhs[1], rhs[0])})};
}

//===----------------------------------------------------------------------===//
// min, max
//===----------------------------------------------------------------------===//

/// The neutral element of max (`least`) or min.
static TypedAttr getExtremeAttr(Type type, bool least) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat::getInf(floatType.getFloatSemantics(), least));
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1) // bool: false is below true
    return IntegerAttr::get(type, APInt(1, least ? 0 : 1));
  return IntegerAttr::get(type, least ? APInt::getSignedMinValue(width)
                                      : APInt::getSignedMaxValue(width));
}

TypedAttr fuser::detail::getLeastAttr(Type type) { return getExtremeAttr(type, /*least=*/true); }
TypedAttr fuser::detail::getGreatestAttr(Type type) {
  return getExtremeAttr(type, /*least=*/false);
}

//===----------------------------------------------------------------------===//
// MeanOp: a sum, divided at the end
//===----------------------------------------------------------------------===//

SmallVector<Type> MeanOp::getAccumulatorTypes() {
  return fuser::detail::getTupleTypes(getResult().getType().getElementType());
}

SmallVector<Value> MeanOp::buildIdentity(OpBuilder &builder, Location loc) {
  return fuser::detail::buildTuple(*this, builder, loc,
                                   builder.getZeroAttr(getAccumulatorTypes()[0]));
}

SmallVector<Value> MeanOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  return fuser::detail::liftToTuple(*this, builder, loc, operands[0]);
}

SmallVector<Value> MeanOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                        ValueRange rhs) {
  ElementBuilder b(builder, loc, getResult().getType());
  return llvm::map_to_vector(llvm::zip_equal(lhs, rhs), [&](auto pair) {
    return b.create<arith::AddFOp>({std::get<0>(pair), std::get<1>(pair)});
  });
}

SmallVector<Value> MeanOp::buildFinalize(OpBuilder &builder, Location loc, ValueRange accumulators,
                                         Value count) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value divisor = b.splatLike(accumulators[0], b.convertTo(count, getAccumulatorTypes()[0]));
  SmallVector<Value> means = llvm::map_to_vector(
      accumulators, [&](Value sum) { return b.create<arith::DivFOp>({sum, divisor}); });
  return {fuser::detail::getElementOfTuple(*this, builder, loc, means)};
}

//===----------------------------------------------------------------------===//
// VarMeanOp: Welford's algorithm over the tuple (mean, m2, count)
//===----------------------------------------------------------------------===//

SmallVector<Type> VarMeanOp::getAccumulatorTypes() {
  // The operand's type computes as precisely as it can be; results may be narrower.
  return SmallVector<Type>(3,
                           ElementBuilder::getComputeType(getInput().getType().getElementType()));
}

SmallVector<Value> VarMeanOp::buildIdentity(OpBuilder &builder, Location loc) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(getAccumulatorTypes()[0]));
  return {zero, zero, zero};
}

SmallVector<Value> VarMeanOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Value x = b.convertTo(operands[0], b.resultElement);
  return {x, b.constantLike(x, 0), b.constantLike(x, 1)};
}

SmallVector<Value> VarMeanOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                           ValueRange rhs) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Value mean = lhs[0], m2 = lhs[1], count = b.create<arith::AddFOp>({lhs[2], rhs[2]});
  // The weight of rhs; 0 where both are empty.
  Value zero = b.constantLike(count, 0);
  Value weight = b.create<arith::DivFOp>({rhs[2], count});
  weight = b.select(b.compare(arith::CmpFPredicate::OEQ, count, zero), zero, weight);
  Value delta = b.create<arith::SubFOp>({rhs[0], mean});
  Value step = b.create<arith::MulFOp>({delta, weight});
  mean = b.create<arith::AddFOp>({mean, step});
  // delta^2 * lhs.count * weight
  Value cross = b.create<arith::MulFOp>({b.create<arith::MulFOp>({delta, lhs[2]}), step});
  m2 = b.create<arith::AddFOp>({b.create<arith::AddFOp>({m2, rhs[1]}), cross});
  return {mean, m2, count};
}

SmallVector<Value> VarMeanOp::buildAccumulate(OpBuilder &builder, Location loc,
                                              ValueRange accumulators, ValueRange operands) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Value x = b.convertTo(operands[0], b.resultElement);
  Value count = b.create<arith::AddFOp>({accumulators[2], b.constantLike(x, 1)});
  Value delta = b.create<arith::SubFOp>({x, accumulators[0]});
  Value mean = b.create<arith::AddFOp>({accumulators[0], b.create<arith::DivFOp>({delta, count})});
  Value square = b.create<arith::MulFOp>({delta, b.create<arith::SubFOp>({x, mean})});
  return {mean, b.create<arith::AddFOp>({accumulators[1], square}), count};
}

SmallVector<Value> VarMeanOp::buildFinalize(OpBuilder &builder, Location loc,
                                            ValueRange accumulators, Value count) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Value divisor = b.convertTo(count, b.resultElement);
  divisor = b.create<arith::SubFOp>({divisor, b.constantLike(divisor, getCorrection())});
  divisor = b.maximum(divisor, b.constantLike(divisor, 0));
  Value variance =
      b.create<arith::DivFOp>({accumulators[1], b.splatLike(accumulators[1], divisor)});
  // Where there is nothing the tuple's mean is 0, but there is none.
  Value none =
      b.compare(arith::CmpIPredicate::eq, count, arith::ConstantIndexOp::create(builder, loc, 0));
  Value nan = b.constantLike(accumulators[0], std::numeric_limits<double>::quiet_NaN());
  Value mean = b.select(none, nan, accumulators[0]);
  return {b.convertTo(variance, getVariance().getType().getElementType()),
          b.convertTo(mean, getMean().getType().getElementType())};
}
