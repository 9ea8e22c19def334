//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What tiles read, and the indices that are no expression of others: kernel IR of both.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDREADS_H
#define FUSER_LIB_LOWERING_EXPANDREADS_H

#include "ExpandBuffers.h"

namespace fuser {

/// The operands of an op with accesses, and the @vectorize loop around it.
struct AccessSite {
  explicit AccessSite(loop::TileOp tile) : AccessSite(tile, tile.getIndices(), tile.getNumDims()) {
    mergesBlocks = llvm::any_of(tile.getReplicated().getTypes(), isBlockType);
  }
  explicit AccessSite(loop::IndexOp index)
      : AccessSite(index, index.getIndices(), index.getAccess().getMap().getNumDims()) {}
  explicit AccessSite(loop::XorOp index)
      : AccessSite(index, index.getIndices(), index.getTerms().getNumDims()) {}

  mlir::Operation *op;
  mlir::ValueRange indices;
  unsigned numDims;
  loop::ForOp lanes;
  int64_t width;
  /// Workspaces that are read were written by other blocks.
  bool mergesBlocks = false;

private:
  AccessSite(mlir::Operation *op, mlir::ValueRange indices, unsigned numDims)
      : op(op), indices(indices), numDims(numDims), lanes(loop::TileOp::findVectorLoop(op)),
        width(loop::TileOp::findWidth(op)) {}
};

class ExpandedReads {
public:
  ExpandedReads(ExpandedKernel &expanded, ExpandedBuffers &buffers)
      : expanded(expanded), buffers(buffers), builder(expanded.getBuilder()),
        index(expanded.getIndex()) {}

  /// What is read, and whether it is there: null for always.
  struct Read {
    mlir::Value value, inside;
  };
  Read read(loop::TileOp tile, unsigned input);
  /// All elements that an op reads of a buffer.
  Read readParts(const AccessSite &site, mlir::Value buffer, loop::AccessAttr access);
  /// The elements of an op that reads dimensions whole: of each result, one for each lane.
  llvm::SmallVector<mlir::Value> buildWholeReads(loop::TileOp tile);

  void addIndex(loop::IndexOp op);
  void addIndex(loop::XorOp op);
  /// Sets the index of the @vectorize loop, and the indices that it gives its lanes.
  void setLane(const AccessSite &site, int64_t lane);
  bool dependsOnLane(const AccessSite &site, mlir::AffineExpr expr) const;
  /// The block of the cluster whose memory an access is to; null for this block, and for buffers
  /// that are not distributed.
  mlir::Value getPeer(const AccessSite &site, loop::AccessAttr access);
  mlir::Value evaluate(const AccessSite &site, mlir::AffineExpr expr) {
    return expanded.evaluate(expr, site.indices, site.numDims);
  }

private:
  class WholeReader;
  loop::AccessAttr align(const AccessSite &site, mlir::Value buffer, loop::AccessAttr access);
  /// `count` elements from the lane that is set. Memory is read only where there is an element and
  /// the condition holds (i1; null: always).
  Read readChunk(const AccessSite &site, mlir::Value buffer, loop::AccessAttr access, int64_t count,
                 mlir::Value condition = {});
  /// All chunks of the lanes.
  llvm::SmallVector<mlir::Value> readChunks(const AccessSite &site, mlir::Value buffer,
                                            loop::AccessAttr access);
  std::optional<llvm::SmallVector<mlir::Value>>
  readInBranch(const AccessSite &site, mlir::Value buffer, loop::AccessAttr access);
  mlir::Value readScalar(mlir::Value scalar);

  ExpandedKernel &expanded;
  ExpandedBuffers &buffers;
  mlir::OpBuilder &builder;
  IndexBuilder &index;
  /// The values of an index that differs between lanes.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> laneIndices;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDREADS_H
