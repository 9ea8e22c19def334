//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Contractions: verification, domain mappings, combiners.
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
#include "fuser/Dialect/IR/ContractionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What contractions share
//===----------------------------------------------------------------------===//

static bool differ(int64_t a, int64_t b) {
  return a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b);
}

/// CT2
static LogicalResult verifyContracted(Operation *op, RankedTensorType lhs, int64_t lhsDim,
                                      RankedTensorType rhs, int64_t rhsDim) {
  int64_t a = lhs.getDimSize(lhsDim), b = rhs.getDimSize(rhsDim);
  if (!differ(a, b))
    return success();
  return op->emitOpError("expected contracted dimensions of one size, but got ")
         << a << " (dimension " << lhsDim << " of " << lhs << ") and " << b << " (dimension "
         << rhsDim << " of " << rhs << ")";
}

/// CT4
static LogicalResult verifyShape(Operation *op, Type result, ArrayRef<int64_t> shape) {
  if (succeeded(verifyCompatibleShape(shape, cast<RankedTensorType>(result).getShape())))
    return success();
  return op->emitOpError("expected a result of shape ")
         << RankedTensorType::get(shape, getElementTypeOrSelf(result)) << ", but got " << result;
}

/// CT5
static LogicalResult verifyElements(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType()),
       result = getElementTypeOrSelf(op->getResult(0).getType());
  for (OpOperand &operand : op->getOpOperands())
    if (getElementTypeOrSelf(operand.get().getType()) != element)
      return op->emitOpError("expected operand ")
             << operand.getOperandNumber() << " with element type " << element << ", but got "
             << getElementTypeOrSelf(operand.get().getType());
  bool floats = isa<FloatType>(element) && isa<FloatType>(result);
  bool integers = isa<IntegerType>(element) && isa<IntegerType>(result) && !result.isInteger(1);
  if (!floats && !integers)
    return op->emitOpError("expected operands and result of floats, or of integers (no i1 as "
                           "result), but got ")
           << element << " and " << result;
  return success();
}

/// The kinds of the result's dimensions, and of k.
static SmallVector<IdKind> getKindsWithK(Operation *op) {
  SmallVector<IdKind> kinds = fuser::detail::getKindsOfResult(op);
  kinds.push_back(IdKind::Reduction);
  return kinds;
}

/// The product of two elements in the accumulator's type.
static Value buildProduct(ElementBuilder &b, ValueRange operands) {
  SmallVector<Value> x = b.toCompute(operands.take_front(2));
  return b.apply<arith::MulFOp, arith::MulIOp>({x[0], x[1]});
}

static Value buildSum(ElementBuilder &b, Value lhs, Value rhs) {
  return b.apply<arith::AddFOp, arith::AddIOp>({lhs, rhs});
}

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> MatmulOp::getRootKinds() { return getKindsWithK(*this); }

SmallVector<DimMap> MatmulOp::getDimMaps(unsigned operandNumber) {
  auto type = cast<RankedTensorType>(getOperand(operandNumber).getType());
  auto result = getResult().getType();
  unsigned m = result.getRank() - 2, n = m + 1, k = m + 2;
  SmallVector<DimMap> maps;
  // Batch dimensions count from the right.
  unsigned batch = type.getRank() - 2;
  for (unsigned dim = 0; dim < batch; ++dim) {
    unsigned id = m - batch + dim;
    maps.push_back(type.getDimSize(dim) == 1 && result.getDimSize(id) != 1 ? DimMap::broadcast(id)
                                                                           : DimMap::mapped(id));
  }
  maps.push_back(DimMap::mapped(operandNumber == 0 ? m : k));
  maps.push_back(DimMap::mapped(operandNumber == 0 ? k : n));
  return maps;
}

SmallVector<Type> MatmulOp::getAccumulatorTypes() {
  return {ElementBuilder::getComputeType(getResult().getType().getElementType())};
}

SmallVector<Value> MatmulOp::buildIdentity(OpBuilder &builder, Location loc) {
  return {arith::ConstantOp::create(builder, loc, builder.getZeroAttr(getAccumulatorTypes()[0]))};
}

SmallVector<Value> MatmulOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  return {buildProduct(b, operands)};
}

SmallVector<Value> MatmulOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                          ValueRange rhs) {
  ElementBuilder b(builder, loc, getResult().getType());
  return {buildSum(b, lhs[0], rhs[0])};
}

SmallVector<Value> MatmulOp::buildFinalize(OpBuilder &builder, Location loc,
                                           ValueRange accumulators, Value count) {
  ElementBuilder b(builder, loc, getResult().getType());
  return {b.convertTo(accumulators[0], b.resultElement)};
}

/// CT3: the batch dimensions (all but the last two) of both operands broadcast; nullopt where they
/// do not.
static std::optional<SmallVector<int64_t>> getBatchShape(ArrayRef<int64_t> lhs,
                                                         ArrayRef<int64_t> rhs) {
  lhs = lhs.drop_back(2);
  rhs = rhs.drop_back(2);
  if (lhs.empty() || rhs.empty())
    return SmallVector<int64_t>(lhs.empty() ? rhs : lhs);
  SmallVector<int64_t> shape;
  for (auto [a, b] : llvm::zip(lhs, rhs)) {
    if (a != 1 && b != 1 && differ(a, b))
      return std::nullopt;
    shape.push_back(a == 1 || (ShapedType::isDynamic(a) && b != 1) ? b : a);
  }
  return shape;
}

LogicalResult MatmulOp::verify() {
  auto lhs = getLhs().getType(), rhs = getRhs().getType();
  int64_t lhsRank = lhs.getRank(), rhsRank = rhs.getRank();
  // CT1
  if (lhsRank < 2 || rhsRank < 2 || (lhsRank != rhsRank && lhsRank != 2 && rhsRank != 2))
    return emitOpError("expected operands of one rank of at least 2, or one of rank 2, but got ")
           << lhs << " and " << rhs;
  if (failed(verifyContracted(*this, lhs, lhsRank - 1, rhs, rhsRank - 2)))
    return failure();
  // CT3
  std::optional<SmallVector<int64_t>> shape = getBatchShape(lhs.getShape(), rhs.getShape());
  if (!shape)
    return emitOpError("expected batch dimensions that are equal or 1, but got ")
           << lhs << " and " << rhs;
  shape->push_back(lhs.getDimSize(lhsRank - 2));
  shape->push_back(rhs.getDimSize(rhsRank - 1));
  if (failed(verifyShape(*this, getResult().getType(), *shape)) || failed(verifyElements(*this)))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// LinearOp: the tuple (sum), or (sum, bias). The bias is the same for every k, so that any of two
// values is correct; the maximum with -inf (the least integer) as the identity is commutative.
//===----------------------------------------------------------------------===//

SmallVector<IdKind> LinearOp::getRootKinds() { return getKindsWithK(*this); }

SmallVector<DimMap> LinearOp::getDimMaps(unsigned operandNumber) {
  unsigned n = getResult().getType().getRank() - 1, k = n + 1;
  if (operandNumber == 1)
    return {DimMap::mapped(n), DimMap::mapped(k)};
  if (operandNumber == 2)
    return {DimMap::mapped(n)};
  SmallVector<DimMap> maps = fuser::detail::getIdentityDimMaps(*this, 0);
  maps.back() = DimMap::mapped(k);
  return maps;
}

SmallVector<Type> LinearOp::getAccumulatorTypes() {
  Type type = ElementBuilder::getComputeType(getResult().getType().getElementType());
  return SmallVector<Type>(getBias() ? 2 : 1, type);
}

SmallVector<Value> LinearOp::buildIdentity(OpBuilder &builder, Location loc) {
  Type type = getAccumulatorTypes()[0];
  SmallVector<Value> identity = {
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type))};
  if (getBias())
    identity.push_back(arith::ConstantOp::create(builder, loc, fuser::detail::getLeastAttr(type)));
  return identity;
}

SmallVector<Value> LinearOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> tuple = {buildProduct(b, operands)};
  if (getBias())
    tuple.push_back(b.toCompute(operands[2])[0]);
  return tuple;
}

SmallVector<Value> LinearOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                          ValueRange rhs) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> tuple = {buildSum(b, lhs[0], rhs[0])};
  if (getBias())
    tuple.push_back(b.maximum(lhs[1], rhs[1]));
  return tuple;
}

SmallVector<Value> LinearOp::buildAccumulate(OpBuilder &builder, Location loc,
                                             ValueRange accumulators, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> tuple = {buildSum(b, accumulators[0], buildProduct(b, operands))};
  if (getBias())
    tuple.push_back(b.toCompute(operands[2])[0]);
  return tuple;
}

SmallVector<Value> LinearOp::buildFinalize(OpBuilder &builder, Location loc,
                                           ValueRange accumulators, Value count) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value sum = getBias() ? buildSum(b, accumulators[0], accumulators[1]) : accumulators[0];
  return {b.convertTo(sum, b.resultElement)};
}

/// Without any k, no iteration reads the bias.
SmallVector<std::pair<AffineExpr, AffineExpr>>
LinearOp::getRequiredBounds(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                            function_ref<AffineExpr(Value)>) {
  if (!getBias())
    return {};
  return {{getAffineConstantExpr(1, getContext()), operandExtents[0].back()}};
}

LogicalResult LinearOp::verify() {
  auto input = getInput().getType(), weight = getWeight().getType();
  // CT1
  if (input.getRank() < 1 || weight.getRank() != 2)
    return emitOpError("expected an operand of rank 1 or more and a weight of rank 2, but got ")
           << input << " and " << weight;
  if (failed(verifyContracted(*this, input, input.getRank() - 1, weight, 1)))
    return failure();
  if (getBias()) {
    auto bias = getBias().getType();
    // CT1
    if (bias.getRank() != 1)
      return emitOpError("expected a bias of rank 1, but got ") << bias;
    // CT4
    if (differ(bias.getDimSize(0), weight.getDimSize(0)))
      return emitOpError("expected a bias of size ")
             << weight.getDimSize(0) << " like the weight's rows, but got " << bias;
    // CT2
    if (input.getShape().back() == 0)
      return emitOpError("expected a contracted dimension of at least 1 with a bias, but got 0");
  }
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = weight.getDimSize(0);
  if (failed(verifyShape(*this, getResult().getType(), shape)) || failed(verifyElements(*this)))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// SdpaOp: over [b..., l, f]; the second result drops f
//===----------------------------------------------------------------------===//

SmallVector<IdKind> SdpaOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

DomainAttr SdpaOp::getTrivialDomain(unsigned result) {
  SmallVector<IdKind> kinds = getRootKinds();
  if (result == 1)
    kinds.back() = IdKind::Reduction;
  return DomainBuilder(getContext(), kinds).build();
}

SmallVector<DimMap> SdpaOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps = fuser::detail::getIdentityDimMaps(*this, operandNumber);
  unsigned last = maps.size() - 1;
  if (operandNumber != 2) // e is contracted
    maps[last] = DimMap::whole();
  if (operandNumber != 0) // every row of k and v is read
    maps[last - 1] = DimMap::whole();
  return maps;
}

/// Two passes over the scores of a row: the first computes the maximum, the second the sums. Scores
/// are recomputed in the second pass and for each column of the output.
SmallVector<Value> SdpaOp::buildElements(OpBuilder &builder, Location loc, ElementReader &reader) {
  ElementBuilder b(builder, loc, getQuery().getType());
  Type compute = ElementBuilder::getComputeType(b.resultElement);
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(compute, value));
  };
  unsigned l = getQuery().getType().getRank() - 2, e = l + 1;
  Value zero = constant(0), depth = reader.getExtent(0, e), rows = reader.getExtent(1, l);
  if (getCausal()) {
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value upTo = arith::AddIOp::create(builder, loc, reader.getRootIndex(l), one);
    rows = arith::MinUIOp::create(builder, loc, rows, upTo);
  }
  Value scale = getScale()
                    ? constant(getScale()->convertToDouble())
                    : b.create<arith::DivFOp>(
                          {constant(1), b.create<math::SqrtOp>(b.convertTo(depth, compute))});

  auto read = [&](unsigned operand, ValueRange whole) {
    return b.convertTo(reader.read(operand, whole).value, compute);
  };
  auto buildScore = [&](Value row) {
    SmallVector<Value> dot =
        reader.loop(depth, zero, [&](Value at, ValueRange sum) -> SmallVector<Value> {
          Value product = b.create<arith::MulFOp>({read(0, at), read(1, {row, at})});
          return {b.create<arith::AddFOp>({sum[0], product})};
        });
    return b.create<arith::MulFOp>({dot[0], scale});
  };
  Value lowest = constant(-std::numeric_limits<double>::infinity());
  Value largest = reader.loop(rows, lowest, [&](Value row, ValueRange so) -> SmallVector<Value> {
    return {b.maximum(so[0], buildScore(row))};
  })[0];
  SmallVector<Value> sums =
      reader.loop(rows, {zero, zero}, [&](Value row, ValueRange so) -> SmallVector<Value> {
        Value distance = b.create<arith::SubFOp>({buildScore(row), largest});
        Value weight = b.create<math::ExpOp>(distance);
        Value product = b.create<arith::MulFOp>({weight, read(2, row)});
        return {b.create<arith::AddFOp>({so[0], weight}),
                b.create<arith::AddFOp>({so[1], product})};
      });
  Value none =
      b.compare(arith::CmpIPredicate::eq, rows, arith::ConstantIndexOp::create(builder, loc, 0));
  Value output = b.select(none, zero, b.create<arith::DivFOp>({sums[1], sums[0]}));
  Value logSumExp = b.create<arith::AddFOp>({largest, b.create<math::LogOp>(sums[0])});
  return {b.convertTo(output, getOutput().getType().getElementType()), logSumExp};
}

LogicalResult SdpaOp::verify() {
  auto query = getQuery().getType(), key = getKey().getType(), value = getValue().getType();
  int64_t rank = query.getRank();
  // CT1
  if (rank < 2 || key.getRank() != rank || value.getRank() != rank)
    return emitOpError("expected operands of one rank of at least 2, but got ")
           << query << ", " << key << " and " << value;
  // CT2
  if (failed(verifyContracted(*this, query, rank - 1, key, rank - 1)) ||
      failed(verifyContracted(*this, key, rank - 2, value, rank - 2)))
    return failure();
  // CT3
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (differ(query.getDimSize(dim), key.getDimSize(dim)) ||
        differ(query.getDimSize(dim), value.getDimSize(dim)))
      return emitOpError("expected batch dimensions that are equal, but got ")
             << query << ", " << key << " and " << value;
  // CT4
  SmallVector<int64_t> shape(query.getShape());
  shape.back() = value.getShape().back();
  if (failed(verifyShape(*this, getOutput().getType(), shape)))
    return failure();
  shape.pop_back();
  if (failed(verifyShape(*this, getLogSumExp().getType(), shape)))
    return failure();
  // CT5
  Type element = query.getElementType(), compute = ElementBuilder::getComputeType(element);
  if (failed(verifyElements(*this)) ||
      failed(fuser::detail::verifyElementClass(*this, element, fuser::detail::ElementClass::Float)))
    return failure();
  if (getLogSumExp().getType().getElementType() != compute)
    return emitOpError("expected a log-sum-exp with element type ")
           << compute << ", but got " << getLogSumExp().getType().getElementType();
  return fuser::detail::verifyTensorViewOp(*this);
}
