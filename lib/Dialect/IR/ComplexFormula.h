//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Complex numbers while the scalar form of an op is built: their parts, arithmetic and tests.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_COMPLEXFORMULA_H
#define FUSER_LIB_DIALECT_IR_COMPLEXFORMULA_H

#include "ElementFormula.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include <cmath>

namespace fuser {

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
inline Complex conj(Complex z) { return {z.real, -z.imaginary}; }
inline Real hypot(Complex z) { return hypot(z.real, z.imaginary); }

/// R. Smith, "Algorithm 116: complex division", 1962: scaled by the larger part of the divisor.
inline Complex operator/(Complex x, Complex y) {
  Real c = y.real, d = y.imaginary;
  mlir::Value realIsLarger = abs(d) <= abs(c);
  Real large = select(realIsLarger, c, d), small = select(realIsLarger, d, c);
  mlir::Value isZero = large == 0;
  Real ratio = select(isZero, large.constant(0), small / large);
  // The sign of a zero divisor is lost: both parts divide by +0.
  Real divisor = select(isZero, abs(large), large + small * ratio);
  Real first = select(realIsLarger, x.real, x.imaginary);
  Real second = select(realIsLarger, x.imaginary, x.real);
  // (a + b r) / divisor and (b - a r) / divisor; with the parts of the divisor exchanged (a r + b)
  // and (b r - a).
  Real real = first + second * ratio;
  Real cross = second - first * ratio;
  Real imaginary = select(realIsLarger, cross, -cross);
  // Division by zero must not give 0 * inf.
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

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_COMPLEXFORMULA_H
