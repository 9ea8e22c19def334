//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Applies a function of elements to broadcast operands.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_MAPELEMENTS_H
#define FUSER_LIB_REFERENCE_MAPELEMENTS_H

#include "Iteration.h"
#include "OpContext.h"

#include <utility>

namespace fuser::reference {

/// The shape of a pointwise op's result: in each dimension the size of the operands that are not
/// statically 1 there. Fails at the op if two of them disagree.
mlir::FailureOr<llvm::SmallVector<int64_t>> inferBroadcastShape(OpContext &context);

/// Strides of a tensor, or of a scalar, over a broadcast shape: 0 where its size is 1.
llvm::SmallVector<int64_t> getBroadcastStrides(const Tensor &tensor, int64_t rank);

/// The element type of the first tensor operand (an op has one).
mlir::Type getOperandElementType(OpContext &context);

/// The operand's values as doubles, integers or complex numbers. A scalar is converted to the type
/// in which an op on `elementType` computes (f32 for half types); `storage` holds converted values.
const std::vector<double> &getOperandValues(OpContext &context, unsigned number,
                                            mlir::Type elementType, std::vector<double> &storage);
const std::vector<int64_t> &getOperandValues(OpContext &context, unsigned number,
                                             mlir::Type elementType, std::vector<int64_t> &storage);
const std::vector<std::complex<double>> &
getOperandValues(OpContext &context, unsigned number, mlir::Type elementType,
                 std::vector<std::complex<double>> &storage);

template <typename Function, typename T, size_t N, size_t... I>
auto applyTo(Function &function, const std::array<const T *, N> &data,
             const std::array<int64_t, N> &offsets, std::index_sequence<I...>) {
  return function(data[I][offsets[I]]...);
}

/// Sets the result to `function` of the elements of operands 0 .. N - 1, taken as
/// values of T; R holds the result's elements.
template <size_t N, typename T, typename R, typename Function>
mlir::LogicalResult mapElements(OpContext &context, Function function) {
  mlir::FailureOr<llvm::SmallVector<int64_t>> shape = inferBroadcastShape(context);
  if (mlir::failed(shape))
    return mlir::failure();
  mlir::Type elementType = getOperandElementType(context);
  std::array<std::vector<T>, N> storage;
  std::array<const T *, N> data;
  std::array<llvm::SmallVector<int64_t>, N> strides;
  for (size_t k = 0; k < N; ++k) {
    data[k] = getOperandValues(context, k, elementType, storage[k]).data();
    strides[k] = getBroadcastStrides(context.operand(k), shape->size());
  }
  Tensor result(context.resultElementType(), *shape);
  R *out = result.values<R>().data();
  forEachElement<N>(*shape, strides, [&](const std::array<int64_t, N> &offsets) {
    *out++ = R(applyTo(function, data, offsets, std::make_index_sequence<N>()));
  });
  return context.setComputed(std::move(result));
}

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_MAPELEMENTS_H
