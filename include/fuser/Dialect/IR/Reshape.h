//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A reshape as splits and merges.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_RESHAPE_H
#define FUSER_DIALECT_IR_RESHAPE_H

#include "fuser/Dialect/IR/Fuser.h"
#include <string>

namespace fuser {

/// How the dimensions of a reshape's operand become those of its result.
struct ReshapePlan {
  /// Root (the operand's dimensions other than 1, and the result's dimensions of size 1) to logical
  /// (the result's dimensions).
  DomainAttr domain;
  /// For each dimension of the operand its position in root; `kNoId` where its size is 1.
  llvm::SmallVector<unsigned> rootOfDim;
};

/// Factors a reshape from `from` to `to` (sizes, `ShapedType::kDynamic` where dynamic). Where that
/// is impossible it returns nullopt and says why in `reason` ("expected ..., but got ...").
std::optional<ReshapePlan> planReshape(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> from,
                                       llvm::ArrayRef<int64_t> to, std::string &reason);

} // namespace fuser

#endif // FUSER_DIALECT_IR_RESHAPE_H
