//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Helpers of the domain primitives.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_TRANSFORMS_DOMAINEDITS_H
#define FUSER_LIB_DIALECT_TRANSFORMS_DOMAINEDITS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser::detail {

/// Applies `edit` to the domain of every result.
void editDomains(TensorViewOpInterface op, llvm::function_ref<void(DomainBuilder &)> edit);

/// Fails with a diagnostic unless `amount`, a number of a transform that `what` names ("a split
/// factor"), is from `least` to kMaxDomainAmount.
mlir::LogicalResult checkAmount(mlir::Operation *op, llvm::StringRef what, int64_t amount,
                                int64_t least);

/// Two ids that a swizzle transforms, and their positions among the loops or in the allocation.
struct SwizzledIds {
  int64_t outer, inner;
  unsigned outerId, innerId;
};

/// Fails with a diagnostic unless both ids reduce or neither does, neither is a broadcast, and the
/// extent of the inner one, where a split states it, is a power of two. `what` names what the
/// positions are of: "loop".
mlir::LogicalResult checkSwizzled(TensorViewOpInterface op, llvm::StringRef what,
                                  const SwizzledIds &ids);

} // namespace fuser::detail

#endif // FUSER_LIB_DIALECT_TRANSFORMS_DOMAINEDITS_H
