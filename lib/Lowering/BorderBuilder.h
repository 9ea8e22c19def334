//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds a border of a fuser_loop.kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BORDERBUILDER_H
#define FUSER_LIB_LOWERING_BORDERBUILDER_H

#include "TileBuilder.h"
#include "fuser/Dialect/IR/BorderOps.h"

namespace fuser {

/// The loops over one border. The elements outside of the first box are `rank` slabs: slab p
/// contains the indices that are in the box along the p slowest dimensions and outside of it along
/// the next one. So each element is in one slab. Elements of a slab that are in another box are
/// skipped. If a size of the first box is no expression, there is one loop over all elements
/// instead, which skips those of all boxes.
class BorderBuilder {
public:
  BorderBuilder(TileBuilder &tiles, BorderOp border);
  void build();

private:
  /// A dimension of the buffer, with an offset and a size for each box.
  struct Dim {
    unsigned number = 0;
    mlir::AffineExpr extent;
    bool isContiguous = true;
    llvm::SmallVector<mlir::AffineExpr> offsets, sizes;
  };

  mlir::AffineExpr getIndex(int64_t constant, mlir::ValueRange values, unsigned &next);
  int64_t getWidth() const;
  void buildLoop(std::optional<unsigned> position);
  mlir::AffineExpr move(mlir::AffineExpr at, const Dim &dim);
  void buildTile(llvm::ArrayRef<mlir::AffineExpr> at, const Constraints &guard);
  mlir::Value getValue(mlir::AffineExpr leaf) { return tiles.getValue(leaf); }
  mlir::AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, tiles.context);
  }

  TileBuilder &tiles;
  mlir::OpBuilder &builder;
  const ExtentAnalysis &extents;
  BorderOp border;
  mlir::Value buffer;
  /// From slowest to fastest.
  llvm::SmallVector<Dim> dims;
  /// The elements of one store: a power of two that divides everything along the fastest dimension.
  int64_t width = 1;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BORDERBUILDER_H
