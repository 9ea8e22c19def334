//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses of the lanes of matrix instructions, which take the place of loops on mma.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LANEACCESSES_H
#define FUSER_LIB_LOWERING_LANEACCESSES_H

#include "MmaOperands.h"
#include "RowAddresses.h"
#include "Warps.h"
#include "llvm/ADT/MapVector.h"

namespace fuser {

/// Loops on mma directly inside each other, rows first, and the tile in them.
struct MmaLoops {
  llvm::SmallVector<loop::ForOp, 3> loops;
  loop::TileOp tile;
  /// The index of the lane's thread along thread_x.
  mlir::Value thread;

  bool isProduct() const { return loops.size() == 3; }
  int64_t getExtent(unsigned number) const {
    return *loop::ForOp(loops[number]).getConstantExtent();
  }
  int64_t getNumColumns() const { return getExtent(1); }
  /// True if the warps of a group do it together.
  bool isOfGroup() const { return isProduct() && getNumColumns() > kMmaColumns; }
};

/// The dimensions of a buffer that the rows and the columns of results index.
struct Fragment {
  unsigned row, column;
};

/// The loop on thread_x around an op; null if there is none.
loop::ForOp findThreadLoop(mlir::Operation *op);
/// A loop before the insertion point of the builder, which continues in it.
loop::ForOp openLoop(mlir::OpBuilder &builder, mlir::Location loc, int64_t extent,
                     ParallelType type);
/// Erases swizzled indices that nothing uses any more: each depends on those before it.
void eraseUnusedIndices(mlir::Block &block);

/// Writes the accesses of lanes.
class LaneAccesses {
public:
  LaneAccesses(loop::KernelOp kernel, const llvm::MapVector<mlir::Value, Fragment> &fragments)
      : context(kernel.getContext()), fragments(fragments), facts(kernel), rows(kernel, facts) {}
  mlir::LogicalResult useInstruction(const MmaLoops &mma);
  /// The instruction of a warp group, whose warps are along `warps`.
  mlir::LogicalResult useGroupInstruction(const MmaLoops &mma, loop::ForOp warps);
  void distribute(const MmaLoops &mma, mlir::Value row, mlir::Value column);
  mlir::LogicalResult distributeReads(loop::TileOp tile);

private:
  /// Indices of the loops for which a lane names the address of a row.
  using Address = ExprReplacement;
  Address getAddress(const MmaLoops &mma, unsigned operand, bool isTransposed);
  bool findAddress(const MmaLoops &mma, unsigned operand, bool isTransposed, AccessExprs &access);
  void setBegin(const MmaLoops &mma, TileExprs &exprs);
  bool isEqual(mlir::AffineExpr a, mlir::AffineExpr b);
  bool isWhole(mlir::Value buffer) const;
  mlir::LogicalResult dropGuard(const MmaLoops &mma, TileExprs &exprs) const;
  mlir::LogicalResult distribute(loop::TileOp tile, const Fragment &fragment, AccessExprs &access);
  void set(loop::TileOp tile, const TileExprs &exprs) {
    setTileExprs(tile, exprs, [&](mlir::AffineExpr leaf) { return facts.getValue(leaf); });
  }
  mlir::AffineExpr constant(int64_t value) const { return getAffineConstantExpr(value, context); }

  mlir::MLIRContext *context;
  const llvm::MapVector<mlir::Value, Fragment> &fragments;
  LoopFacts facts;
  RowAddresses rows;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LANEACCESSES_H
