//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds arith and math on elements: scalars or vectors of them, half types computed in f32.
//
// A complex element is a single value too, because vectors cannot hold complex numbers: an integer
// of twice the width of a part, with the real part in its low half, as in memory (ADR 47). Code
// that only moves elements needs no more than this; code that computes unpacks the parts.
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

  /// The type in which an element type computes: f32 for f16, bf16 and f8, else itself.
  static mlir::Type getComputeType(mlir::Type element);
  /// `element`, or a vector of it if `like` is a vector.
  static mlir::Type getTypeLike(mlir::Value like, mlir::Type element);

  /// The type that holds an element: i64 for complex<f32>, i128 for complex<f64>, else the type
  /// itself.
  static mlir::Type getRegisterType(mlir::Type element);

  /// The parts of a complex number, of one float type each.
  struct Parts {
    mlir::Value real, imaginary;
  };
  /// Splits an element of complex<`part`> into its parts, and combines parts.
  Parts unpack(mlir::Value element, mlir::Type part);
  mlir::Value pack(Parts parts);
  /// The parts of an element of type `from`, converted to `part`; the imaginary part of a real
  /// element is 0.
  Parts getParts(mlir::Value element, mlir::Type from, mlir::Type part);
  /// Converts an element of type `from`; both types may be complex. A conversion to complex sets
  /// the imaginary part to 0, one to real drops it, and one to bool gives true iff a part is not
  /// zero.
  mlir::Value convert(mlir::Value element, mlir::Type from, mlir::Type to);

  /// Converts between numeric types that are not complex, as PyTorch does: float to integer drops
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
  /// The maximum (minimum) of two values of one compute type; NaN wins, 0 is greater than -0.
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
/// True if a cast from `from` through `through` to `to` equals a cast from `from` to `to`:
/// `through` preserves the value, and the conversion to `to` is the same for integers and floats
/// (values out of range wrap from integers and saturate from floats).
bool isRedundantCast(mlir::Type from, mlir::Type through, mlir::Type to);

} // namespace fuser

#endif // FUSER_DIALECT_IR_ELEMENTBUILDER_H
