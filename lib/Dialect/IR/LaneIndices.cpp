//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaneIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// Larger divisors are not of interest.
static constexpr int64_t kGreatestDivisor = 64;

static int64_t getPowerOfTwo(int64_t number) {
  return number == 0 ? kGreatestDivisor
                     : std::min<int64_t>(kGreatestDivisor,
                                         int64_t(1) << llvm::countr_zero(uint64_t(number)));
}

static LaneIndices getConstant(DenseIntElementsAttr elements) {
  SmallVector<int64_t> lanes;
  for (const APInt &element : elements.getValues<APInt>())
    lanes.push_back(element.getSExtValue());
  const int64_t first = lanes.front();
  for (int64_t &lane : lanes)
    lane -= first;
  return {std::move(lanes), getPowerOfTwo(first)};
}

static LaneIndices add(const LaneIndices &lhs, const LaneIndices &rhs, int64_t sign) {
  LaneIndices sum;
  sum.divisor = std::min(lhs.divisor, rhs.divisor);
  if (lhs.offsets && rhs.offsets) {
    sum.offsets = *lhs.offsets;
    for (auto [offset, other] : llvm::zip_equal(*sum.offsets, *rhs.offsets))
      offset += sign * other;
  }
  return sum;
}

static bool isUniform(const LaneIndices &lanes) {
  return lanes.offsets && llvm::all_of(*lanes.offsets, [](int64_t offset) { return offset == 0; });
}

static LaneIndices multiply(Value left, Value right) {
  const LaneIndices lhs = LaneIndices::get(left), rhs = LaneIndices::get(right);
  LaneIndices product;
  product.divisor = std::min(kGreatestDivisor, lhs.divisor * rhs.divisor);
  APInt factor;
  if (isUniform(lhs) && isUniform(rhs)) {
    product.offsets = lhs.offsets;
  } else if (lhs.offsets && matchPattern(right, m_ConstantInt(&factor)) &&
             factor.getSignificantBits() <= 32) {
    product.offsets = lhs.offsets;
    for (int64_t &offset : *product.offsets)
      offset *= factor.getSExtValue();
  }
  return product;
}

LaneIndices LaneIndices::get(Value value) {
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.getNumElements() > 0)
    return getConstant(elements);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {SmallVector<int64_t>{0}, getPowerOfTwo(constant.getSExtValue())};
  LaneIndices unknown;
  if (!isa<VectorType>(value.getType()))
    unknown.offsets = SmallVector<int64_t>{0};
  Operation *op = value.getDefiningOp();
  if (!op)
    return unknown;
  return llvm::TypeSwitch<Operation *, LaneIndices>(op)
      .Case<arith::AddIOp>([](auto op) { return add(get(op.getLhs()), get(op.getRhs()), 1); })
      .Case<arith::SubIOp>([](auto op) { return add(get(op.getLhs()), get(op.getRhs()), -1); })
      .Case<arith::MulIOp>([](auto op) { return multiply(op.getLhs(), op.getRhs()); })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([](auto op) { return get(op.getIn()); })
      .Case<vector::BroadcastOp>([&](vector::BroadcastOp op) {
        if (isa<VectorType>(op.getSourceType()))
          return unknown;
        const int64_t count = op.getResultVectorType().getNumElements();
        return LaneIndices{SmallVector<int64_t>(count, 0), get(op.getSource()).divisor};
      })
      .Default([&](Operation *) { return unknown; });
}

bool LaneIndices::areAdjacent() const {
  return offsets && llvm::all_of(llvm::enumerate(*offsets),
                                 [](auto lane) { return lane.value() == int64_t(lane.index()); });
}
