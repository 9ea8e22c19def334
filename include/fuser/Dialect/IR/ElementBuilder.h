//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds arith and math on elements: scalars or vectors of them, half types computed in f32.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_ELEMENTBUILDER_H
#define FUSER_DIALECT_IR_ELEMENTBUILDER_H

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

  /// Converts between numeric types as PyTorch does: float to integer truncates, to bool tests
  /// against zero.
  mlir::Value convertTo(mlir::Value value, mlir::Type element);
  /// A constant of `element`, in the shape of `like`.
  mlir::Value constant(mlir::Value like, mlir::Type element, double value);

  /// Applies the float or the integer op to operands that already have one compute type.
  template <typename FloatOp, typename IntOp> mlir::Value apply(mlir::ValueRange operands) {
    if (mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(operands[0].getType())))
      return FloatOp::create(builder, loc, operands[0].getType(), operands)->getResult(0);
    return IntOp::create(builder, loc, operands[0].getType(), operands)->getResult(0);
  }
  /// Converts the operands to the result's compute type, applies the op, rounds to the result's
  /// element type.
  template <typename FloatOp, typename IntOp> mlir::Value binary(mlir::ValueRange operands) {
    return convertTo(apply<FloatOp, IntOp>(toCompute(operands)), resultElement);
  }
  /// The operands in the result's compute type.
  llvm::SmallVector<mlir::Value> toCompute(mlir::ValueRange operands);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type resultElement;
};

} // namespace fuser

#endif // FUSER_DIALECT_IR_ELEMENTBUILDER_H
