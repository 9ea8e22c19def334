//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Addresses of rows of 8 elements in shared memory, which the lanes of a warp name for an
// instruction that moves matrices.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_ROWADDRESSES_H
#define FUSER_LIB_LOWERING_ROWADDRESSES_H

#include "LaneSplits.h"
#include "OffsetExprs.h"

namespace fuser {

/// The rows and columns of a matrix that an instruction moves.
inline constexpr int64_t kMatrix = 8;

class RowAddresses {
public:
  /// The kernel and its facts outlive this.
  RowAddresses(loop::KernelOp kernel, LoopFacts &facts)
      : kernel(kernel), facts(facts), offsets(kernel, facts), lanes(facts),
        element(facts.addDim({0, kMatrix - 1}, 1)) {
    lanes.setLanes(element, kMatrix);
  }

  /// The number of an element in its row.
  mlir::AffineExpr getElement() const { return element; }
  /// The number of a thread along thread_x in its warp.
  mlir::AffineExpr getLane(mlir::Value thread);
  mlir::AffineExpr getFolded(mlir::AffineExpr expr) const {
    return offsets.joinTerms(offsets.simplify(offsets.joinTerms(expr)));
  }
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const { return offsets.simplify(expr); }
  mlir::AffineExpr getOffset(mlir::Value buffer, llvm::ArrayRef<mlir::AffineExpr> indices) {
    return offsets.getOffset(buffer, indices);
  }
  /// With other indices in place of some, also in those that are swizzled, for which ops are
  /// created before the insertion point; null where the elements of a row have swizzled indices of
  /// their own. `replacement` gets those of swizzled indices.
  mlir::AffineExpr substitute(mlir::OpBuilder &builder, mlir::AffineExpr expr,
                              ExprReplacement &replacement);
  /// The indices of the first element of a row, where those of the access are replaced by indices
  /// over the lane and `getElement`: 8 elements that are next to each other, at a multiple of 16
  /// bytes. False if they are not.
  bool findRow(mlir::OpBuilder &builder, mlir::Value buffer, ExprReplacement replacement,
               AccessExprs &access);
  /// The value of an expression where leaves have these, and others are 0. Swizzled indices follow
  /// from their terms.
  int64_t evaluate(mlir::AffineExpr expr, const llvm::DenseMap<mlir::AffineExpr, int64_t> &at);

private:
  loop::KernelOp kernel;
  LoopFacts &facts;
  OffsetExprs offsets;
  LaneSplits lanes;
  mlir::AffineExpr element;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_ROWADDRESSES_H
