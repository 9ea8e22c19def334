//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_PIECESEARCH_H
#define FUSER_LIB_LOWERING_PIECESEARCH_H

#include "BulkPieces.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

namespace fuser {

/// What the searches for contiguous pieces and for boxes of a tile have in common.
class PieceSearch {
protected:
  /// Bytes that divide the addresses and the size of a bulk copy.
  static constexpr int64_t kGranule = kernel_ir::CopyBulkOp::kGranule;

  /// A loop along adjacent elements: by how much its index and the offset in the buffer grow.
  struct Part {
    loop::ForOp loop;
    mlir::AffineExpr variable;
    int64_t stride;
    /// Of boxes: the dimension of the argument, and by how much the index there grows.
    unsigned dim = 0;
    int64_t step = 0;
  };

  PieceSearch(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts);

  mlir::AffineExpr constant(int64_t value) const;
  /// By how much the expression grows with a variable, if that is a constant.
  std::optional<int64_t> getCoefficient(mlir::AffineExpr expr, mlir::AffineExpr variable) const;
  /// The expression at the first element of a piece.
  mlir::AffineExpr atFirst(mlir::AffineExpr expr) const;
  /// Of a copy to an argument.
  bool isStore() const { return loop::TileOp(tile).getStep() == loop::TileStep::Store; }
  /// The buffer in shared memory.
  loop::BufferOp getBuffer() const {
    loop::TileOp copy = tile;
    return (isStore() ? copy.getInputs() : copy.getOutputs())
        .front()
        .getDefiningOp<loop::BufferOp>();
  }
  /// The access to the argument, and that to the buffer.
  const AccessExprs &ofArgument() const {
    return isStore() ? exprs.writes.front() : *exprs.reads.front();
  }
  const AccessExprs &ofBuffer() const {
    return isStore() ? *exprs.reads.front() : exprs.writes.front();
  }
  /// Row-major in the buffer, without its stages.
  mlir::AffineExpr getTargetOffset(llvm::ArrayRef<mlir::AffineExpr> indices);
  bool isJoined(loop::ForOp each) const;
  bool verifyNumPieces(const char *what);
  bool verifyAlignment();
  /// Returns false, for the reason.
  bool fail(const llvm::Twine &problem);

  loop::TileOp tile;
  loop::KernelOp kernel;
  loop::ForOp loop;
  LoopFacts &facts;
  mlir::MLIRContext *context;
  const TileExprs exprs;
  const mlir::BlockArgument argument;
  /// The loops of the tile: those in an iteration, and those of threads around it.
  llvm::SmallVector<loop::ForOp> candidates;
  /// The loops of a piece, the fastest first.
  llvm::SmallVector<Part> joined;
  BulkPieces pieces;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_PIECESEARCH_H
