//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Indices of a fuser_loop.kernel that are no affine expression of others: data, indices of
// dimensions that an op reads whole, and swizzled ones.
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"

using namespace mlir;
using namespace fuser;

AffineExpr TileBuilder::addDim(Value index) {
  dims.push_back(index);
  return getAffineDimExpr(dims.size() - 1, context);
}

SmallVector<AffineExpr> TileBuilder::buildIndices(const ScheduledOp &scheduled, OpOperand &operand,
                                                  ArrayRef<AffineExpr> ids,
                                                  SmallVectorImpl<AffineExpr> &wholes) {
  auto getLeaf = [&](AffineExpr leaf) { return getValue(leaf); };
  Operation *op = scheduled.op;
  auto mapping = cast<DomainMappingOpInterface>(op);
  SmallVector<AffineExpr> own;
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
    if (map.kind == DimMap::Kind::Indirect) {
      OpOperand &source = op->getOpOperand(map.indexOperand);
      const AccessExprs access = getRead(scheduled, source, ids, {});
      own.push_back(
          addDim(createIndex(builder, op->getLoc(), values.lookup(source.get()), access, getLeaf)));
    } else if (map.kind == DimMap::Kind::Whole) {
      const AffineExpr extent = indices.getExtent(extents.getExtent(operand.get(), dim));
      own.push_back(addDim(createWhole(builder, op->getLoc(), extent, getLeaf)));
      wholes.push_back(own.back());
    }
  }
  return own;
}

AffineExpr TileBuilder::getXor(AffineExpr lhs, AffineExpr rhs) {
  auto a = dyn_cast<AffineConstantExpr>(lhs), b = dyn_cast<AffineConstantExpr>(rhs);
  if (b && b.getValue() == 0)
    return lhs;
  if (a && b)
    return getAffineConstantExpr(a.getValue() ^ b.getValue(), context);
  // One that was built before in a loop around is the same.
  AffineExpr &index = swizzled[{lhs, rhs}];
  if (!index || !getValue(index).getParentRegion()->isAncestor(builder.getBlock()->getParent()))
    index = addDim(createXor(builder, kernel.getLoc(), lhs, rhs,
                             [&](AffineExpr leaf) { return getValue(leaf); }));
  return index;
}

void TileBuilder::eraseUnusedIndices() {
  // Indices of others are before them.
  for (auto &[terms, index] : llvm::reverse(swizzled))
    if (Value value = index ? getValue(index) : Value(); value && value.use_empty()) {
      value.getDefiningOp()->erase();
      index = {};
    }
}
