//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evaluates bodies for each order of their running and new values.
//
//===----------------------------------------------------------------------===//

#include "Extremes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace {

/// How the new value (index) compares with the running one.
enum class Order { Less, Equal, Greater };

struct Case {
  Order value = Order::Equal, index = Order::Equal;
  bool newIsNaN = false, oldIsNaN = false;
};

/// What a value of the body is in a case.
enum class Outcome { False, True, OldValue, NewValue, OldIndex, NewIndex };
using MaybeOutcome = std::optional<Outcome>;

/// Evaluates values of one body. New values are found in passing: the operands that meet the
/// running ones.
class Evaluator {
public:
  Evaluator(BlockArgument value, BlockArgument index) : oldValue(value), oldIndex(index) {}

  MaybeOutcome evaluate(Value value, const Case &now);

  Value newValue, newIndex;
  bool isUnsigned = false, isSigned = false;

private:
  bool dependsOnRunning(Value value);
  /// True if `value` is the new counterpart of `old`, which it becomes where there is none.
  bool isNew(Value value, Value &counterpart);
  MaybeOutcome evaluateLeaf(Value value, const Case &now);
  MaybeOutcome evaluateOp(Operation *op, const Case &now);
  MaybeOutcome compareFloats(arith::CmpFOp op, const Case &now);
  MaybeOutcome compareIntegers(arith::CmpIOp op, const Case &now);
  MaybeOutcome pick(Operation *op, const Case &now, bool greater, bool skipsNaN);
  /// The order of lhs and rhs, where one is running and the other new; nullopt if they are neither.
  struct Relation {
    Order order;
    bool isUnordered, isIndex;
  };
  std::optional<Relation> relate(Value lhs, Value rhs, const Case &now);

  BlockArgument oldValue, oldIndex;
  llvm::DenseMap<Value, bool> depends;
};

} // namespace

static Outcome asOutcome(bool value) { return value ? Outcome::True : Outcome::False; }

/// When a comparison is true: bit 0: equal, 1: greater, 2: less, 3: unordered.
static unsigned getCases(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  // The predicates up to ORD are these bits; the unordered ones continue with UEQ.
  if (predicate < P::UEQ || predicate == P::AlwaysTrue)
    return unsigned(predicate);
  return predicate == P::UNO ? 8 : unsigned(predicate) + 1;
}

static Order reverse(Order order) {
  return order == Order::Less      ? Order::Greater
         : order == Order::Greater ? Order::Less
                                   : Order::Equal;
}

bool Evaluator::dependsOnRunning(Value value) {
  if (value == oldValue || (oldIndex && value == oldIndex))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != oldValue.getOwner())
    return false;
  if (auto known = depends.find(value); known != depends.end())
    return known->second;
  bool result =
      llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnRunning(operand); });
  return depends[value] = result;
}

bool Evaluator::isNew(Value value, Value &counterpart) {
  if (dependsOnRunning(value))
    return false;
  if (!counterpart)
    counterpart = value;
  return counterpart == value;
}

std::optional<Evaluator::Relation> Evaluator::relate(Value lhs, Value rhs, const Case &now) {
  if (lhs == oldValue && rhs == oldValue)
    return Relation{Order::Equal, now.oldIsNaN, false};
  bool isReversed = lhs == oldValue || lhs == oldIndex;
  Value old = isReversed ? lhs : rhs, other = isReversed ? rhs : lhs;
  if (old == oldValue) {
    // The running value may be recomputed: a maximum that is compared with its operand.
    if (!isNew(other, newValue))
      return std::nullopt;
    return Relation{isReversed ? reverse(now.value) : now.value, now.newIsNaN || now.oldIsNaN,
                    false};
  }
  if (oldIndex && old == oldIndex && isNew(other, newIndex))
    return Relation{isReversed ? reverse(now.index) : now.index, false, true};
  return std::nullopt;
}

MaybeOutcome Evaluator::compareFloats(arith::CmpFOp op, const Case &now) {
  std::optional<Relation> relation = relate(op.getLhs(), op.getRhs(), now);
  if (!relation)
    return std::nullopt;
  unsigned cases = getCases(op.getPredicate());
  if (relation->isUnordered)
    return asOutcome(cases & 8);
  return asOutcome(cases & (relation->order == Order::Equal     ? 1
                            : relation->order == Order::Greater ? 2
                                                                : 4));
}

MaybeOutcome Evaluator::compareIntegers(arith::CmpIOp op, const Case &now) {
  using P = arith::CmpIPredicate;
  std::optional<Relation> relation = relate(op.getLhs(), op.getRhs(), now);
  if (!relation)
    return std::nullopt;
  P predicate = op.getPredicate();
  Order order = relation->order;
  if (predicate == P::eq || predicate == P::ne)
    return asOutcome((order == Order::Equal) == (predicate == P::eq));
  bool comparesUnsigned =
      predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  if (!relation->isIndex)
    (comparesUnsigned ? isUnsigned : isSigned) = true;
  switch (predicate) {
  case P::slt:
  case P::ult:
    return asOutcome(order == Order::Less);
  case P::sle:
  case P::ule:
    return asOutcome(order != Order::Greater);
  case P::sgt:
  case P::ugt:
    return asOutcome(order == Order::Greater);
  default:
    return asOutcome(order != Order::Less);
  }
}

/// The minimum or maximum of a running and a new value, or of both indices.
MaybeOutcome Evaluator::pick(Operation *op, const Case &now, bool greater, bool skipsNaN) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  std::optional<Relation> relation = relate(lhs, rhs, now);
  if (!relation)
    return std::nullopt;
  bool isReversed = lhs == oldValue || lhs == oldIndex;
  bool takesLhs = relation->order == (greater ? Order::Greater : Order::Less);
  bool takesNew = takesLhs != isReversed && relation->order != Order::Equal;
  if (relation->isIndex)
    return takesNew ? Outcome::NewIndex : Outcome::OldIndex;
  if (relation->isUnordered)
    takesNew = skipsNaN ? now.oldIsNaN : now.newIsNaN && !now.oldIsNaN;
  return takesNew ? Outcome::NewValue : Outcome::OldValue;
}

/// A value that does not depend on the running ones.
MaybeOutcome Evaluator::evaluateLeaf(Value value, const Case &now) {
  if (value.getType().isInteger(1)) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return asOutcome(!constant.isZero());
    // Tests of the new value for NaN.
    Operation *op = value.getDefiningOp();
    auto isOfNew = [&](Value operand) { return isNew(operand, newValue); };
    if (auto test = dyn_cast_or_null<math::IsNaNOp>(op); test && isOfNew(test.getOperand()))
      return asOutcome(now.newIsNaN);
    auto compare = dyn_cast_or_null<arith::CmpFOp>(op);
    if (compare && compare.getLhs() == compare.getRhs() && isOfNew(compare.getLhs()))
      return asOutcome(getCases(compare.getPredicate()) & (now.newIsNaN ? 8 : 1));
    auto same = dyn_cast_or_null<arith::CmpIOp>(op);
    if (same && same.getLhs() == same.getRhs() && isOfNew(same.getLhs()))
      return asOutcome(same.getPredicate() == arith::CmpIPredicate::eq);
  }
  if (newValue == value)
    return Outcome::NewValue;
  if (newIndex == value)
    return Outcome::NewIndex;
  return std::nullopt;
}

MaybeOutcome Evaluator::evaluateOp(Operation *op, const Case &now) {
  auto logic = [&](function_ref<bool(bool, bool)> combine) -> MaybeOutcome {
    MaybeOutcome lhs = evaluate(op->getOperand(0), now), rhs = evaluate(op->getOperand(1), now);
    if (!lhs || !rhs || *lhs > Outcome::True || *rhs > Outcome::True)
      return std::nullopt;
    return asOutcome(combine(*lhs == Outcome::True, *rhs == Outcome::True));
  };
  return llvm::TypeSwitch<Operation *, MaybeOutcome>(op)
      .Case([&](arith::CmpFOp compare) { return compareFloats(compare, now); })
      .Case([&](arith::CmpIOp compare) { return compareIntegers(compare, now); })
      .Case([&](math::IsNaNOp test) -> MaybeOutcome {
        if (test.getOperand() != oldValue)
          return std::nullopt;
        return asOutcome(now.oldIsNaN);
      })
      .Case([&](arith::OrIOp) { return logic([](bool a, bool b) { return a || b; }); })
      .Case([&](arith::AndIOp) { return logic([](bool a, bool b) { return a && b; }); })
      .Case([&](arith::XOrIOp) { return logic([](bool a, bool b) { return a != b; }); })
      .Case([&](arith::SelectOp select) -> MaybeOutcome {
        MaybeOutcome condition = evaluate(select.getCondition(), now);
        if (!condition || *condition > Outcome::True)
          return std::nullopt;
        bool isTrue = *condition == Outcome::True;
        return evaluate(isTrue ? select.getTrueValue() : select.getFalseValue(), now);
      })
      .Case([&](arith::MaximumFOp) { return pick(op, now, true, false); })
      .Case([&](arith::MinimumFOp) { return pick(op, now, false, false); })
      .Case([&](arith::MaxNumFOp) { return pick(op, now, true, true); })
      .Case([&](arith::MinNumFOp) { return pick(op, now, false, true); })
      .Case<arith::MaxSIOp, arith::MinSIOp>([&](auto) {
        isSigned |= op->getOperand(0) == oldValue || op->getOperand(1) == oldValue;
        return pick(op, now, isa<arith::MaxSIOp>(op), false);
      })
      .Case<arith::MaxUIOp, arith::MinUIOp>([&](auto) {
        isUnsigned |= op->getOperand(0) == oldValue || op->getOperand(1) == oldValue;
        return pick(op, now, isa<arith::MaxUIOp>(op), false);
      })
      .Default([](Operation *) { return std::nullopt; });
}

MaybeOutcome Evaluator::evaluate(Value value, const Case &now) {
  if (value == oldValue)
    return Outcome::OldValue;
  if (oldIndex && value == oldIndex)
    return Outcome::OldIndex;
  return dependsOnRunning(value) ? evaluateOp(value.getDefiningOp(), now)
                                 : evaluateLeaf(value, now);
}

/// Finds the new counterpart of `running` in what is yielded: a leaf of the selects, or what a
/// minimum or maximum combines with it.
static void findNew(Value yielded, BlockArgument running, Value &found) {
  SmallVector<Value> worklist{yielded};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto select = value.getDefiningOp<arith::SelectOp>();
    if (select && select->getBlock() == running.getOwner()) {
      worklist.push_back(select.getTrueValue());
      worklist.push_back(select.getFalseValue());
    } else if (value != running && !found) {
      Operation *op = value.getDefiningOp();
      if (op &&
          isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp, arith::MaximumFOp,
              arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op) &&
          llvm::is_contained(op->getOperands(), running))
        found = op->getOperand(op->getOperand(0) == running ? 1 : 0);
      else
        found = value;
    }
  }
}

std::optional<Extreme> Extreme::match(Value yielded, BlockArgument running, Value yieldedIndex,
                                      BlockArgument runningIndex) {
  Type type = running.getType();
  bool isFloat = isa<FloatType>(type);
  if (!isFloat && !(type.isInteger() && !type.isInteger(1)))
    return std::nullopt;
  Evaluator evaluator(running, runningIndex);
  findNew(yielded, running, evaluator.newValue);
  if (runningIndex)
    findNew(yieldedIndex, runningIndex, evaluator.newIndex);

  // Whether the new value, and the new index, are taken in a case; nullopt if the body does not
  // select in it.
  auto run = [&](Case now) -> std::optional<std::pair<bool, bool>> {
    MaybeOutcome value = evaluator.evaluate(yielded, now);
    if (value != Outcome::OldValue && value != Outcome::NewValue)
      return std::nullopt;
    MaybeOutcome index = Outcome::OldIndex;
    if (runningIndex)
      index = evaluator.evaluate(yieldedIndex, now);
    if (index != Outcome::OldIndex && index != Outcome::NewIndex)
      return std::nullopt;
    return std::pair(value == Outcome::NewValue, index == Outcome::NewIndex);
  };

  Extreme extreme;
  constexpr Order kOrders[] = {Order::Less, Order::Equal, Order::Greater};
  for (Order index : kOrders) {
    auto less = run({Order::Less, index}), greater = run({Order::Greater, index});
    if (!less || !greater || less->first == greater->first)
      return std::nullopt;
    if (index == Order::Less)
      extreme.isMaximum = greater->first;
    else if (extreme.isMaximum != greater->first)
      return std::nullopt;
    if (runningIndex && (less->second != less->first || greater->second != greater->first))
      return std::nullopt;
  }
  auto later = run({Order::Equal, Order::Greater}), earlier = run({Order::Equal, Order::Less});
  if (!later || !earlier)
    return std::nullopt;
  extreme.takesLast = later->second;

  if (isFloat) {
    auto newIsNaN = run({Order::Equal, Order::Greater, true, false}),
         oldIsNaN = run({Order::Equal, Order::Greater, false, true});
    if (!newIsNaN || !oldIsNaN)
      return std::nullopt;
    extreme.skipsNaN = !newIsNaN->first;
    // A NaN stays, or its index does not count. (With a maximum that is NaN and an index that a
    // comparison selects, PyTorch's index is that of the NaN.)
    if (extreme.skipsNaN ? newIsNaN->second : oldIsNaN->first)
      return std::nullopt;
  }
  if (evaluator.isSigned && evaluator.isUnsigned)
    return std::nullopt;
  extreme.isUnsigned = evaluator.isUnsigned;
  extreme.value = evaluator.newValue;
  extreme.index = evaluator.newIndex;
  // The body must not use a running value in any other way.
  if (!extreme.value || (runningIndex && !extreme.index))
    return std::nullopt;
  return extreme;
}
