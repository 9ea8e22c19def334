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

/// Row-major position of an index in a shape; nullopt if the index is out of bounds.
std::optional<int64_t> getPosition(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> index);

/// Converts a scalar to `type`, as fuser.cast does.
Tensor convertScalar(const Tensor &scalar, mlir::Type type);

/// The integers of a list of static values and index operands, such as the offsets of a slice.
llvm::SmallVector<int64_t> resolveIntegers(OpContext &context, mlir::OperandRange dynamic,
                                           llvm::ArrayRef<int64_t> statics);

/// Writes `source` into `result` with its first element at `offsets`. The box must be in bounds.
void writeBox(Tensor &result, const Tensor &source, llvm::ArrayRef<int64_t> offsets);

/// A tensor of `shape` whose element at each index is that of `source` at `indexOf(index)` (which
/// edits the index in place), or `outside` (a scalar of the element type; null: 0) if that index is
/// out of bounds.
Tensor readElements(const Tensor &source, llvm::ArrayRef<int64_t> shape,
                    llvm::function_ref<void(llvm::SmallVectorImpl<int64_t> &)> indexOf,
                    const Tensor *outside = nullptr);

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_MOVEELEMENTS_H
