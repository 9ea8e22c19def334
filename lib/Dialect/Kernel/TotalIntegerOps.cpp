//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/TotalIntegerOps.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {
/// Builds the guard around one op. The op itself stays, with a harmless second operand; its users
/// use a select.
class Guard {
public:
  Guard(Operation *op, unsigned width)
      : op(op), builder(op), loc(op->getLoc()), type(op->getResult(0).getType()),
        lhs(op->getOperand(0)), rhs(op->getOperand(1)), width(width) {}

  /// `zeroGivesOnes`: division by zero gives all ones; else the dividend.
  void division(bool isSigned, bool zeroGivesOnes) {
    Value isZero = equals(rhs, APInt::getZero(width));
    Value harmful = isZero;
    if (isSigned) {
      Value overflows = arith::AndIOp::create(builder, loc, equals(rhs, APInt::getAllOnes(width)),
                                              equals(lhs, APInt::getSignedMinValue(width)));
      harmful = arith::OrIOp::create(builder, loc, isZero, overflows);
    }
    op->setOperand(1,
                   arith::SelectOp::create(builder, loc, harmful, constant(APInt(width, 1)), rhs));
    Value whenZero = zeroGivesOnes ? constant(APInt::getAllOnes(width)) : lhs;
    replaceUses(isZero, whenZero);
  }

  /// A logical shift: too large an amount gives zero.
  void logicalShift() {
    Value tooFar = exceeds();
    op->setOperand(
        1, arith::SelectOp::create(builder, loc, tooFar, constant(APInt::getZero(width)), rhs));
    replaceUses(tooFar, constant(APInt::getZero(width)));
  }

  /// An arithmetic shift: too large an amount gives the sign.
  void arithmeticShift() {
    op->setOperand(1, arith::MinUIOp::create(builder, loc, rhs, constant(APInt(width, width - 1))));
  }

private:
  Value constant(const APInt &value) {
    Type element = getElementTypeOrSelf(type);
    // An attribute of type index holds 64 bits, whatever the width of an index.
    APInt stored = element.isIndex() ? value.sext(IndexType::kInternalStorageBitWidth) : value;
    return fuser::kernel_ir::createConstant(builder, loc, type, stored);
  }

  Value equals(Value value, const APInt &expected) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, constant(expected));
  }

  Value exceeds() {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, rhs,
                                 constant(APInt(width, width)));
  }

  void replaceUses(Value condition, Value otherwise) {
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    auto select = arith::SelectOp::create(builder, loc, condition, otherwise, result);
    result.replaceAllUsesExcept(select, select);
  }

  Operation *op;
  OpBuilder builder;
  Location loc;
  Type type;
  Value lhs, rhs;
  unsigned width;
};
} // namespace

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static bool isShift(Operation *op) {
  return isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
}

/// True if the second operand is a constant for which the op is defined.
static bool hasHarmlessConstant(Operation *op, unsigned width) {
  APInt value;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&value)))
    return false;
  if (isShift(op))
    return value.ult(width);
  return !value.isZero() && !value.isAllOnes();
}

void fuser::kernel_ir::makeIntegerOpsTotal(Operation *root, std::optional<unsigned> indexBits) {
  SmallVector<std::pair<Operation *, unsigned>> partial;
  root->walk([&](Operation *op) {
    if (!isDivision(op) && !isShift(op))
      return;
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    if (element.isIndex() && !indexBits)
      return;
    unsigned width = element.isIndex() ? *indexBits : element.getIntOrFloatBitWidth();
    if (!hasHarmlessConstant(op, width))
      partial.push_back({op, width});
  });
  for (auto [op, width] : partial) {
    Guard guard(op, width);
    if (isa<arith::ShRSIOp>(op))
      guard.arithmeticShift();
    else if (isShift(op))
      guard.logicalShift();
    else if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      guard.division(isa<arith::RemSIOp>(op), /*zeroGivesOnes=*/false);
    else
      guard.division(!isa<arith::DivUIOp, arith::CeilDivUIOp>(op), /*zeroGivesOnes=*/true);
  }
}
