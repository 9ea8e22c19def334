//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Updates that a block combines in shared memory first (kPrivatizedName).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_PRIVATIZEDUPDATE_H
#define FUSER_LIB_LOWERING_PRIVATIZEDUPDATE_H

#include "TileBuilder.h"
#include "fuser/Dialect/IR/Updates.h"

namespace fuser {

/// True if the op asks for a copy of the buffer in shared memory.
inline bool isPrivatized(mlir::Operation *op) { return op->hasAttr(kPrivatizedName); }

/// The dimensions of the updated buffer of which a block has a copy: at data, or along other loops
/// than those over blocks. Along all others it updates one index.
llvm::SmallVector<unsigned> getPrivateDims(const ScheduledOp &scheduled, UpdateOpInterface update);

/// Fails with a diagnostic where a block has no copy of constant size, or loops over blocks are not
/// around all others.
mlir::LogicalResult verifyPrivatized(const ScheduledOp &scheduled, UpdateOpInterface update);

/// The copy of one update, in the loops over blocks around the insertion point.
class PrivatizedUpdate {
public:
  /// `at`: the index of the element that is combined, in the buffer of the result.
  PrivatizedUpdate(TileBuilder &tiles, const ScheduledOp &scheduled, UpdateOpInterface update,
                   llvm::ArrayRef<mlir::AffineExpr> at);
  /// Fills the copy before the loops of the block, and combines it with the buffer after them.
  /// Returns it, and sets the indices of the element in it.
  mlir::Value build(llvm::SmallVectorImpl<mlir::AffineExpr> &at);

private:
  void findLoops();
  void forElements(llvm::function_ref<void(TileExprs &exprs)> build);
  void fill();
  void flush();
  mlir::Value getValue(mlir::AffineExpr leaf) { return tiles.getValue(leaf); }
  mlir::AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, tiles.context);
  }

  TileBuilder &tiles;
  mlir::OpBuilder &builder;
  UpdateOpInterface update;
  mlir::Location loc;
  mlir::Value buffer, copy;
  llvm::SmallVector<mlir::AffineExpr> at;
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> shape;
  /// The outermost loop of the element that is not over blocks, and the loops over threads in it.
  mlir::Operation *outermost = nullptr;
  llvm::SmallVector<loop::ForOp, 3> threads;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_PRIVATIZEDUPDATE_H
