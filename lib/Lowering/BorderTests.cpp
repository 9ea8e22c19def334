//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparisons of indices that are known except near the borders of tensors.
//
//===----------------------------------------------------------------------===//

#include "BorderTests.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

/// The index of which the value has the bits.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

/// The constants of the lanes, or of a scalar.
static std::optional<SmallVector<int64_t, 4>> getConstants(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return SmallVector<int64_t, 4>{*constant};
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  return llvm::map_to_vector<4>(elements.getValues<APInt>(),
                                [](const APInt &each) { return each.getSExtValue(); });
}

/// An index and a constant for each lane that is added to it.
static std::optional<std::pair<Value, SmallVector<int64_t, 4>>> getLanes(Value value) {
  value = skipCasts(value);
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector)
    return std::pair(value, SmallVector<int64_t, 4>{0});
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  auto base = skipCasts(sum.getLhs()).getDefiningOp<vector::BroadcastOp>();
  std::optional<SmallVector<int64_t, 4>> steps = getConstants(sum.getRhs());
  if (!base || !steps || isa<VectorType>(base.getSource().getType()) ||
      int64_t(steps->size()) != vector.getNumElements())
    return std::nullopt;
  return std::pair(skipCasts(base.getSource()), *steps);
}

/// The indices for which a comparison with a constant has the outcome that is returned next to
/// them. Indices are no less than `least`, which may be below 0, and unsigned comparisons are with
/// constants that are not.
static std::optional<std::pair<Integers, bool>>
getSolutions(arith::CmpIPredicate predicate, int64_t constant, const Integers &range) {
  using P = arith::CmpIPredicate;
  const bool isUnsigned =
      predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  if (isUnsigned && constant < 0)
    return std::nullopt;
  const int64_t first = isUnsigned ? 0 : range.least;
  switch (predicate) {
  case P::eq:
    return std::pair(Integers{constant, constant}, true);
  case P::ne:
    return std::pair(Integers{constant, constant}, false);
  case P::ult:
  case P::slt:
    return std::pair(Integers{first, constant - 1}, true);
  case P::ule:
  case P::sle:
    return std::pair(Integers{first, constant}, true);
  case P::ugt:
  case P::sgt:
    return std::pair(Integers{first, constant}, false);
  case P::uge:
  case P::sge:
    return std::pair(Integers{first, constant - 1}, false);
  }
  return std::nullopt;
}

/// The range of the sum of the terms; nullopt unless it is that of 32-bit integers, in which sums
/// with constants do not wrap.
static std::optional<Integers> getRange(const LinearIndex &index, const LinearIndices &indices,
                                        ValueRanges &ranges) {
  Integers sum{0, 0};
  for (auto [number, multiple] : index.terms) {
    std::optional<Integers> range = ranges.getIntegers(indices.getValue(number));
    if (!range || !llvm::isInt<31>(range->least) || !llvm::isInt<31>(range->greatest) ||
        !llvm::isInt<31>(multiple))
      return std::nullopt;
    const int64_t a = range->least * multiple, b = range->greatest * multiple;
    sum = {sum.least + std::min(a, b), sum.greatest + std::max(a, b)};
    if (!llvm::isInt<31>(sum.least) || !llvm::isInt<31>(sum.greatest))
      return std::nullopt;
  }
  return sum;
}

/// The places for which the least of two indices is the first one, or the second one.
static std::optional<BorderTest> getLeastTest(arith::MinUIOp op, BorderTest test,
                                              const LinearIndex &index, LinearIndices &indices) {
  if (isa<VectorType>(op.getType()))
    return std::nullopt;
  const LinearIndex other = indices.get(skipCasts(op.getRhs()));
  if (other.terms != index.terms || !llvm::isInt<31>(other.constant) ||
      other.constant == index.constant)
    return std::nullopt;
  // Of two indices one of which is below 0, the other one is the least.
  test.outcomeInside = other.constant < index.constant;
  test.lanes.push_back(
      {-std::max(index.constant, other.constant), -std::min(index.constant, other.constant) - 1});
  return test;
}

std::optional<BorderTest> fuser::getBorderTest(Operation &op, LinearIndices &indices,
                                               ValueRanges &ranges) {
  auto comparison = dyn_cast<arith::CmpIOp>(op);
  auto least = dyn_cast<arith::MinUIOp>(op);
  if (!comparison && !least)
    return std::nullopt;
  auto lanes = getLanes(op.getOperand(0));
  if (!lanes || !(lanes->first.getType().isIndex() || lanes->first.getType().isInteger(32)))
    return std::nullopt;
  const LinearIndex index = indices.get(lanes->first);
  std::optional<Integers> range = getRange(index, indices, ranges);
  if (index.terms.empty() || !range || !llvm::isInt<31>(index.constant))
    return std::nullopt;
  BorderTest test{&op, lanes->first, *range, {}, true};
  if (least)
    return getLeastTest(least, std::move(test), index, indices);
  std::optional<SmallVector<int64_t, 4>> constants = getConstants(comparison.getRhs());
  if (!constants || constants->size() != lanes->second.size())
    return std::nullopt;
  for (auto [step, constant] : llvm::zip_equal(lanes->second, *constants)) {
    const int64_t offset = index.constant + step;
    const Integers values{range->least + offset, range->greatest + offset};
    auto solutions = getSolutions(comparison.getPredicate(), constant, values);
    if (!solutions || !llvm::isInt<32>(values.least) || !llvm::isInt<32>(values.greatest))
      return std::nullopt;
    test.outcomeInside = solutions->second;
    test.lanes.push_back({solutions->first.least - offset, solutions->first.greatest - offset});
  }
  return test;
}
