//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A GPU neither traps on a division by zero nor on the least integer over -1, and
// its shifts clamp their amount; a CPU traps on the first two, and LLVM calls all
// of them undefined. The forms here are defined for every operand; LLVM removes
// them again where a range or a constant shows that they are not needed.
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {

/// Builds the guarded form of one op before it.
class Guard {
public:
  Guard(Operation *op, unsigned indexBits)
      : builder(op), loc(op->getLoc()), lhs(op->getOperand(0)), rhs(op->getOperand(1)),
        indexBits(indexBits) {}

  Value quotient(bool isSigned) {
    Value byZero = compare(arith::CmpIPredicate::eq, constant(0));
    if (!isSigned) {
      Value divided = arith::DivUIOp::create(builder, loc, lhs, select(byZero, constant(1), rhs));
      return select(byZero, constant(-1), divided);
    }
    // -x instead of x / -1: the same for every x but the least one, where it does not trap.
    Value byMinusOne = compare(arith::CmpIPredicate::eq, constant(-1));
    Value unsafe = arith::OrIOp::create(builder, loc, byZero, byMinusOne);
    Value divided = arith::DivSIOp::create(builder, loc, lhs, select(unsafe, constant(1), rhs));
    Value negated = arith::SubIOp::create(builder, loc, constant(0), lhs);
    return select(byZero, constant(-1), select(byMinusOne, negated, divided));
  }

  Value remainder(bool isSigned) {
    Value byZero = compare(arith::CmpIPredicate::eq, constant(0));
    if (!isSigned) {
      Value rest = arith::RemUIOp::create(builder, loc, lhs, select(byZero, constant(1), rhs));
      return select(byZero, lhs, rest);
    }
    Value byMinusOne = compare(arith::CmpIPredicate::eq, constant(-1));
    Value unsafe = arith::OrIOp::create(builder, loc, byZero, byMinusOne);
    Value rest = arith::RemSIOp::create(builder, loc, lhs, select(unsafe, constant(1), rhs));
    return select(byZero, lhs, rest);
  }

  template <typename ShiftOp> Value logicalShift() {
    Value tooFar = compare(arith::CmpIPredicate::uge, constant(width()));
    Value shifted = ShiftOp::create(builder, loc, lhs, select(tooFar, constant(0), rhs));
    return select(tooFar, constant(0), shifted);
  }

  Value arithmeticShift() {
    Value tooFar = compare(arith::CmpIPredicate::uge, constant(width()));
    return arith::ShRSIOp::create(builder, loc, lhs, select(tooFar, constant(width() - 1), rhs));
  }

private:
  int64_t width() const {
    Type element = getElementTypeOrSelf(lhs.getType());
    return element.isIndex() ? indexBits : element.getIntOrFloatBitWidth();
  }

  Value constant(int64_t value) {
    Type type = lhs.getType();
    Type element = getElementTypeOrSelf(type);
    // One bit has no room for a signed 1.
    IntegerAttr scalar =
        element.isIndex()
            ? builder.getIndexAttr(value)
            : IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), value,
                                              /*isSigned=*/true, /*implicitTrunc=*/true));
    TypedAttr attr = scalar;
    if (auto vectorType = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vectorType, scalar.getValue());
    return arith::ConstantOp::create(builder, loc, attr);
  }

  Value compare(arith::CmpIPredicate predicate, Value bound) {
    return arith::CmpIOp::create(builder, loc, predicate, rhs, bound);
  }

  Value select(Value condition, Value ifTrue, Value ifFalse) {
    return arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
  }

  OpBuilder builder;
  Location loc;
  Value lhs, rhs;
  unsigned indexBits;
};

} // namespace

/// True if the right operand is a constant for which `op` is defined as it stands.
static bool hasSafeConstant(Operation *op, unsigned indexBits) {
  APInt value;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&value)))
    return false;
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    Type element = getElementTypeOrSelf(op->getOperand(0).getType());
    return value.ult(element.isIndex() ? indexBits : element.getIntOrFloatBitWidth());
  }
  return !value.isZero() && !value.isAllOnes();
}

void fuser::host::defineIntegerEdgeCases(Operation *root, unsigned indexBits) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::ShLIOp,
            arith::ShRUIOp, arith::ShRSIOp>(op) &&
        !hasSafeConstant(op, indexBits))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Guard guard(op, indexBits);
    Value result;
    if (isa<arith::DivSIOp, arith::DivUIOp>(op))
      result = guard.quotient(isa<arith::DivSIOp>(op));
    else if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      result = guard.remainder(isa<arith::RemSIOp>(op));
    else if (isa<arith::ShLIOp>(op))
      result = guard.logicalShift<arith::ShLIOp>();
    else if (isa<arith::ShRUIOp>(op))
      result = guard.logicalShift<arith::ShRUIOp>();
    else
      result = guard.arithmeticShift();
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}
