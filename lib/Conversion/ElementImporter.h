//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts one op of arith, math or complex to pointwise ops on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_ELEMENTIMPORTER_H
#define FUSER_LIB_CONVERSION_ELEMENTIMPORTER_H

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace fuser::conversion {

/// Creates the ops for one element op; null if it has no conversion.
struct ElementImporter {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Operation *op;
  mlir::ValueRange operands;
  std::string &reason;

  template <typename OpT, typename... Values> mlir::Value make(Values... values) {
    return OpT::create(builder, loc, values...);
  }
  template <typename OpT> Value unary() { return make<OpT>(tensorOf(operands[0])); }
  template <typename OpT> Value binary() { return make<OpT>(operands[0], operands[1]); }
  Value isNot(Value value) { return make<LogicalNotOp>(value); }
  /// Unary ops have no scalar operands; only tests of mixed operands may pass one.
  Value tensorOf(Value value) { return value; }
  Value constant(mlir::Type type, int64_t value) {
    return mlir::arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  /// The element type of the op's first operand in the source function.
  mlir::Type operandType() { return mlir::getElementTypeOrSelf(op->getOperand(0).getType()); }
  bool isBool() { return operandType().isInteger(1); }
  Value refuse(const llvm::Twine &why) {
    reason = why.str();
    return {};
  }

  Value convertFloat();
  Value convertFunction();
  Value convertInteger();
  Value convertBool();
  Value convertComplex();
  Value convertCast();
  Value compareFloats(mlir::arith::CmpFOp compare);
  Value compareIntegers(mlir::arith::CmpIOp compare);
  Value isUnordered();
  /// Maps unsigned integers to signed ones with the same order.
  Value flipSign(Value value);
  Value roundHalfAway(Value x);
  Value raise(mlir::math::FPowIOp power);

  // UnsignedElements.cpp: unsigned integers and bits, which fuser has as signed integers.
  Value convertUnsigned();
  Value convertBits();
  Value raiseInteger(mlir::math::IPowIOp power);
  Value unsignedToFloat(Value value, mlir::Type to);
  Value floatToUnsigned(Value value, mlir::IntegerType to);
  Value divideUnsigned(Value lhs, Value rhs);
  Value remainderUnsigned(Value lhs, Value rhs);
  Value countOnes(Value value);
  Value smear(Value value);
  Value isLessUnsigned(Value lhs, Value rhs);
  /// Extends an unsigned integer, or a signless one as such, to a wider type.
  Value extend(Value value, mlir::Type to);
  /// A signed integer or a float as a float; a tensor or a scalar.
  Value toFloat(Value value, mlir::Type to);
  /// The constant of the element type of `like` (an integer) with these low bits.
  Value bits(Value like, uint64_t value);
  /// The element type of a new value: i64 for index.
  static mlir::Type elementOf(Value value) {
    return convertElementType(mlir::getElementTypeOrSelf(value.getType()));
  }
  /// An operand that is a tensor.
  Value getTensor() {
    return *llvm::find_if(
        operands, [](Value value) { return mlir::isa<mlir::RankedTensorType>(value.getType()); });
  }
};

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_ELEMENTIMPORTER_H
