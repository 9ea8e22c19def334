//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Helpers of ops that move elements from one place to another.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_MOVEELEMENTS_H
#define FUSER_LIB_REFERENCE_MOVEELEMENTS_H

#include "Iteration.h"
#include "OpContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuser::reference {

/// to[toPosition] = from[fromPosition], row-major positions of tensors of one element type.
void copyElement(Tensor &to, int64_t toPosition, const Tensor &from, int64_t fromPosition);

/// Row-major position of an index in a shape; nullopt where the index is outside.
std::optional<int64_t> getPosition(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> index);

/// A scalar as one of `type`, as fuser.cast converts it.
Tensor convertScalar(const Tensor &scalar, mlir::Type type);

/// The integers of a list of static values and index operands, such as the offsets of a slice.
llvm::SmallVector<int64_t> resolveIntegers(OpContext &context, mlir::OperandRange dynamic,
                                           llvm::ArrayRef<int64_t> statics);

/// Writes `source` into `result` with its first element at `offsets`. The box lies inside.
void writeBox(Tensor &result, const Tensor &source, llvm::ArrayRef<int64_t> offsets);

/// A tensor of `shape` whose element at each index is that of `source` at `indexOf(index)` (it
/// edits the index in place), and `outside` (a scalar of the element type; null: 0) where that lies
/// outside of the source.
Tensor readElements(const Tensor &source, llvm::ArrayRef<int64_t> shape,
                    llvm::function_ref<void(llvm::SmallVectorImpl<int64_t> &)> indexOf,
                    const Tensor *outside = nullptr);

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_MOVEELEMENTS_H
