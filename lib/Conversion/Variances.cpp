//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bodies that update a mean and a sum of squared distances by Welford's algorithm.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace {

/// Matches one pair of results:
///   delta = x - mean; mean' = mean + delta / n; squares' = squares + delta * (x - mean')
/// where n counts the elements from 1.
struct WelfordMatcher {
  linalg::GenericOp op;
  /// The running values; `count` is null where the number is computed from the loop.
  BlockArgument mean, squares, count;
  unsigned loop;
  Value x = {};

  bool match(Value newMean, Value newSquares) {
    auto update = newMean.getDefiningOp<arith::AddFOp>();
    Value step = update ? getOther(update, mean) : Value();
    Value delta = step ? getDelta(step) : Value();
    auto difference = delta ? delta.getDefiningOp<arith::SubFOp>() : arith::SubFOp();
    if (!difference || difference.getRhs() != mean)
      return false;
    x = difference.getLhs();
    auto sum = newSquares.getDefiningOp<arith::AddFOp>();
    Value addend = sum ? getOther(sum, squares) : Value();
    auto product = addend ? addend.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
    Value second = product ? getOther(product, delta) : Value();
    auto distance = second ? second.getDefiningOp<arith::SubFOp>() : arith::SubFOp();
    return distance && distance.getLhs() == x && distance.getRhs() == newMean && !uses(x, mean) &&
           !uses(x, squares);
  }

  /// True if `value` is the number of elements up to this one.
  bool isNumber(Value value) {
    if (count && isCountPlusOne(value))
      return true;
    if (auto toFloat = value.getDefiningOp<arith::SIToFPOp>())
      return isNumber(toFloat.getIn());
    if (auto toFloat = value.getDefiningOp<arith::UIToFPOp>())
      return isNumber(toFloat.getIn());
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      return isNumber(cast.getIn());
    Operation *add = value.getDefiningOp();
    if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
      return false;
    for (unsigned one : {0u, 1u})
      if (matchPattern(add->getOperand(one), m_OneFloat()) ||
          matchPattern(add->getOperand(one), m_One()))
        return isIndex(add->getOperand(1 - one));
    return false;
  }

  bool isCountPlusOne(Value value) {
    auto add = value.getDefiningOp<arith::AddFOp>();
    Value one = add ? getOther(add, count) : Value();
    return one && matchPattern(one, m_OneFloat());
  }

private:
  /// The operand of a commutative op that is not `known`; null if `known` is none.
  template <typename OpT> static Value getOther(OpT op, Value known) {
    return op.getLhs() == known ? op.getRhs() : op.getRhs() == known ? op.getLhs() : Value();
  }

  /// delta of delta / n or delta * (1 / n).
  Value getDelta(Value step) {
    if (auto quotient = step.getDefiningOp<arith::DivFOp>())
      return isNumber(quotient.getRhs()) ? quotient.getLhs() : Value();
    auto product = step.getDefiningOp<arith::MulFOp>();
    if (!product)
      return {};
    for (auto [factor, delta] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())}) {
      auto inverse = factor.template getDefiningOp<arith::DivFOp>();
      if (inverse && matchPattern(inverse.getLhs(), m_OneFloat()) && isNumber(inverse.getRhs()))
        return delta;
    }
    return {};
  }

  bool isIndex(Value value) {
    Operation *cast = value.getDefiningOp();
    if (isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp, arith::IndexCastOp, arith::IndexCastUIOp>(
            cast))
      return isIndex(cast->getOperand(0));
    auto index = dyn_cast_or_null<linalg::IndexOp>(cast);
    return index && index.getDim() == loop;
  }

  bool uses(Value value, BlockArgument running) {
    if (value == running)
      return true;
    Operation *user = value.getDefiningOp();
    return user && user->getBlock() == op.getBody() &&
           llvm::any_of(user->getOperands(), [&](Value operand) { return uses(operand, running); });
  }
};

} // namespace

LogicalResult GenericImporter::convertVariance(MutableArrayRef<Value> results) {
  Operation *yield = op.getBody()->getTerminator();
  unsigned count = results.size();
  if (count < 2 || count > 3 || !tapLoops.empty())
    return success();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<BlockArgument> running;
  for (unsigned result = 0; result < count; ++result) {
    OpOperand *init = op.getDpsInitOperand(result);
    TypedAttr initial = im.getUniformConstant(init->get());
    auto zero = dyn_cast_or_null<FloatAttr>(initial);
    if (!zero || !zero.getValue().isZero() || op.getMatchingIndexingMap(init) != map)
      return success();
    running.push_back(op.getMatchingBlockArgument(init));
  }
  FailureOr<Loops> reduced = findReduced(map);
  if (failed(reduced) || reduced->size() != 1 || !isReduction(*reduced))
    return success();
  unsigned loop = reduced->front();
  for (unsigned mean = 0; mean < count; ++mean)
    for (unsigned squares = 0; squares < count; ++squares) {
      if (mean == squares)
        continue;
      unsigned other = 3 - mean - squares;
      WelfordMatcher matcher{op, running[mean], running[squares],
                             count == 3 ? running[other] : BlockArgument(), loop};
      if ((count == 3 && !matcher.isCountPlusOne(yield->getOperand(other))) ||
          !matcher.match(yield->getOperand(mean), yield->getOperand(squares)))
        continue;
      return buildVariance(matcher.x, mean, squares,
                           count == 3 ? std::optional(other) : std::nullopt, *reduced, results);
    }
  return success();
}

LogicalResult GenericImporter::buildVariance(Value x, unsigned mean, unsigned squares,
                                             std::optional<unsigned> number,
                                             ArrayRef<unsigned> reduced,
                                             MutableArrayRef<Value> results) {
  OpBuilder &builder = im.builder;
  values.clear();
  reducing = true;
  Value input = expand(eval(x), loops);
  if (!input)
    return failure();
  Type element = getElementTypeOrSelf(input.getType());
  Loops left = loops;
  llvm::erase_if(left, [&](unsigned loop) { return llvm::is_contained(reduced, loop); });
  int64_t dim = llvm::find(loops, reduced.front()) - loops.begin();
  auto both = VarMeanOp::create(builder, im.loc, input, dim, /*correction=*/0);
  // The number of elements.
  Value size = im.materializeValue(sizes[reduced.front()]);
  if (!size)
    return failure();
  size = arith::IndexCastOp::create(builder, im.loc, builder.getI64Type(), size);
  size = arith::SIToFPOp::create(builder, im.loc, element, size);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(mean));
  Value zero = im.makeScalar(builder.getZeroAttr(element));
  // Of no elements, both are the initial 0.
  auto orZero = [&](Value value) -> Value {
    auto fixed = dyn_cast<AffineConstantExpr>(sizes[reduced.front()]);
    if (fixed && fixed.getValue() > 0)
      return value;
    Value all = im.makeFull(size, llvm::map_to_vector(left, [&](unsigned at) { return sizes[at]; }),
                            element);
    Value isNone = EqOp::create(builder, im.loc, all, zero);
    return WhereOp::create(builder, im.loc, isNone, zero, value);
  };
  Value sum = MulOp::create(builder, im.loc, both.getVariance(), size);
  results[mean] = arrange(orZero(both.getMean()), left, map);
  results[squares] = arrange(orZero(sum), left, map);
  if (number)
    results[*number] =
        arrange(im.makeFull(size, llvm::map_to_vector(left, [&](unsigned at) { return sizes[at]; }),
                            element),
                left, map);
  return success(llvm::all_of(results, [](Value value) { return bool(value); }));
}
