//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tensor as plain values in memory, for the reference evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_REFERENCE_TENSOR_H
#define FUSER_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

namespace fuser::reference {

/// The representation of an element: a double, an int64_t (sign-extended; 0 or 1 for i1), or a pair
/// of doubles.
enum class ElementKind { Float, Integer, Complex };

/// Kind of an element type: float, integer or index, complex.
ElementKind getElementKind(mlir::Type elementType);

/// A dense row-major tensor. A scalar is a tensor without dimensions whose element type is the
/// scalar's type.
///
/// Values of a narrow type need not be representable in it: the evaluator rounds at the ops that do
/// (see Evaluate.h).
class Tensor {
public:
  Tensor() = default;
  /// All zeros. `shape` has no negative or dynamic sizes.
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);
  /// Row-major values of a float, an integer and a complex tensor; their number must match `shape`.
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, std::vector<double> values);
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, std::vector<int64_t> values);
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
         std::vector<std::complex<double>> values);
  static Tensor scalar(mlir::Type type, double value) {
    return Tensor(type, {}, std::vector{value});
  }
  static Tensor scalar(mlir::Type type, int64_t value) {
    return Tensor(type, {}, std::vector{value});
  }

  mlir::Type getElementType() const { return elementType; }
  ElementKind getKind() const { return getElementKind(elementType); }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDimSize(int64_t dim) const { return shape[dim]; }
  int64_t getNumElements() const;
  /// Row-major strides, in elements.
  llvm::SmallVector<int64_t> getStrides() const;
  /// The same values with another shape of the same number of elements.
  Tensor reshaped(llvm::ArrayRef<int64_t> newShape) const;

  // The values, for the kind of the element type only.
  std::vector<double> &floats() { return floatValues; }
  const std::vector<double> &floats() const { return floatValues; }
  std::vector<int64_t> &integers() { return integerValues; }
  const std::vector<int64_t> &integers() const { return integerValues; }
  std::vector<std::complex<double>> &complexes() { return complexValues; }
  const std::vector<std::complex<double>> &complexes() const { return complexValues; }

  /// The values as T (double, int64_t, std::complex<double>), for the matching kind only.
  template <typename T> std::vector<T> &values();
  template <typename T> const std::vector<T> &values() const {
    return const_cast<Tensor *>(this)->values<T>();
  }

  /// Element `index` in row-major order as a double; the real part of a complex value.
  double asDouble(int64_t index) const;
  std::complex<double> asComplex(int64_t index) const;

private:
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  std::vector<double> floatValues;
  std::vector<int64_t> integerValues;
  std::vector<std::complex<double>> complexValues;
};

template <> inline std::vector<double> &Tensor::values() { return floatValues; }
template <> inline std::vector<int64_t> &Tensor::values() { return integerValues; }
template <> inline std::vector<std::complex<double>> &Tensor::values() { return complexValues; }

/// Product of sizes; 1 for no dimensions.
int64_t getNumElements(llvm::ArrayRef<int64_t> shape);
/// "3x7xf32", "f32" for a scalar.
void printShape(llvm::raw_ostream &stream, const Tensor &tensor);

/// Rounds `value` to the values of a result of this float type. f16, bf16 and the 8-bit formats
/// round to nearest even, and so does f32 if `roundF32`; otherwise f32 only gets its range
/// (overflow to infinity, underflow to zero) and keeps the precision of double.
double roundToType(double value, mlir::Type floatType, bool roundF32 = false);
/// Wraps `value` to the width of an integer type (sign-extended; i1: the low bit).
int64_t wrapToType(int64_t value, mlir::Type integerType);
/// Applies roundToType or wrapToType to every element.
void roundElements(Tensor &tensor, bool roundF32 = false);

} // namespace fuser::reference

#endif // FUSER_REFERENCE_TENSOR_H
