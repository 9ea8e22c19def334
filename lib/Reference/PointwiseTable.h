//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Entries of the table of ops for functions of elements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_POINTWISETABLE_H
#define FUSER_LIB_REFERENCE_POINTWISETABLE_H

#include "MapElements.h"

namespace fuser::reference {

inline mlir::LogicalResult refuseElementType(OpContext &context) {
  return context.emitError() << "expected elements that the reference computes on, but got "
                             << getOperandElementType(context);
}

/// An op of N operands on floats only.
template <size_t N, typename Function>
void addFloat(OpTable &table, llvm::StringRef name, Function function) {
  table[name] = [function](OpContext &context) -> mlir::LogicalResult {
    if (getElementKind(getOperandElementType(context)) != ElementKind::Float)
      return refuseElementType(context);
    return mapElements<N, double, double>(context, function);
  };
}

/// An op of N operands on integers only.
template <size_t N, typename Function>
void addInteger(OpTable &table, llvm::StringRef name, Function function) {
  table[name] = [function](OpContext &context) -> mlir::LogicalResult {
    if (getElementKind(getOperandElementType(context)) != ElementKind::Integer)
      return refuseElementType(context);
    return mapElements<N, int64_t, int64_t>(context, function);
  };
}

/// An op of N operands on floats or integers, whose result has their kind.
template <size_t N, typename FloatFunction, typename IntegerFunction>
void addNumber(OpTable &table, llvm::StringRef name, FloatFunction onFloats,
               IntegerFunction onIntegers) {
  table[name] = [onFloats, onIntegers](OpContext &context) -> mlir::LogicalResult {
    switch (getElementKind(getOperandElementType(context))) {
    case ElementKind::Float:
      return mapElements<N, double, double>(context, onFloats);
    case ElementKind::Integer:
      return mapElements<N, int64_t, int64_t>(context, onIntegers);
    case ElementKind::Complex:
      return refuseElementType(context);
    }
    return mlir::failure();
  };
}

/// An op of N operands on floats or integers, whose result is a bool.
template <size_t N, typename Function>
void addTest(OpTable &table, llvm::StringRef name, Function function) {
  table[name] = [function](OpContext &context) -> mlir::LogicalResult {
    switch (getElementKind(getOperandElementType(context))) {
    case ElementKind::Float:
      return mapElements<N, double, int64_t>(context, function);
    case ElementKind::Integer:
      return mapElements<N, int64_t, int64_t>(context, function);
    case ElementKind::Complex:
      return refuseElementType(context);
    }
    return mlir::failure();
  };
}

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_POINTWISETABLE_H
