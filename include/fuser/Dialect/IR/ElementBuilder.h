//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds arith and math on elements: scalars or vectors of them, half types computed in f32.
//
// A complex element is one value too, since vectors hold none: an integer of twice the width of a
// part, the real part in its low half, as it lies in memory (ADR 47). Whoever moves elements needs
// no more than that; who computes takes it apart.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_ELEMENTBUILDER_H
#define FUSER_DIALECT_IR_ELEMENTBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace fuser {

/// A helper for the scalar form of one op. `resultType` is the result's tensor (or element) type;
/// values may be scalars or vectors, all of one length.
class ElementBuilder {
public:
  ElementBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type resultType)
      : builder(builder), loc(loc), resultElement(mlir::getElementTypeOrSelf(resultType)) {}

  /// The type that an element type computes in: f32 for f16, bf16 and f8, else itself.
  static mlir::Type getComputeType(mlir::Type element);
  /// `element`, or a vector of it where `like` is a vector.
  static mlir::Type getTypeLike(mlir::Value like, mlir::Type element);

  /// What holds an element: i64 for complex<f32>, i128 for complex<f64>, else the type itself.
  static mlir::Type getRegisterType(mlir::Type element);

  /// The parts of a complex number, of one float type each.
  struct Parts {
    mlir::Value real, imaginary;
  };
  /// Takes an element of complex<`part`> apart, and puts one together.
  Parts unpack(mlir::Value element, mlir::Type part);
  mlir::Value pack(Parts parts);
  /// The parts of an element of type `from` (0 the imaginary one where it is real), as `part`.
  Parts getParts(mlir::Value element, mlir::Type from, mlir::Type part);
  /// Converts an element of type `from`, which may be complex as `to` may: to complex with an
  /// imaginary part of 0, to real without it, to bool true where a part is not zero.
  mlir::Value convert(mlir::Value element, mlir::Type from, mlir::Type to);

  /// Converts between numeric types that are not complex as PyTorch does: float to integer drops
  /// the fraction (saturates beyond the range, NaN gives 0), to bool tests against zero, half types
  /// convert through f32.
  mlir::Value convertTo(mlir::Value value, mlir::Type element);
  /// A constant of `element`, in the shape of `like`.
  mlir::Value constant(mlir::Value like, mlir::Type element, double value);
  /// An integer constant of `element`, in the shape of `like`.
  mlir::Value constant(mlir::Value like, mlir::Type element, const llvm::APInt &value);
  /// A constant of the type of `like` (element and shape).
  mlir::Value constantLike(mlir::Value like, double value);
  /// The scalar `value`, as a vector where `like` is one.
  mlir::Value splatLike(mlir::Value like, mlir::Value value);

  /// Creates an op whose result has the type of its first operand.
  template <typename OpT> mlir::Value create(mlir::ValueRange operands) {
    return OpT::create(builder, loc, operands[0].getType(), operands)->getResult(0);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value onTrue, mlir::Value onFalse);

  /// True where `value` computes in floats.
  static bool isFloat(mlir::Value value) {
    return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value.getType()));
  }
  /// Applies the float or the integer op to operands that already have one compute type.
  template <typename FloatOp, typename IntOp> mlir::Value apply(mlir::ValueRange operands) {
    return isFloat(operands[0]) ? create<FloatOp>(operands) : create<IntOp>(operands);
  }
  /// Converts the operands to the result's compute type, applies the op, rounds to the result's
  /// element type.
  template <typename FloatOp, typename IntOp> mlir::Value binary(mlir::ValueRange operands) {
    return convertTo(apply<FloatOp, IntOp>(toCompute(operands)), resultElement);
  }
  /// As `binary`, for ops of one operand, or of any number of floats.
  template <typename FloatOp, typename IntOp = FloatOp>
  mlir::Value unary(mlir::ValueRange operands) {
    return binary<FloatOp, IntOp>(operands);
  }
  /// The greater (smaller) of two values of one compute type; NaN wins, 0 is greater than -0.
  mlir::Value maximum(mlir::Value lhs, mlir::Value rhs);
  mlir::Value minimum(mlir::Value lhs, mlir::Value rhs);

  /// Compares two elements in the compute type of the operand that is a tensor (`lhsType`,
  /// `rhsType`: the op's operand types); bool compares as unsigned.
  mlir::Value compare(mlir::ValueRange operands, mlir::Type lhsType, mlir::Type rhsType,
                      mlir::arith::CmpFPredicate floatPredicate,
                      mlir::arith::CmpIPredicate intPredicate);

  /// The square of the one operand, in the result's element type.
  mlir::Value square(mlir::ValueRange operands);
  /// The same bits as `element`, a type of one width.
  mlir::Value bitcast(mlir::Value value, mlir::Type element);

  /// The operands in the result's compute type.
  llvm::SmallVector<mlir::Value> toCompute(mlir::ValueRange operands);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type resultElement;
};

/// A zero of an element type, complex or not, as a scalar of this type.
mlir::Value createZero(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element);

/// True where every value of the element type `from` is one of `to` (an i1 is 0 or 1).
bool isValuePreservingCast(mlir::Type from, mlir::Type to);
/// True where a cast from `from` through `through` to `to` gives what a cast from `from` to `to`
/// gives: `through` keeps the value, and `to` does not tell integers from floats (what does not fit
/// wraps from the one and saturates from the other).
bool isRedundantCast(mlir::Type from, mlir::Type through, mlir::Type to);

} // namespace fuser

#endif // FUSER_DIALECT_IR_ELEMENTBUILDER_H
