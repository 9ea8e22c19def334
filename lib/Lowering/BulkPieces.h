//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles that bulk copies can fill.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BULKPIECES_H
#define FUSER_LIB_LOWERING_BULKPIECES_H

#include "LoopExprs.h"

#include <string>

namespace fuser {

/// A tile as pieces that are contiguous on both sides. Loops of the tile make up a piece: their
/// indices are 0 in its expressions. Each iteration of the others is a piece of its own.
struct BulkPieces {
  /// Why the tile has no such pieces; empty if it has. A sentence without a period.
  std::string problem;

  /// Loops around the pieces in one iteration of the serial loop, outermost first. Their extents
  /// are constants, except for those of loops on blocks.
  llvm::SmallVector<loop::ForOp> loops;
  /// The indices of the first element in the argument, and in the buffer.
  llvm::SmallVector<mlir::AffineExpr> source, target;
  /// The elements of a piece: the least of these numbers, none if it is less than 1. Of a box, the
  /// coordinates of its first element.
  llvm::SmallVector<mlir::AffineExpr> counts;
  /// By what boxes are copied, as `using` of a tile; null: pieces are adjacent elements.
  mlir::ArrayAttr map;
  /// What must hold for a piece to have any.
  Constraints exists;

  int64_t getNumPieces() const;
};

/// The pieces of a tile that moves elements to a buffer in shared memory. `loop`: the serial loop
/// whose iterations each fill the buffer.
BulkPieces findBulkPieces(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts);

/// The same for boxes of a strided argument. Elements of a box beyond the argument become 0; what
/// the tile does not move is moved as well. Of a store, what the argument does not have is not
/// moved, and `loop` is that in whose iterations the buffer is new; null: there is none.
BulkPieces findTensorBoxes(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BULKPIECES_H
