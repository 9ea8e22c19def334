//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Formulas of floats, written as such, for the scalar forms of ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_ELEMENTFORMULA_H
#define FUSER_LIB_DIALECT_IR_ELEMENTFORMULA_H

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/RareOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

namespace fuser {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A float of the compute type, or a vector of them, while the scalar form of an op is built. Each
/// operator makes one op; constants take the type of their neighbour.
struct Real {
  ElementBuilder *b;
  mlir::Value value;

  Real constant(double number) const { return {b, b->constantLike(value, number)}; }
  template <typename OpT> Real apply() const { return {b, b->create<OpT>(value)}; }
  template <typename OpT> Real apply(Real other) const {
    return {b, b->create<OpT>({value, other.value})};
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, Real other) const {
    return b->compare(predicate, value, other.value);
  }
};

inline Real operator+(Real x, Real y) { return x.apply<mlir::arith::AddFOp>(y); }
inline Real operator-(Real x, Real y) { return x.apply<mlir::arith::SubFOp>(y); }
inline Real operator*(Real x, Real y) { return x.apply<mlir::arith::MulFOp>(y); }
inline Real operator/(Real x, Real y) { return x.apply<mlir::arith::DivFOp>(y); }
inline Real operator-(Real x) { return x.apply<mlir::arith::NegFOp>(); }
inline Real operator+(Real x, double y) { return x + x.constant(y); }
inline Real operator-(Real x, double y) { return x - x.constant(y); }
inline Real operator*(Real x, double y) { return x * x.constant(y); }
inline Real operator/(Real x, double y) { return x / x.constant(y); }
inline Real operator-(double x, Real y) { return y.constant(x) - y; }
inline Real operator/(double x, Real y) { return y.constant(x) / y; }

// Ordered comparisons: false where an operand is NaN.
inline mlir::Value operator<(Real x, Real y) {
  return x.compare(mlir::arith::CmpFPredicate::OLT, y);
}
inline mlir::Value operator<=(Real x, Real y) {
  return x.compare(mlir::arith::CmpFPredicate::OLE, y);
}
inline mlir::Value operator>(Real x, Real y) { return y < x; }
inline mlir::Value operator==(Real x, Real y) {
  return x.compare(mlir::arith::CmpFPredicate::OEQ, y);
}
inline mlir::Value operator<(Real x, double y) { return x < x.constant(y); }
inline mlir::Value operator<=(Real x, double y) { return x <= x.constant(y); }
inline mlir::Value operator>(Real x, double y) { return x > x.constant(y); }
inline mlir::Value operator==(Real x, double y) { return x == x.constant(y); }

inline Real select(mlir::Value condition, Real onTrue, Real onFalse) {
  return {onTrue.b, onTrue.b->select(condition, onTrue.value, onFalse.value)};
}
/// The same for a condition that holds for few elements: kernels compute what only `onTrue` needs
/// in a branch.
inline Real selectRarely(mlir::Value condition, Real onTrue, Real onFalse) {
  Real result = select(condition, onTrue, onFalse);
  mlir::Operation *op = result.value.getDefiningOp();
  op->setAttr(kRareAttrName, mlir::UnitAttr::get(op->getContext()));
  return result;
}
/// The smaller and the greater; NaN wins.
inline Real minimum(Real x, Real y) { return {x.b, x.b->minimum(x.value, y.value)}; }
inline Real maximum(Real x, Real y) { return {x.b, x.b->maximum(x.value, y.value)}; }

inline Real abs(Real x) { return x.apply<mlir::math::AbsFOp>(); }
inline Real asinh(Real x) { return x.apply<mlir::math::AsinhOp>(); }
inline Real atan2(Real y, Real x) { return y.apply<mlir::math::Atan2Op>(x); }
inline Real cos(Real x) { return x.apply<mlir::math::CosOp>(); }
inline Real cosh(Real x) { return x.apply<mlir::math::CoshOp>(); }
inline Real copysign(Real x, Real sign) { return x.apply<mlir::math::CopySignOp>(sign); }
inline Real erf(Real x) { return x.apply<mlir::math::ErfOp>(); }
inline Real erfc(Real x) { return x.apply<mlir::math::ErfcOp>(); }
inline Real exp(Real x) { return x.apply<mlir::math::ExpOp>(); }
inline Real exp2(Real x) { return x.apply<mlir::math::Exp2Op>(); }
inline Real expm1(Real x) { return x.apply<mlir::math::ExpM1Op>(); }
inline Real log(Real x) { return x.apply<mlir::math::LogOp>(); }
inline Real log1p(Real x) { return x.apply<mlir::math::Log1pOp>(); }
inline Real sin(Real x) { return x.apply<mlir::math::SinOp>(); }
inline Real sinh(Real x) { return x.apply<mlir::math::SinhOp>(); }
/// 1 / (1 + exp(-x))
inline Real sigmoid(Real x) { return 1 / (exp(-x) + 1); }
inline Real sqrt(Real x) { return x.apply<mlir::math::SqrtOp>(); }
inline Real tanh(Real x) { return x.apply<mlir::math::TanhOp>(); }
inline Real tan(Real x) { return x.apply<mlir::math::TanOp>(); }
inline Real trunc(Real x) { return x.apply<mlir::math::TruncOp>(); }

/// sqrt(x^2 + y^2) without overflow or underflow of the squares; inf where one is infinite.
inline Real hypot(Real x, Real y) {
  x = abs(x);
  y = abs(y);
  Real large = maximum(x, y), ratio = minimum(x, y) / large;
  Real root = select(large == 0, large, large * sqrt(ratio * ratio + 1));
  Real infinity = x.constant(std::numeric_limits<double>::infinity());
  return select(x == infinity, infinity, select(y == infinity, infinity, root));
}

/// x * y + z, rounded once.
inline Real fma(Real x, Real y, Real z) {
  return {x.b, x.b->create<mlir::math::FmaOp>({x.value, y.value, z.value})};
}

inline Real roundEven(Real x) { return x.apply<mlir::math::RoundEvenOp>(); }
/// 1 / x to about one unit in the last place, for x whose magnitude is at least 2^-126: NaN for
/// infinities.
inline Real approximateReciprocal(Real x) {
  Real result = 1 / x;
  result.value.getDefiningOp<mlir::arith::DivFOp>().setFastmath(mlir::arith::FastMathFlags::afn);
  return result;
}
/// x without its nearest integer, in [-1/2, 1/2]: exact.
inline Real centeredFraction(Real x) { return x - roundEven(x); }

/// A polynomial, by Horner; `coefficients` from the highest power down.
inline Real polynomial(Real x, llvm::ArrayRef<double> coefficients) {
  Real sum = x.constant(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = fma(sum, x, x.constant(coefficient));
  return sum;
}

/// The element of a result of `resultType` that `formula` makes of the operands, which it gets in
/// the compute type.
template <typename Formula>
mlir::Value buildFormula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type resultType,
                         mlir::ValueRange operands, Formula formula) {
  ElementBuilder b(builder, loc, resultType);
  llvm::SmallVector<Real, 4> x;
  for (mlir::Value operand : b.toCompute(operands))
    x.push_back({&b, operand});
  return b.convertTo(formula(llvm::ArrayRef<Real>(x)).value, b.resultElement);
}

/// The same of one operand, all in f64.
template <typename Formula>
mlir::Value buildInDouble(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type resultType,
                          mlir::Value operand, Formula formula) {
  ElementBuilder b(builder, loc, resultType);
  Real x{&b, b.convertTo(operand, builder.getF64Type())};
  return b.convertTo(formula(x).value, b.resultElement);
}

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_ELEMENTFORMULA_H
