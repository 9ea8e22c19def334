//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparisons of kernel IR whose outcome the ranges of their operands decide.
//
//===----------------------------------------------------------------------===//

#include "KnownComparisons.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/FoldUtils.h"

using namespace mlir;
using namespace fuser;

/// The outcome of a comparison of `a` with `b` by less, if the ranges decide it.
template <typename T> static std::optional<bool> isLess(const T &a, const T &b, bool orEqual) {
  if (orEqual ? a.greatest <= b.least : a.greatest < b.least)
    return true;
  if (orEqual ? a.least > b.greatest : a.least >= b.greatest)
    return false;
  return std::nullopt;
}

template <typename T> static std::optional<bool> isEqual(const T &a, const T &b) {
  if (a.greatest < b.least || a.least > b.greatest)
    return false;
  if (a.least == a.greatest && b.least == b.greatest)
    return true;
  return std::nullopt;
}

static std::optional<bool> negate(std::optional<bool> outcome) {
  return outcome ? std::optional(!*outcome) : std::nullopt;
}

/// True if the lowest bits of two values differ.
static bool differ(Value a, Value b, const ValueRanges &ranges) {
  const LowBits x = ranges.getLowBits(a), y = ranges.getLowBits(b);
  return ((x.value ^ y.value) & llvm::maskTrailingOnes<uint64_t>(std::min(x.bits, y.bits))) != 0;
}

static std::optional<bool> compare(arith::CmpIOp op, ValueRanges &ranges) {
  if (op.getPredicate() == arith::CmpIPredicate::eq && differ(op.getLhs(), op.getRhs(), ranges))
    return false;
  std::optional<Integers> a = ranges.getIntegers(op.getLhs());
  if (!a)
    return std::nullopt;
  std::optional<Integers> b = ranges.getIntegers(op.getRhs());
  if (!b)
    return std::nullopt;
  const bool areNatural = a->least >= 0 && b->least >= 0;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return isEqual(*a, *b);
  case arith::CmpIPredicate::ne:
    return negate(isEqual(*a, *b));
  case arith::CmpIPredicate::ult:
    return areNatural ? isLess(*a, *b, false) : std::nullopt;
  case arith::CmpIPredicate::ule:
    return areNatural ? isLess(*a, *b, true) : std::nullopt;
  case arith::CmpIPredicate::ugt:
    return areNatural ? isLess(*b, *a, false) : std::nullopt;
  case arith::CmpIPredicate::uge:
    return areNatural ? isLess(*b, *a, true) : std::nullopt;
  case arith::CmpIPredicate::slt:
    return isLess(*a, *b, false);
  case arith::CmpIPredicate::sle:
    return isLess(*a, *b, true);
  case arith::CmpIPredicate::sgt:
    return isLess(*b, *a, false);
  case arith::CmpIPredicate::sge:
    return isLess(*b, *a, true);
  }
  return std::nullopt;
}

static std::optional<bool> compare(arith::CmpFOp op, ValueRanges &ranges) {
  std::optional<Floats> a = ranges.getFloats(op.getLhs());
  if (!a)
    return std::nullopt;
  std::optional<Floats> b = ranges.getFloats(op.getRhs());
  if (!b)
    return std::nullopt;
  switch (op.getPredicate()) {
  case arith::CmpFPredicate::UNO:
    return false;
  case arith::CmpFPredicate::ORD:
    return true;
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::ULT:
    return isLess(*a, *b, false);
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULE:
    return isLess(*a, *b, true);
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::UGT:
    return isLess(*b, *a, false);
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGE:
    return isLess(*b, *a, true);
  default:
    return std::nullopt;
  }
}

std::optional<bool> fuser::getKnownOutcome(Value condition, ValueRanges &ranges) {
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    const std::optional<bool> left = getKnownOutcome(both.getLhs(), ranges),
                              right = getKnownOutcome(both.getRhs(), ranges);
    if (left == false || right == false)
      return false;
    return left && right ? std::optional(true) : std::nullopt;
  }
  if (auto integers = dyn_cast_or_null<arith::CmpIOp>(op))
    return compare(integers, ranges);
  auto floats = dyn_cast_or_null<arith::CmpFOp>(op);
  return floats ? compare(floats, ranges) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The fold
//===----------------------------------------------------------------------===//

/// True for comparisons of elements: those of indices are guards of loops, made only where they are
/// needed.
static bool isOfElements(Operation *op) {
  return isa<arith::CmpFOp>(op) ||
         (isa<arith::CmpIOp>(op) && !getElementTypeOrSelf(op->getOperand(0).getType()).isIndex());
}

/// True for a conversion of 64-bit integers to floats, which takes many times as long as one of 32
/// bits.
static bool isLongConversion(Operation *op) {
  return isa<arith::SIToFPOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(64);
}

/// True if the ranges prove that all bits of what is converted follow from the 32 lower ones.
static bool isShort(Operation *conversion, ValueRanges &ranges) {
  const std::optional<Integers> range = ranges.getIntegers(conversion->getOperand(0));
  return range && llvm::isInt<32>(range->least) && llvm::isInt<32>(range->greatest);
}

/// Converts these bits: LLVM then computes places of elements in 32 bits.
static void shorten(arith::SIToFPOp conversion, ValueRanges &ranges) {
  if (!isShort(conversion, ranges))
    return;
  OpBuilder builder(conversion);
  Type type = builder.getI32Type();
  if (auto vector = dyn_cast<VectorType>(conversion.getIn().getType()))
    type = vector.clone(type);
  conversion.getInMutable().assign(
      arith::TruncIOp::create(builder, conversion.getLoc(), type, conversion.getIn()));
}

/// Ops that are replaced are kept in `replaced`: ranges of their results are remembered.
static void foldIn(Block &block, ValueRanges &ranges, SmallVectorImpl<Operation *> &replaced) {
  for (Operation &op : block) {
    if (isLongConversion(&op)) {
      shorten(cast<arith::SIToFPOp>(op), ranges);
      continue;
    }
    if (isOfElements(&op)) {
      auto integers = dyn_cast<arith::CmpIOp>(op);
      const std::optional<bool> outcome =
          integers ? compare(integers, ranges) : compare(cast<arith::CmpFOp>(op), ranges);
      if (!outcome)
        continue;
      OpBuilder builder(&op);
      const Type type = op.getResult(0).getType();
      TypedAttr value = builder.getBoolAttr(*outcome);
      if (auto vector = dyn_cast<VectorType>(type))
        value = DenseElementsAttr::get(vector, *outcome);
      op.getResult(0).replaceAllUsesWith(
          arith::ConstantOp::create(builder, op.getLoc(), type, value));
      replaced.push_back(&op);
      continue;
    }
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      BoolAttr condition;
      DenseElementsAttr conditions;
      if (matchPattern(select.getCondition(), m_Constant(&conditions)) && conditions.isSplat())
        condition = BoolAttr::get(op.getContext(), conditions.getSplatValue<bool>());
      if (condition || matchPattern(select.getCondition(), m_Constant(&condition))) {
        select.replaceAllUsesWith(condition.getValue() ? select.getTrueValue()
                                                       : select.getFalseValue());
        replaced.push_back(&op);
      }
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(op);
    if (branch)
      ranges.enter(branch.getCondition());
    for (Region &region : op.getRegions()) {
      if (branch && &region == &branch.getElseRegion())
        ranges.leave();
      for (Block &inner : region)
        foldIn(inner, ranges, replaced);
    }
  }
}

void fuser::shareEqualValues(gpu::GPUFuncOp function) {
  OperationFolder folder(function.getContext());
  function.walk([&](Operation *op) {
    if (op != function.getOperation())
      (void)folder.tryToFold(op);
  });
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

void fuser::foldKnownComparisons(gpu::GPUFuncOp function, const LaunchSizes &launch) {
  // The check of an index is one comparison without signs; that of a place may be about its bits.
  ValueRanges unshared(launch);
  const WalkResult found = function.walk([&](Operation *any) {
    auto op = dyn_cast<arith::CmpIOp>(any);
    const bool isCheck = op && isOfElements(op) &&
                         (op.getPredicate() == arith::CmpIPredicate::ult ||
                          (op.getPredicate() == arith::CmpIPredicate::eq &&
                           differ(op.getLhs(), op.getRhs(), unshared)));
    const bool isLong = isLongConversion(any) && !matchPattern(any->getOperand(0), m_Constant()) &&
                        isShort(any, unshared);
    return isCheck || isLong ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  shareEqualValues(function);
  // Values are known by address, and those that were erased may have given theirs to others.
  ValueRanges ranges(launch);
  SmallVector<Operation *> replaced;
  for (Block &block : function.getBody())
    foldIn(block, ranges, replaced);
  for (Operation *op : replaced)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The operand that is less in any case, as unsigned numbers: a difference that is negative wraps.
static Value getLeast(arith::MinUIOp op, ValueRanges &ranges) {
  const std::optional<Integers> a = ranges.getIntegers(op.getLhs()),
                                b = ranges.getIntegers(op.getRhs());
  if (!a || !b)
    return {};
  if (a->least >= 0 && (b->greatest < 0 || a->greatest <= b->least))
    return op.getLhs();
  if (b->least >= 0 && (a->greatest < 0 || b->greatest <= a->least))
    return op.getRhs();
  return {};
}

/// What an op on indices is known to be; null if ranges do not decide it.
static Value getKnownIndex(Operation &op, ValueRanges &ranges) {
  if (auto comparison = dyn_cast<arith::CmpIOp>(op)) {
    if (!comparison.getLhs().getType().isIndex())
      return {};
    const std::optional<bool> outcome = compare(comparison, ranges);
    OpBuilder builder(&op);
    return outcome ? arith::ConstantOp::create(builder, op.getLoc(), builder.getBoolAttr(*outcome))
                         .getResult()
                   : Value();
  }
  auto select = dyn_cast<arith::SelectOp>(op);
  BoolAttr condition;
  if (select && matchPattern(select.getCondition(), m_Constant(&condition)))
    return condition.getValue() ? select.getTrueValue() : select.getFalseValue();
  auto least = dyn_cast<arith::MinUIOp>(op);
  return least && least.getType().isIndex() ? getLeast(least, ranges) : Value();
}

static void foldIndicesIn(Block &block, ValueRanges &ranges,
                          SmallVectorImpl<Operation *> &replaced) {
  for (Operation &op : block) {
    if (Value known = getKnownIndex(op, ranges)) {
      op.getResult(0).replaceAllUsesWith(known);
      replaced.push_back(&op);
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(op);
    for (Region &region : op.getRegions()) {
      if (branch && !region.empty())
        ranges.enter(branch.getCondition(), &region == &branch.getThenRegion());
      for (Block &inner : region)
        foldIndicesIn(inner, ranges, replaced);
      if (branch && !region.empty())
        ranges.leave();
    }
  }
}

void fuser::foldKnownIndices(gpu::GPUFuncOp function, const LaunchSizes &launch) {
  shareEqualValues(function);
  ValueRanges ranges(launch);
  SmallVector<Operation *> replaced;
  for (Block &block : function.getBody())
    foldIndicesIn(block, ranges, replaced);
  for (Operation *op : replaced)
    op->erase();
  shareEqualValues(function);
}
