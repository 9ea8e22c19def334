//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Top-down cuts: of a fusion at its marks (S3.1, S3.4, S3.5), and of a refused group where a
// refusal requests it (S3.6).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_PIECES_H
#define FUSER_LIB_SEGMENTATION_PIECES_H

#include "JoinPlan.h"
#include "fuser/Analysis/SegmentGraph.h"

namespace fuser {

/// Ops that are connected by paths without a mark.
using Piece = llvm::SmallVector<mlir::Operation *>;

/// Cuts only after every `fuser.segment_set` and around ops that only a library computes; without
/// marks the whole fusion is one piece. If the dependences between pieces form a cycle, the pieces
/// of the cycle are cut further: between ops with different numbers of marks before them. A mark
/// inside of a piece is not honored; it gets a remark and is added to `ignored`. Pieces and their
/// ops are in program order.
llvm::SmallVector<Piece> cutAtMarks(FusionOp fusion, const SegmentGraph &graph,
                                    std::vector<SegmentSetOp> *ignored);

/// Groups, by piece, of pieces that read the same value: their kernels may be merged. Of two pieces
/// in `orders`, one must be written after the other, so that they are in different groups. With
/// marks each piece is a group.
std::vector<unsigned> groupReaders(llvm::ArrayRef<Piece> pieces, llvm::ArrayRef<WriteOrder> orders);

/// Cuts `ops` (in order) before the operands `cuts` and, if the two sides of a cut are still
/// connected, between ops with different numbers of cuts before them. The dependences between parts
/// are acyclic if no path outside of `ops` connects two of them.
llvm::SmallVector<Piece> cutAt(llvm::ArrayRef<mlir::Operation *> ops,
                               llvm::ArrayRef<mlir::OpOperand *> cuts);

/// The same, but ops that depend only on arguments, and whose users all follow a cut, join the
/// parts of their users, so that their results are not stored.
llvm::SmallVector<Piece> cutLate(llvm::ArrayRef<mlir::Operation *> ops,
                                 llvm::ArrayRef<mlir::OpOperand *> cuts);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_PIECES_H
