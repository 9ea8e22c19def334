//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BoundedMath.h"
#include "ShortMath.h"
#include "fuser/Dialect/IR/ConstantFloats.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

static bool isOne(Value value) {
  auto splat = value.getDefiningOp<vector::BroadcastOp>();
  return matchPattern(splat ? splat.getSource() : value, m_OneFloat());
}

Value fuser::getAddedToOne(Operation *op) {
  auto sum = dyn_cast_or_null<arith::AddFOp>(op);
  if (sum && isOne(sum.getLhs()))
    return sum.getRhs();
  return sum && isOne(sum.getRhs()) ? sum.getLhs() : Value();
}

/// The exponent of exp or exp2; null for other values.
static Value getExponent(Value value) {
  if (auto exp = value.getDefiningOp<math::ExpOp>())
    return exp.getOperand();
  auto power = value.getDefiningOp<kernel_ir::ApproxOp>();
  return power && power.getFunction() == kernel_ir::ApproxFunction::Exp2 ? power.getOperand()
                                                                         : Value();
}

Value fuser::getExponentialAddedToOne(Value value) {
  Value term = getAddedToOne(value.getDefiningOp());
  return term && getExponent(term) ? term : Value();
}

/// Divisions by vectors outside of loops that are refined at most. The instructions of many would
/// be scheduled side by side: a group norm of which threads keep 16 vectors takes 160 instead of
/// 126 registers.
static constexpr int64_t kMostOutsideLoops = 8;

static bool isOutsideLoops(Operation *op) { return !op->getParentOfType<scf::ForOp>(); }

/// True for -|x|, and for products of it with a positive constant: at most 0, or NaN.
static bool isAtMostZero(Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    const std::optional<APFloat> factor = getConstantFloat(product.getRhs());
    return factor && !factor->isNegative() && isAtMostZero(product.getLhs());
  }
  auto negation = value.getDefiningOp<arith::NegFOp>();
  return negation && negation.getOperand().getDefiningOp<math::AbsFOp>();
}

Quotient fuser::approximateByAtLeastOne(OpBuilder &builder, arith::DivFOp op) {
  const Location loc = op.getLoc();
  Value power = getExponentialAddedToOne(op.getRhs()),
        quarter = kernel_ir::createConstant(builder, loc, power.getType(), 0.25f);
  Quotient result;
  result.divisor = math::FmaOp::create(builder, loc, power, quarter, quarter);
  Value dividend = op.getLhs();
  result.dividend = arith::MulFOp::create(builder, loc, dividend, quarter);
  result.reciprocal = kernel_ir::ApproxOp::create(builder, loc, result.divisor.getType(),
                                                  kernel_ir::ApproxFunction::Rcp, result.divisor,
                                                  /*ftz=*/true);
  result.value = arith::MulFOp::create(builder, loc, result.dividend, result.reciprocal);
  return result;
}

Value fuser::refineQuotient(OpBuilder &builder, Location loc, const Quotient &quotient) {
  Value rest =
      math::FmaOp::create(builder, loc, arith::NegFOp::create(builder, loc, quotient.value),
                          quotient.divisor, quotient.dividend);
  Value refined = math::FmaOp::create(builder, loc, rest, quotient.reciprocal, quotient.value);
  // An infinite quotient, or one by infinity, has no rest; a zero would lose its sign.
  Value hasNone =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UEQ, refined,
                            kernel_ir::createConstant(builder, loc, refined.getType(), 0.0f));
  return arith::SelectOp::create(builder, loc, hasNone, quotient.value, refined);
}

/// log(1 + x) = x + x * (x * s(x)) on [0, 1], with a polynomial s whose relative error of the
/// result is 2^-27.5: 1.15 units in the last place with the errors of rounding.
static Value buildLog1pOfUnit(OpBuilder &builder, math::Log1pOp op) {
  static constexpr float coefficients[] = {-0x1.b3d9bep-9f, 0x1.4b8e42p-6f,  -0x1.d8e760p-5f,
                                           0x1.b5c0ccp-4f,  -0x1.3a9108p-3f, 0x1.936528p-3f,
                                           -0x1.ff28bcp-3f, 0x1.554e0ap-2f,  -0x1.ffffd4p-2f};
  const Location loc = op.getLoc();
  Value x = op.getOperand();
  Value sum = kernel_ir::createConstant(builder, loc, x.getType(), coefficients[0]);
  for (float coefficient : ArrayRef(coefficients).drop_front())
    sum = math::FmaOp::create(builder, loc, sum, x,
                              kernel_ir::createConstant(builder, loc, x.getType(), coefficient));
  return math::FmaOp::create(builder, loc, arith::MulFOp::create(builder, loc, sum, x), x, x);
}

void fuser::useBoundedMath(gpu::GPUFuncOp function) {
  SmallVector<arith::DivFOp> divisions;
  SmallVector<math::Log1pOp> logarithms;
  function.walk([&](Operation *op) {
    auto division = dyn_cast<arith::DivFOp>(op);
    if (division && isF32Math(op) && getExponentialAddedToOne(division.getRhs()))
      divisions.push_back(division);
    auto logarithm = dyn_cast<math::Log1pOp>(op);
    Value exponent = logarithm && isF32Math(op) ? getExponent(logarithm.getOperand()) : Value();
    if (exponent && isAtMostZero(exponent))
      logarithms.push_back(logarithm);
  });
  auto replace = [](Operation *op, function_ref<Value(OpBuilder &)> build) {
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(build(builder));
    op->erase();
  };
  const bool areMany = llvm::count_if(divisions, isOutsideLoops) > kMostOutsideLoops;
  for (arith::DivFOp op : divisions)
    if (!areMany || !isOutsideLoops(op))
      replace(op, [&](OpBuilder &builder) {
        return refineQuotient(builder, op.getLoc(), approximateByAtLeastOne(builder, op));
      });
  for (math::Log1pOp op : logarithms)
    replace(op, [&](OpBuilder &builder) { return buildLog1pOfUnit(builder, op); });
}

/// True if the value may be zero for many elements: a selection of zero or something else, a
/// maximum with zero, a boolean, or a product with one of these.
static bool isOftenZero(Value value, unsigned depth = 8) {
  if (depth == 0)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto isZero = [](Value operand) {
    const std::optional<APFloat> constant = getConstantFloat(operand);
    return constant && constant->isZero();
  };
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return llvm::any_of(op->getOperands(), isZero);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return llvm::any_of(ArrayRef<Value>{select.getTrueValue(), select.getFalseValue()},
                        [&](Value arm) { return isZero(arm) || isOftenZero(arm, depth - 1); });
  if (isa<arith::UIToFPOp, arith::SIToFPOp>(op))
    return getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1);
  if (isa<arith::MulFOp, arith::NegFOp, math::AbsFOp, arith::ExtFOp, arith::TruncFOp,
          vector::BroadcastOp, vector::ExtractOp>(op))
    return llvm::any_of(op->getOperands(),
                        [&](Value operand) { return isOftenZero(operand, depth - 1); });
  return false;
}

/// `x / y` for an x that is often 0. The least y, subnormal, takes c to a number, and any other one
/// to a number or 0: 0 times c / y is 0 / y, with its sign, and NaN where that is.
static Value divideNonzero(OpBuilder &builder, arith::DivFOp op) {
  const Location loc = op.getLoc();
  constexpr float nonzero = 0x1p-22f;
  Value dividend = op.getLhs();
  const Type type = dividend.getType();
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, dividend,
                                       kernel_ir::createConstant(builder, loc, type, 0.0f));
  Value other = arith::SelectOp::create(
      builder, loc, isZero, kernel_ir::createConstant(builder, loc, type, nonzero), dividend);
  Value quotient = arith::DivFOp::create(builder, loc, other, op.getRhs());
  Value product = arith::MulFOp::create(builder, loc, dividend, quotient);
  return arith::SelectOp::create(builder, loc, isZero, product, quotient);
}

void fuser::divideNonzeros(gpu::GPUFuncOp function) {
  SmallVector<arith::DivFOp> divisions;
  function.walk([&](arith::DivFOp op) {
    if (isF32Math(op) && op.getFastmath() == arith::FastMathFlags::none &&
        !getConstantFloat(op.getRhs()) && isOftenZero(op.getLhs()))
      divisions.push_back(op);
  });
  for (arith::DivFOp op : divisions) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(divideNonzero(builder, op));
    op.erase();
  }
}
