//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What no later step of a schedule can make legal. The primitives check what a domain states; these
// checks need the kernel: its facts, the sizes of its arguments, and the launches of it. A schedule
// would otherwise be refused by lowering, far from the step.
//
// Each fails with a diagnostic at the op of the kernel. What a later step or fact can change
// passes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_TRANSFORMOPS_STEPCHECKS_H
#define FUSER_LIB_DIALECT_TRANSFORMOPS_STEPCHECKS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser::transform_ops {

/// The loop at `position` has no constant extent that `type` excludes.
mlir::LogicalResult checkParallelType(TensorViewOpInterface op, int64_t position,
                                      ParallelType type);

/// The id that a swizzle permutes has no constant extent other than a power of two. `what` names
/// what `position` is of ("loop" or "position", of the allocation), `ids` are all of these.
mlir::LogicalResult checkSwizzledExtent(TensorViewOpInterface op, llvm::StringRef what,
                                        int64_t position, llvm::ArrayRef<unsigned> ids);

/// Makes an edit, which keeps the orders in memory of the outputs that launches of the kernel rely
/// on.
mlir::LogicalResult editAllocation(TensorViewOpInterface op,
                                   llvm::function_ref<mlir::LogicalResult()> edit);

} // namespace fuser::transform_ops

#endif // FUSER_LIB_DIALECT_TRANSFORMOPS_STEPCHECKS_H
