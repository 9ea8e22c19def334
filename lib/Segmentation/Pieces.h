//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first, top-down cut of a fusion: at its marks (spec S3.1, S3.4, S3.5).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_PIECES_H
#define FUSER_LIB_SEGMENTATION_PIECES_H

#include "SegmentGraph.h"

namespace fuser {

/// Ops that are connected without passing a mark.
using Piece = llvm::SmallVector<mlir::Operation *>;

/// Cuts behind every `fuser.segment_set` and around what only a library computes, and nowhere else;
/// without marks the whole fusion is one piece. Where pieces would depend on each other in a
/// circle, those of the circle are cut further: between ops that different numbers of marks
/// precede. A mark inside of a piece is not honoured; a remark at it says so. Pieces and their ops
/// are in the order of the program.
llvm::SmallVector<Piece> cutAtMarks(FusionOp fusion, const SegmentGraph &graph);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_PIECES_H
