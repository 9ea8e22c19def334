//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Top-down cuts: of a fusion at its marks (spec S3.1, S3.4, S3.5), and of a refused group where a
// refusal asks for it (S3.6).
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
/// precede. A mark inside of a piece is not honoured; a remark at it says so, and `ignored` gets
/// it. Pieces and their ops are in the order of the program.
llvm::SmallVector<Piece> cutAtMarks(FusionOp fusion, const SegmentGraph &graph,
                                    std::vector<SegmentSetOp> *ignored);

/// Cuts `ops` (in order) before the operands `cuts` and, where the two sides of a cut are connected
/// otherwise, between ops that different numbers of cuts precede. Parts do not depend on each other
/// in a circle, if nothing outside of `ops` leads from one of them to another.
llvm::SmallVector<Piece> cutAt(llvm::ArrayRef<mlir::Operation *> ops,
                               llvm::ArrayRef<mlir::OpOperand *> cuts);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_PIECES_H
