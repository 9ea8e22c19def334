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
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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
    case ReductionTypes::FloatOrComplex:
      return isa<ComplexType>(result) ? isa<FloatType, ComplexType>(input)
                                      : inputIsFloat && resultIsFloat;
    case ReductionTypes::Test:
      return isa<FloatType, IntegerType, ComplexType>(input) && result.isInteger(1);
    case ReductionTypes::Float:
      return input == result && inputIsFloat;
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
  case ReductionTypes::FloatOrComplex:
    diagnostic << "a float result of floats or a complex result of floats or complex numbers";
    break;
  case ReductionTypes::Test:
    diagnostic << "an operand of numbers and a result of i1";
    break;
  case ReductionTypes::Float:
    diagnostic << "operand and result of one float element type";
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

/// RD1, RD2
static LogicalResult verifyReducedShapes(Operation *op) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
  // RD1
  if (failed(fuser::detail::verifyReductionDims(op, type, dims)))
    return failure();
  // RD2: with a domain (rfactor), the domain is checked against the type instead.
  if (op->hasAttr("domains"))
    return success();
  RankedTensorType expected = fuser::detail::inferReductionType(op->getOperand(0), dims);
  for (Type result : op->getResultTypes())
    if (failed(verifyCompatibleShape(expected, cast<RankedTensorType>(result))))
      return op->emitOpError("expected a result of shape [")
             << expected.getShape() << "], but got " << result;
  return success();
}

LogicalResult fuser::detail::verifyReductionOp(Operation *op, ReductionTypes types) {
  if (failed(verifyReducedShapes(op)))
    return failure();
  // RD3
  Type input = getElementTypeOrSelf(op->getOperand(0).getType());
  for (Type result : op->getResultTypes())
    if (failed(verifyReductionTypes(op, input, getElementTypeOrSelf(result), types)))
      return failure();
  return verifyTensorViewOp(op);
}

LogicalResult fuser::detail::verifyVarMeanOp(Operation *op) {
  if (failed(verifyReducedShapes(op)))
    return failure();
  // RD3
  Type input = getElementTypeOrSelf(op->getOperand(0).getType());
  Type variance = getElementTypeOrSelf(op->getResult(0).getType());
  Type mean = getElementTypeOrSelf(op->getResult(1).getType());
  bool isMean = isa<FloatType>(input) ? isa<FloatType>(mean)
                                      : isa<ComplexType>(input) && isa<ComplexType>(mean);
  if (!isa<FloatType>(variance) || !isMean)
    return op->emitOpError("expected a float variance and a mean like the operand, of floats or "
                           "of complex numbers, but got ")
           << variance << " and " << mean << " of " << input;
  // RD4
  int64_t correction = op->getAttrOfType<IntegerAttr>("correction").getInt();
  if (correction < 0)
    return op->emitOpError("expected 'correction' of at least 0, but got ") << correction;
  return verifyTensorViewOp(op);
}

LogicalResult fuser::detail::verifyMaxSumExpOp(Operation *op) {
  if (failed(verifyReducedShapes(op)))
    return failure();
  // RD6
  Type input = getElementTypeOrSelf(op->getOperand(0).getType());
  Type maximum = getElementTypeOrSelf(op->getResult(0).getType());
  Type sum = getElementTypeOrSelf(op->getResult(1).getType());
  if (!isa<FloatType>(input) || maximum != input || sum != input)
    return op->emitOpError("expected an operand and results of one float type, but got ")
           << input << ", " << maximum << " and " << sum;
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
// VarMeanOp: Welford's algorithm over the tuple (mean, m2, count), the mean in two parts where it
// is complex
//===----------------------------------------------------------------------===//

namespace {
/// Values that the tuple holds, or that make one.
struct Moments {
  SmallVector<Value> mean;
  /// The sum of squared distances from the mean.
  Value m2;
  Value count;

  explicit Moments(ValueRange tuple)
      : mean(tuple.drop_back(2)), m2(tuple[tuple.size() - 2]), count(tuple.back()) {}
  SmallVector<Value> toTuple() const {
    SmallVector<Value> tuple = mean;
    tuple.append({m2, count});
    return tuple;
  }
};
} // namespace

/// One sum of squares and the others, in order.
static Value addAll(ElementBuilder &b, Value sum, ValueRange others) {
  for (Value other : others)
    sum = b.create<arith::AddFOp>({sum, other});
  return sum;
}

SmallVector<Type> VarMeanOp::getAccumulatorTypes() {
  // The operand's type computes at the highest available precision; results may be narrower.
  Type element = getInput().getType().getElementType();
  Type part = ElementBuilder::getComputeType(fuser::detail::getPartType(element));
  return SmallVector<Type>(isa<ComplexType>(element) ? 4 : 3, part);
}

SmallVector<Value> VarMeanOp::buildIdentity(OpBuilder &builder, Location loc) {
  SmallVector<Type> types = getAccumulatorTypes();
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(types[0]));
  return SmallVector<Value>(types.size(), zero);
}

/// The parts of an element of the operand, in the type of the accumulators.
static SmallVector<Value> getPartsOfElement(VarMeanOp op, ElementBuilder &b, Value element) {
  Type type = op.getInput().getType().getElementType();
  if (!isa<ComplexType>(type))
    return {b.convertTo(element, b.resultElement)};
  ElementBuilder::Parts parts = b.getParts(element, type, b.resultElement);
  return {parts.real, parts.imaginary};
}

SmallVector<Value> VarMeanOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  SmallVector<Value> tuple = getPartsOfElement(*this, b, operands[0]);
  tuple.append({b.constantLike(tuple[0], 0), b.constantLike(tuple[0], 1)});
  return tuple;
}

SmallVector<Value> VarMeanOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                           ValueRange rhs) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Moments all(lhs), more(rhs);
  Value count = b.create<arith::AddFOp>({all.count, more.count});
  // The weight of rhs; 0 if both are empty.
  Value zero = b.constantLike(count, 0);
  Value weight = b.create<arith::DivFOp>({more.count, count});
  weight = b.select(b.compare(arith::CmpFPredicate::OEQ, count, zero), zero, weight);
  SmallVector<Value> squares = {more.m2};
  for (auto [mean, other] : llvm::zip_equal(all.mean, more.mean)) {
    Value delta = b.create<arith::SubFOp>({other, mean});
    Value step = b.create<arith::MulFOp>({delta, weight});
    mean = b.create<arith::AddFOp>({mean, step});
    // delta^2 * lhs.count * weight
    Value scaled = b.create<arith::MulFOp>({delta, all.count});
    squares.push_back(b.create<arith::MulFOp>({scaled, step}));
  }
  all.m2 = addAll(b, all.m2, squares);
  all.count = count;
  return all.toTuple();
}

SmallVector<Value> VarMeanOp::buildAccumulate(OpBuilder &builder, Location loc,
                                              ValueRange accumulators, ValueRange operands) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Moments all(accumulators);
  SmallVector<Value> parts = getPartsOfElement(*this, b, operands[0]), squares;
  // The lanes of a vector have accumulated as many elements: one division serves all of them.
  Value count = all.count;
  if (isa<VectorType>(count.getType()))
    count = vector::ExtractOp::create(builder, loc, count, int64_t(0));
  Value one = b.constantLike(count, 1);
  count = b.create<arith::AddFOp>({count, one});
  // It may be off by a unit: the step is rounded, too.
  Value reciprocal = b.create<arith::DivFOp>({one, count});
  reciprocal.getDefiningOp<arith::DivFOp>().setFastmath(arith::FastMathFlags::afn);
  Value weight = b.splatLike(all.count, reciprocal);
  all.count = b.splatLike(all.count, count);
  for (auto [x, mean] : llvm::zip_equal(parts, all.mean)) {
    Value delta = b.create<arith::SubFOp>({x, mean});
    mean = b.create<arith::AddFOp>({mean, b.create<arith::MulFOp>({delta, weight})});
    squares.push_back(b.create<arith::MulFOp>({delta, b.create<arith::SubFOp>({x, mean})}));
  }
  all.m2 = addAll(b, all.m2, squares);
  return all.toTuple();
}

SmallVector<Value> VarMeanOp::buildFinalize(OpBuilder &builder, Location loc,
                                            ValueRange accumulators, Value count) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Moments all(accumulators);
  Value divisor = b.convertTo(count, b.resultElement);
  divisor = b.create<arith::SubFOp>({divisor, b.constantLike(divisor, getCorrection())});
  divisor = b.maximum(divisor, b.constantLike(divisor, 0));
  Value variance = b.create<arith::DivFOp>({all.m2, b.splatLike(all.m2, divisor)});
  // For no elements the tuple's mean is 0, but the result is NaN.
  Value none =
      b.compare(arith::CmpIPredicate::eq, count, arith::ConstantIndexOp::create(builder, loc, 0));
  Value nan = b.constantLike(variance, std::numeric_limits<double>::quiet_NaN());
  Type result = getMean().getType().getElementType();
  SmallVector<Value> mean = llvm::map_to_vector(all.mean, [&](Value part) {
    return b.convertTo(b.select(none, nan, part), fuser::detail::getPartType(result));
  });
  return {b.convertTo(variance, getVariance().getType().getElementType()),
          mean.size() == 2 ? b.pack({mean[0], mean[1]}) : mean[0]};
}

//===----------------------------------------------------------------------===//
// MaxSumExpOp: the tuple (max, sum of exp(x - max)). A maximum starts at the lowest finite number,
// so that -inf is an element like any other, and distances are numbers: the tuple of an element is
// combined with one that began with the identity. The sum is 0 until the first element above -inf.
//===----------------------------------------------------------------------===//

SmallVector<Type> MaxSumExpOp::getAccumulatorTypes() {
  return SmallVector<Type>(2,
                           ElementBuilder::getComputeType(getInput().getType().getElementType()));
}

SmallVector<Value> MaxSumExpOp::buildIdentity(OpBuilder &builder, Location loc) {
  auto type = cast<FloatType>(getAccumulatorTypes()[0]);
  auto create = [&](const APFloat &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  };
  return {create(APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true)),
          create(APFloat::getZero(type.getFloatSemantics()))};
}

SmallVector<Value> MaxSumExpOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Value element = b.convertTo(operands[0], b.resultElement);
  return {element, b.constantLike(element, 1)};
}

SmallVector<Value> MaxSumExpOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                             ValueRange rhs) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  return detail::combineMaxSumExp(b, lhs, rhs);
}

SmallVector<Value> fuser::detail::combineMaxSumExp(ElementBuilder &b, ValueRange lhs,
                                                   ValueRange rhs) {
  // One exponential: of the smaller maximum less the greater. The error of a short one, up to
  // distance * 2^-24, is scaled by exp(-distance) and added to a sum of at least 1.
  Value distance = b.create<arith::SubFOp>({rhs[0], lhs[0]});
  Value factor =
      b.create<math::ExpOp>({b.create<arith::NegFOp>({b.create<math::AbsFOp>({distance})})});
  factor.getDefiningOp<math::ExpOp>().setFastmath(arith::FastMathFlags::afn);
  Value isGreater = b.compare(arith::CmpFPredicate::OGT, distance, b.constantLike(distance, 0));
  Value scaled = b.select(isGreater, lhs[1], rhs[1]), other = b.select(isGreater, rhs[1], lhs[1]);
  return {b.maximum(lhs[0], rhs[0]), b.create<math::FmaOp>({scaled, factor, other})};
}

SmallVector<Value> MaxSumExpOp::buildFinalize(OpBuilder &builder, Location loc,
                                              ValueRange accumulators, Value count) {
  ElementBuilder b(builder, loc, getAccumulatorTypes()[0]);
  Value maximum = accumulators[0], sum = accumulators[1];
  Value infinity = b.constantLike(maximum, std::numeric_limits<double>::infinity());
  Value isUnset = b.compare(arith::CmpFPredicate::OEQ, sum, b.constantLike(sum, 0));
  maximum = b.select(isUnset, b.create<arith::NegFOp>({infinity}), maximum);
  Value isInfinite =
      b.compare(arith::CmpFPredicate::OEQ, b.create<math::AbsFOp>({maximum}), infinity);
  // Of no elements, the sum is 0.
  Value zero = b.constantLike(sum, 0);
  Value nan = b.constantLike(sum, std::numeric_limits<double>::quiet_NaN());
  Value none =
      b.compare(arith::CmpIPredicate::eq, count, arith::ConstantIndexOp::create(builder, loc, 0));
  sum = b.select(isInfinite, b.select(none, zero, nan), sum);
  Type element = getSum().getType().getElementType();
  return {b.convertTo(maximum, element), b.convertTo(sum, element)};
}
