//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Formulas of complex numbers, written as such, for the scalar forms of ops: those that neither
// overflow nor cancel where the result does not.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_COMPLEXFORMULA_H
#define FUSER_LIB_DIALECT_IR_COMPLEXFORMULA_H

#include "ElementFormula.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include <cmath>

namespace fuser {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A complex number while the scalar form of an op is built.
struct Complex {
  Real real, imaginary;
};

//===----------------------------------------------------------------------===//
// In and out of the registers that hold an element
//===----------------------------------------------------------------------===//

inline mlir::Value toResult(ElementBuilder &b, Complex z) {
  return b.pack({z.real.value, z.imaginary.value});
}
inline mlir::Value toResult(ElementBuilder &, Real x) { return x.value; }
inline mlir::Value toResult(ElementBuilder &, mlir::Value test) { return test; }

/// The part type that the tensors among an op's operands and results have.
inline mlir::Type getPart(mlir::Operation *op) {
  llvm::SmallVector<mlir::Type> types(op->getResultTypes());
  llvm::append_range(types, op->getOperandTypes());
  for (mlir::Type type : types)
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
      if (auto complexType = llvm::dyn_cast<mlir::ComplexType>(tensor.getElementType()))
        return complexType.getElementType();
  llvm_unreachable("no complex operand and no complex result");
}

/// The element that `formula` makes of the operands: complex numbers of `part`, real operands among
/// them. It returns a Complex, a Real or a mlir::Value (a test).
template <typename Formula>
mlir::Value buildComplex(mlir::Operation *op, mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::ValueRange operands, Formula formula) {
  ElementBuilder b(builder, loc, op->getResult(0).getType());
  mlir::Type part = getPart(op);
  llvm::SmallVector<Complex, 4> z;
  for (auto [element, operand] : llvm::zip_equal(operands, op->getOperands())) {
    ElementBuilder::Parts parts =
        b.getParts(element, mlir::getElementTypeOrSelf(operand.getType()), part);
    z.push_back({{&b, parts.real}, {&b, parts.imaginary}});
  }
  return toResult(b, formula(llvm::ArrayRef<Complex>(z)));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

inline Complex operator+(Complex x, Complex y) {
  return {x.real + y.real, x.imaginary + y.imaginary};
}
inline Complex operator-(Complex x, Complex y) {
  return {x.real - y.real, x.imaginary - y.imaginary};
}
inline Complex operator-(Complex z) { return {-z.real, -z.imaginary}; }
inline Complex operator*(Complex x, Complex y) {
  return {x.real * y.real - x.imaginary * y.imaginary, x.real * y.imaginary + x.imaginary * y.real};
}
inline Complex operator*(Complex z, double factor) {
  return {z.real * factor, z.imaginary * factor};
}
inline Complex select(mlir::Value condition, Complex onTrue, Complex onFalse) {
  return {select(condition, onTrue.real, onFalse.real),
          select(condition, onTrue.imaginary, onFalse.imaginary)};
}
inline mlir::Value both(Real like, mlir::Value a, mlir::Value b) {
  return like.b->create<mlir::arith::AndIOp>({a, b});
}
inline mlir::Value either(Real like, mlir::Value a, mlir::Value b) {
  return like.b->create<mlir::arith::OrIOp>({a, b});
}
/// x + 0i
inline Complex makeReal(Real x) { return {x, x.constant(0)}; }
/// z * i
inline Complex timesI(Complex z) { return {-z.imaginary, z.real}; }
/// z / i
inline Complex overI(Complex z) { return {z.imaginary, -z.real}; }
inline Real hypot(Complex z) { return hypot(z.real, z.imaginary); }

/// R. Smith, "Algorithm 116: complex division", 1962: scaled by the larger part of the divisor.
inline Complex operator/(Complex x, Complex y) {
  Real c = y.real, d = y.imaginary;
  mlir::Value realIsLarger = abs(d) <= abs(c);
  Real large = select(realIsLarger, c, d), small = select(realIsLarger, d, c);
  mlir::Value isZero = large == 0;
  Real ratio = select(isZero, large.constant(0), small / large);
  // Of a zero the sign is lost: both parts divide by +0.
  Real divisor = select(isZero, abs(large), large + small * ratio);
  Real first = select(realIsLarger, x.real, x.imaginary);
  Real second = select(realIsLarger, x.imaginary, x.real);
  // (a + b r) / divisor and (b - a r) / divisor; with the parts of the divisor exchanged (a r + b)
  // and (b r - a).
  Real real = first + second * ratio;
  Real cross = second - first * ratio;
  Real imaginary = select(realIsLarger, cross, -cross);
  // 0 * inf is not what x / 0 is about.
  real = select(isZero, x.real, real);
  imaginary = select(isZero, x.imaginary, imaginary);
  return {real / divisor, imaginary / divisor};
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

inline mlir::Value isFinite(Real x) { return abs(x) < kInfinity; }
/// True where a part is not zero.
inline mlir::Value isTrue(Complex z) {
  auto differs = [](Real x) { return x.compare(mlir::arith::CmpFPredicate::UNE, x.constant(0)); };
  return either(z.real, differs(z.real), differs(z.imaginary));
}

//===----------------------------------------------------------------------===//
// Exponential and logarithm
//===----------------------------------------------------------------------===//

inline bool isDouble(Real x) { return mlir::getElementTypeOrSelf(x.value.getType()).isF64(); }
/// A number that depends on the part type.
inline Real byType(Real like, double ofSingle, double ofDouble) {
  return like.constant(isDouble(like) ? ofDouble : ofSingle);
}

/// `factor` * x where that exists, and `factor` itself where x is NaN and the factor infinite or
/// zero: an infinity keeps its place beside a direction that is none.
inline Real scaleUnlessNan(Real factor, Real x, mlir::Value keeps) {
  Real one = x.constant(1);
  return factor * select(both(x, keeps, x.compare(mlir::arith::CmpFPredicate::UNO, x)), one, x);
}

inline Complex exp(Complex z) {
  Real x = z.real, y = z.imaginary;
  // Where exp(x) may overflow and the result need not: in two factors.
  mlir::Value isLarge = byType(x, 88, 709) < x;
  Real first = exp(select(isLarge, x * 0.5, x)), second = select(isLarge, first, x.constant(1));
  Real cosine = scaleUnlessNan(first, cos(y), abs(x) == kInfinity);
  Real sine = scaleUnlessNan(first, sin(y), x == -kInfinity);
  return {cosine * second, select(y == 0, y, sine * second)};
}

/// log|z|, exact where that is near 0.
inline Real logOfMagnitude(Complex z) {
  Real x = abs(z.real), y = abs(z.imaginary);
  Real large = maximum(x, y), small = minimum(x, y);
  // |z|^2 - 1 = (large - 1)(large + 1) + small^2
  Real nearOne = log1p((large - 1) * (large + 1) + small * small) * 0.5;
  Real ratio = small / large;
  Real far = log(large) + log1p(ratio * ratio) * 0.5;
  mlir::Value isNear = both(x, x.constant(0.5) <= large, large <= 2);
  Real result = select(large == 0, x.constant(-kInfinity), select(isNear, nearOne, far));
  mlir::Value isInfinite = either(x, x == kInfinity, y == kInfinity);
  return select(isInfinite, x.constant(kInfinity), result);
}

inline Complex log(Complex z) { return {logOfMagnitude(z), atan2(z.imaginary, z.real)}; }

/// exp(w log(z)). Its error grows with that of the exponent, which is why complex<f32> computes in
/// f64.
inline Complex pow(Complex z, Complex w) {
  Complex result = exp(w * log(z));
  auto isZero = [](Complex x) { return both(x.real, x.real == 0, x.imaginary == 0); };
  Real zero = z.real.constant(0), nan = zero.constant(std::nan(""));
  Real ofZero = select(w.real > 0, zero, nan);
  result = select(isZero(z), {ofZero, ofZero}, result);
  return select(isZero(w), makeReal(zero.constant(1)), result);
}

//===----------------------------------------------------------------------===//
// Square root
//===----------------------------------------------------------------------===//

/// From t = sqrt((|x| + |z|) / 2): that is one part, and |y| / (2 t) the other.
inline Complex sqrt(Complex z) {
  Real large = maximum(abs(z.real), abs(z.imaginary));
  // Scaled by a power of 4 where |x| + |z| may overflow or has few bits; the root by that of 2.
  mlir::Value isLarge = byType(large, 0x1p125, 0x1p1021) < large;
  mlir::Value isSmall = large < byType(large, 0x1p-100, 0x1p-960);
  Real one = large.constant(1);
  Real scale =
      select(isLarge, large.constant(0.0625), select(isSmall, large.constant(0x1p64), one));
  Real back = select(isLarge, large.constant(4), select(isSmall, large.constant(0x1p-32), one));
  Real x = z.real * scale, y = z.imaginary * scale;
  Real root = sqrt((abs(x) + hypot(x, y)) * 0.5);
  Real other = select(root == 0, abs(y), abs(y) / (root + root));
  mlir::Value isLeft = x < 0;
  Complex result = {select(isLeft, other, root) * back, select(isLeft, root, other) * back};
  // Of x + inf i it is inf + inf i, NaN for x too.
  Real infinity = large.constant(kInfinity);
  mlir::Value isInfinite = abs(z.imaginary) == kInfinity;
  result = select(isInfinite, {infinity, infinity}, result);
  return {result.real, copysign(result.imaginary, z.imaginary)};
}

//===----------------------------------------------------------------------===//
// Hyperbolic and trigonometric functions
//===----------------------------------------------------------------------===//

/// cosh(x) and sinh(x) as products: each times `factor`, which is not 1 where they overflow.
struct Hyperbolic {
  Real cosh, sinh, factor;
};

inline Hyperbolic getHyperbolic(Real x) {
  Real magnitude = abs(x), one = x.constant(1);
  mlir::Value isLarge = byType(x, 88, 709) < magnitude;
  // exp(|x|) / 2, of which both are the nearest float.
  Real root = exp(magnitude * 0.5), half = root * 0.5;
  return {select(isLarge, half, cosh(x)), select(isLarge, copysign(half, x), sinh(x)),
          select(isLarge, root, one)};
}

inline Complex sinh(Complex z) {
  Hyperbolic h = getHyperbolic(z.real);
  Real y = z.imaginary;
  return {h.sinh * cos(y) * h.factor, select(y == 0, y, h.cosh * sin(y) * h.factor)};
}

inline Complex cosh(Complex z) {
  Hyperbolic h = getHyperbolic(z.real);
  Real y = z.imaginary;
  Real sine = select(y == 0, copysign(y.constant(0), y) * copysign(y.constant(1), z.real),
                     h.sinh * sin(y) * h.factor);
  return {h.cosh * cos(y) * h.factor, sine};
}

/// W. Kahan, "Branch cuts for complex elementary functions", 1987. Far from the imaginary axis the
/// real part is 1 or -1, and the imaginary 4 sin(y) cos(y) exp(-2 |x|).
inline Complex tanh(Complex z) {
  Real x = z.real, y = z.imaginary;
  Real tangent = tan(y), beta = tangent * tangent + 1;
  Real s = sinh(x), rho = sqrt(s * s + 1);
  Real divisor = beta * s * s + 1;
  Complex near = {beta * rho * s / divisor, tangent / divisor};
  Real decay = exp(-abs(x));
  Complex far = {copysign(x.constant(1), x), sin(y) * cos(y) * 4 * decay * decay};
  return select(byType(x, 11, 22) < abs(x), far, near);
}

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_COMPLEXFORMULA_H
