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

/// The product of static sizes; nullopt where one is dynamic or the product is too large.
std::optional<int64_t> getStaticProduct(llvm::ArrayRef<int64_t> sizes);

/// The number of sizes that are not 1.
size_t countLargeDims(llvm::ArrayRef<int64_t> sizes);

/// Dimensions of a reshape's operand and of its result that stand for the same elements: the next
/// `from` of the one and the next `to` of the other.
struct ReshapeGroup {
  int64_t from, to;
};

/// How the dimensions of a reshape's operand become those of its result.
struct ReshapePlan {
  /// Root (the operand's dimensions other than 1, the result's dimensions of size 1, and the empty
  /// ones of the result that no split of the operand's dimensions gives, as expanded ids) to
  /// logical (the result's dimensions).
  DomainAttr domain;
  /// For each dimension of the operand its position in root; `kNoId` where its size is 1.
  llvm::SmallVector<unsigned> rootOfDim;
  /// Groups of equally many elements, which cover all dimensions of both sides in order; those of
  /// size 1 are in any of them.
  llvm::SmallVector<ReshapeGroup> groups;
};

/// Factors a reshape from `from` to `to` (sizes, `ShapedType::kDynamic` where dynamic), by `groups`
/// if there are any, else by the sizes. Where that is impossible it returns nullopt and says why in
/// `reason` ("expected ..., but got ...").
std::optional<ReshapePlan> planReshape(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> from,
                                       llvm::ArrayRef<int64_t> to, std::string &reason,
                                       llvm::ArrayRef<ReshapeGroup> groups = {});

/// The groups that `op` states; none where it leaves them to the sizes.
llvm::SmallVector<ReshapeGroup> getStatedGroups(ReshapeOp op);

/// The plan of `op` with other sizes of its operand and its result.
std::optional<ReshapePlan> planReshape(ReshapeOp op, llvm::ArrayRef<int64_t> from,
                                       llvm::ArrayRef<int64_t> to, std::string &reason);
/// The plan of a verified op.
ReshapePlan planReshape(ReshapeOp op);

/// How a reshape lies that needs no copy.
struct ReshapedOrder {
  /// Dimensions of the result, slowest first.
  llvm::SmallVector<int64_t> order;
  /// For each dimension of the result, the fastest dimension of the operand in its group; -1 where
  /// all of the group have size 1.
  llvm::SmallVector<int64_t> fastest;
};

/// Where the dimensions of a reshape lie if those of its operand (of sizes `from`) lie in `order`
/// and each group is contiguous; nothing where dimensions of a group other than 1 do not follow
/// each other in `order`.
std::optional<ReshapedOrder> reshapeOrder(llvm::ArrayRef<ReshapeGroup> groups,
                                          llvm::ArrayRef<int64_t> from,
                                          llvm::ArrayRef<int64_t> order);

} // namespace fuser

#endif // FUSER_DIALECT_IR_RESHAPE_H
