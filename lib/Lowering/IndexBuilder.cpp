//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {
enum Opcode : unsigned {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Max,
  Min,
  Select,
  Xor,
  Less,
  Equal,
  And,
  Negative,
  ShiftRight,
  SignedDiv,
  Mask
};
} // namespace

IndexBuilder::IndexBuilder(OpBuilder &builder, Block *entry, Location loc)
    : builder(builder), entry(entry), loc(loc), scopes(1), openers(1) {}

Value IndexBuilder::constant(int64_t value) {
  Value &slot = constants[value];
  if (!slot) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    slot = arith::ConstantIndexOp::create(builder, loc, value);
    constantValues[slot] = value;
  }
  return slot;
}

std::optional<int64_t> IndexBuilder::getConstant(Value value) const {
  auto it = constantValues.find(value);
  return it == constantValues.end() ? std::nullopt : std::optional(it->second);
}

Value IndexBuilder::shared(unsigned opcode, Value lhs, Value rhs, function_ref<Value()> build) {
  Key key{opcode, {lhs, rhs}};
  for (auto &scope : llvm::reverse(scopes))
    if (Value value = scope.lookup(key))
      return value;
  // The outermost scope that defines both operands.
  unsigned depth = scopes.size() - 1;
  const unsigned defined = std::max(depths.lookup(lhs), depths.lookup(rhs));
  while (depth > defined && openers[depth])
    --depth;
  OpBuilder::InsertionGuard guard(builder);
  if (depth + 1 < scopes.size())
    builder.setInsertionPoint(openers[depth + 1]);
  Value value = build();
  depths[value] = depth;
  return scopes[depth][key] = value;
}

void IndexBuilder::enter(Operation *opener) {
  scopes.emplace_back();
  openers.resize(scopes.size());
  openers.back() = opener;
  if (opener)
    for (Region &region : opener->getRegions())
      for (BlockArgument argument : region.getArguments())
        depths[argument] = scopes.size() - 1;
}

void IndexBuilder::leave() {
  scopes.pop_back();
  openers.resize(scopes.size());
}

/// True for a difference and for what is computed from one: it may be below 0.
static bool mayBeNegative(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::SubIOp, arith::ShRSIOp, arith::DivSIOp>(op))
    return true;
  auto arithmetic = dyn_cast_or_null<arith::ArithIntegerOverflowFlagsInterface>(op);
  return arithmetic && !arithmetic.hasNoUnsignedWrap();
}

static arith::IntegerOverflowFlags getOverflowFlags(Value lhs, Value rhs) {
  if (mayBeNegative(lhs) || mayBeNegative(rhs))
    return arith::IntegerOverflowFlags::nsw;
  return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
}

Value IndexBuilder::add(Value lhs, Value rhs) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  if (a && b)
    return constant(*a + *b);
  if (a == 0)
    return rhs;
  if (b == 0)
    return lhs;
  return shared(Add, lhs, rhs, [&]() -> Value {
    return arith::AddIOp::create(builder, loc, lhs, rhs, getOverflowFlags(lhs, rhs));
  });
}

Value IndexBuilder::sub(Value lhs, Value rhs) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  if (a && b)
    return constant(*a - *b);
  if (b == 0)
    return lhs;
  return shared(Sub, lhs, rhs,
                [&]() -> Value { return arith::SubIOp::create(builder, loc, lhs, rhs); });
}

Value IndexBuilder::mul(Value lhs, Value rhs) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  if (a && b)
    return constant(*a * *b);
  if (a == 1 || b == 0)
    return rhs;
  if (b == 1 || a == 0)
    return lhs;
  return shared(Mul, lhs, rhs, [&]() -> Value {
    return arith::MulIOp::create(builder, loc, lhs, rhs, getOverflowFlags(lhs, rhs));
  });
}

std::optional<std::pair<Value, Value>> IndexBuilder::splitDividend(Value dividend, Value divisor,
                                                                   int64_t least) const {
  auto sum = dividend.getDefiningOp<arith::AddIOp>();
  const std::optional<int64_t> offset = sum ? getConstant(sum.getRhs()) : std::nullopt;
  const std::optional<int64_t> constant = getConstant(divisor);
  if (!offset || *offset <= 0 || *offset >= least || !sum.hasNoUnsignedWrap() ||
      (constant && llvm::isPowerOf2_64(*constant)))
    return std::nullopt;
  return std::pair(sum.getLhs(), sum.getRhs());
}

std::optional<std::pair<Value, int64_t>>
IndexBuilder::splitMultiple(Value dividend, std::optional<int64_t> divisor) {
  auto sum = dividend.getDefiningOp<arith::AddIOp>();
  const std::optional<int64_t> offset = sum ? getConstant(sum.getRhs()) : std::nullopt;
  if (!offset || !divisor || *divisor <= 0 || llvm::isPowerOf2_64(*divisor) || *offset < *divisor ||
      !sum.hasNoUnsignedWrap())
    return std::nullopt;
  return std::pair(add(sum.getLhs(), constant(*offset % *divisor)), *offset / *divisor);
}

Value IndexBuilder::div(Value lhs, Value rhs, int64_t least) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  if (a && b && *b)
    return constant(*a / *b);
  if (b == 1 || a == 0)
    return lhs;
  if (auto multiple = splitMultiple(lhs, b))
    return add(div(multiple->first, rhs, least), constant(multiple->second));
  if (auto terms = splitDividend(lhs, rhs, least)) {
    Value quotient = div(terms->first, rhs), remainder = rem(terms->first, rhs);
    Value isWithin = lessThan(add(remainder, terms->second), rhs);
    Value next = add(quotient, constant(1));
    return shared(Select, isWithin, quotient, [&]() -> Value {
      return arith::SelectOp::create(builder, loc, isWithin, quotient, next);
    });
  }
  return shared(Div, lhs, rhs,
                [&]() -> Value { return arith::DivUIOp::create(builder, loc, lhs, rhs); });
}

Value IndexBuilder::rem(Value lhs, Value rhs, int64_t least) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  if (a && b && *b)
    return constant(*a % *b);
  if (b == 1)
    return constant(0);
  if (a == 0)
    return lhs;
  if (auto multiple = splitMultiple(lhs, b))
    return rem(multiple->first, rhs, least);
  if (auto terms = splitDividend(lhs, rhs, least)) {
    // Below 0, the difference is large as an unsigned number.
    Value sum = add(rem(terms->first, rhs), terms->second), difference = sub(sum, rhs);
    return shared(Min, sum, difference,
                  [&]() -> Value { return arith::MinUIOp::create(builder, loc, sum, difference); });
  }
  return shared(Rem, lhs, rhs,
                [&]() -> Value { return arith::RemUIOp::create(builder, loc, lhs, rhs); });
}

Value IndexBuilder::floorDiv(Value lhs, Value rhs) {
  const std::optional<int64_t> divisor = getConstant(rhs);
  if (divisor == 1)
    return lhs;
  if (divisor && llvm::isPowerOf2_64(*divisor)) {
    Value bits = constant(llvm::Log2_64(*divisor));
    return shared(ShiftRight, lhs, bits,
                  [&]() -> Value { return arith::ShRSIOp::create(builder, loc, lhs, bits); });
  }
  // Division rounds toward 0.
  Value zero = constant(0), lowered = sub(lhs, sub(rhs, constant(1)));
  Value isNegative = shared(Negative, lhs, zero, [&]() -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lhs, zero);
  });
  Value dividend = shared(Select, isNegative, lowered, [&]() -> Value {
    return arith::SelectOp::create(builder, loc, isNegative, lowered, lhs);
  });
  return shared(SignedDiv, dividend, rhs,
                [&]() -> Value { return arith::DivSIOp::create(builder, loc, dividend, rhs); });
}

Value IndexBuilder::floorMod(Value lhs, Value rhs) {
  const std::optional<int64_t> divisor = getConstant(rhs);
  if (divisor == 1)
    return constant(0);
  if (divisor && llvm::isPowerOf2_64(*divisor)) {
    Value mask = constant(*divisor - 1);
    return shared(Mask, lhs, mask,
                  [&]() -> Value { return arith::AndIOp::create(builder, loc, lhs, mask); });
  }
  return sub(lhs, mul(floorDiv(lhs, rhs), rhs));
}

Value IndexBuilder::atLeastOne(Value value) {
  const Value one = constant(1);
  if (auto known = getConstant(value))
    return constant(std::max<int64_t>(*known, 1));
  return shared(Max, value, one,
                [&]() -> Value { return arith::MaxUIOp::create(builder, loc, value, one); });
}

Value IndexBuilder::bitXor(Value lhs, Value rhs) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  if (a && b)
    return constant(*a ^ *b);
  if (b == 0)
    return lhs;
  if (a == 0)
    return rhs;
  return shared(Xor, lhs, rhs,
                [&]() -> Value { return arith::XOrIOp::create(builder, loc, lhs, rhs); });
}

Value IndexBuilder::lessThan(Value lhs, Value rhs) {
  auto a = getConstant(lhs), b = getConstant(rhs);
  // A constant below 0 is an index outside: as unsigned, it is large.
  if (a && b && *a >= 0 && *a < *b)
    return {};
  return shared(Less, lhs, rhs, [&]() -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lhs, rhs);
  });
}

Value IndexBuilder::equal(Value lhs, Value rhs) {
  return shared(Equal, lhs, rhs, [&]() -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, rhs);
  });
}

Value IndexBuilder::both(Value lhs, Value rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (!rhs)
    return lhs;
  return shared(And, lhs, rhs,
                [&]() -> Value { return arith::AndIOp::create(builder, loc, lhs, rhs); });
}

/// The terms of a sum that are not negative, and the negations of the others.
static void collectTerms(AffineExpr expr, SmallVectorImpl<AffineExpr> &added,
                         SmallVectorImpl<AffineExpr> &subtracted) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), added, subtracted);
    collectTerms(binary.getRHS(), added, subtracted);
    return;
  }
  auto constant = dyn_cast<AffineConstantExpr>(
      binary && expr.getKind() == AffineExprKind::Mul ? binary.getRHS() : expr);
  if (constant && constant.getValue() < 0)
    subtracted.push_back(-expr);
  else
    added.push_back(expr);
}

/// True for the index of a loop.
static bool isOfLoop(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  return argument && isa<scf::ForOp>(argument.getOwner()->getParentOp());
}

/// A difference may lie below 0, but no operand of it, nor of a sum.
Value IndexBuilder::sum(AffineExpr affine, GetLeaf getLeaf, GetLeast getLeast) {
  auto evaluate = [&](AffineExpr term) { return expr(term, getLeaf, getLeast); };
  SmallVector<AffineExpr> added, subtracted;
  collectTerms(affine, added, subtracted);
  Value value;
  auto binary = cast<AffineBinaryOpExpr>(affine);
  auto last = dyn_cast<AffineBinaryOpExpr>(binary.getRHS());
  // The constant comes last, so that places at a distance from each other share the other terms. A
  // later iteration of a loop is no such place: its index is computed for the guard, too.
  const bool isAtDistance =
      last && last.getKind() == AffineExprKind::Add && isa<AffineConstantExpr>(last.getRHS()) &&
      !(isa<AffineDimExpr>(last.getLHS()) && isOfLoop(getLeaf(last.getLHS())));
  if (subtracted.empty() && !isAtDistance)
    return add(evaluate(binary.getLHS()), evaluate(binary.getRHS()));
  for (AffineExpr term : added)
    value = value ? add(value, evaluate(term)) : evaluate(term);
  if (!value)
    value = constant(0);
  for (AffineExpr term : subtracted)
    value = sub(value, evaluate(term));
  return value;
}

Value IndexBuilder::expr(AffineExpr affine, GetLeaf getLeaf, GetLeast getLeast) {
  if (auto constantExpr = dyn_cast<AffineConstantExpr>(affine))
    return constant(constantExpr.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(affine);
  if (!binary)
    return getLeaf(affine);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (affine.getKind() == AffineExprKind::Add ||
      (affine.getKind() == AffineExprKind::Mul && factor && factor.getValue() < 0))
    return sum(affine, getLeaf, getLeast);
  Value lhs = expr(binary.getLHS(), getLeaf, getLeast);
  Value rhs = expr(binary.getRHS(), getLeaf, getLeast);
  const int64_t least = affine.getKind() == AffineExprKind::Mul ? 1 : getLeast(binary.getRHS());
  if (least < 1)
    rhs = atLeastOne(rhs);
  const bool isDivision =
      affine.getKind() == AffineExprKind::FloorDiv || affine.getKind() == AffineExprKind::Mod;
  const bool isSigned = isDivision && mayBeNegative(lhs) && getLeast(binary.getLHS()) < 0;
  switch (binary.getKind()) {
  case AffineExprKind::Mul:
    return mul(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return isSigned ? floorDiv(lhs, rhs) : div(lhs, rhs, least);
  case AffineExprKind::CeilDiv:
    return div(add(lhs, sub(rhs, constant(1))), rhs);
  case AffineExprKind::Mod:
    return isSigned ? floorMod(lhs, rhs) : rem(lhs, rhs, least);
  default:
    llvm_unreachable("expected a binary expression");
  }
}
