//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Represents 8-bit floats as integers. Both targets run it, so that a kernel rounds identically on
// all machines, whether or not they have instructions for these types.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_FLOAT8ASBITS_H
#define FUSER_DIALECT_KERNEL_FLOAT8ASBITS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class Operation;
class Type;
} // namespace mlir

namespace fuser::kernel_ir {

/// Replaces f8E4M3FN and f8E5M2 below `root` by i8, and conversions from and to them by integer
/// arithmetic on scalars or vectors:
///
/// - to a wider float: exact;
/// - from a wider float or an integer: through f32, to nearest even; beyond the range f8E5M2 gives
///   an infinity and f8E4M3FN, which has none, NaN.
///
/// No other arith op may compute on these types (the scalar forms of fuser's ops do not).
void carryFloat8AsBits(mlir::Operation *root);

/// Replaces the float types that `isCarried` selects, in all types and attributes below `root`, by
/// integers of their width, and constants by their bits. Only for types whose values are only
/// moved.
void replaceFloatsByBits(mlir::Operation *root, llvm::function_ref<bool(mlir::Type)> isCarried);

} // namespace fuser::kernel_ir

#endif // FUSER_DIALECT_KERNEL_FLOAT8ASBITS_H
