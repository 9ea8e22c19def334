//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of linalg that have no body: softmax, pack, unpack.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Value Importer::convertNamed(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](linalg::SoftmaxOp) { return convertSoftmax(op); })
      .Case([&](linalg::PackOp) { return convertPack(op); })
      .Case([&](linalg::UnPackOp) { return convertUnPack(op); })
      .Default([&](Operation *) -> Value { return refuse("it has no conversion"); });
}

Value Importer::convertSoftmax(Operation *op) {
  auto softmax = cast<linalg::SoftmaxOp>(op);
  if (!softmax.hasPureTensorSemantics())
    return refuse("expected operands that are tensors, but got buffers");
  Value input = lookup(softmax.getInput());
  if (!input)
    return {};
  int64_t dim = softmax.getDimension();
  auto reduceAndExpand = [&](Value reduced) -> Value {
    return BroadcastOp::create(builder, loc, reduced, dim);
  };
  Value most = reduceAndExpand(MaxOp::create(builder, loc, input, dim));
  Value exps = ExpOp::create(builder, loc, Value(SubOp::create(builder, loc, input, most)));
  return DivOp::create(builder, loc, exps, reduceAndExpand(SumOp::create(builder, loc, exps, dim)));
}

/// The dimensions of a packed tensor that each dimension of the plain one becomes: the outer one
/// and, if it is tiled, the tile.
static SmallVector<SmallVector<int64_t>> getPackedDims(int64_t rank, ArrayRef<int64_t> outerPerm,
                                                       ArrayRef<int64_t> tiledDims) {
  SmallVector<SmallVector<int64_t>> dims(rank);
  for (int64_t position = 0; position < rank; ++position)
    dims[outerPerm.empty() ? position : outerPerm[position]].push_back(position);
  for (auto [number, dim] : llvm::enumerate(tiledDims))
    dims[dim].push_back(rank + number);
  return dims;
}

/// The permutation of the packed dimensions that puts each tile after its outer dimension, and
/// groups of the dimensions in this order.
static SmallVector<int64_t> getInterleaved(ArrayRef<SmallVector<int64_t>> packed,
                                           SmallVectorImpl<ReassociationIndices> &groups) {
  SmallVector<int64_t> order;
  for (ArrayRef<int64_t> dims : packed) {
    groups.emplace_back();
    for (int64_t dim : dims) {
      groups.back().push_back(order.size());
      order.push_back(dim);
    }
  }
  return order;
}

Value Importer::convertPack(Operation *op) {
  auto pack = cast<linalg::PackOp>(op);
  // A padding value that is read from a tensor is chosen element by element.
  if (!pack.getInnerTiles().empty() ||
      (pack.getPaddingValue() && readsTensor(pack.getPaddingValue())))
    return packAt(pack);
  Value input = lookup(pack.getSource());
  auto type = dyn_cast<RankedTensorType>(pack.getResult().getType());
  if (!input || !type)
    return input ? Value(refuse("expected tensors, but got buffers")) : Value();
  int64_t rank = type.getRank() - pack.getInnerDimsPos().size();
  auto packed = getPackedDims(rank, pack.getOuterDimsPerm(), pack.getInnerDimsPos());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> order = getInterleaved(packed, groups), shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  if (Value old = pack.getPaddingValue()) {
    Value value = lookup(old);
    if (!value)
      return {};
    SmallVector<AffineExpr> low(rank, builder.getAffineConstantExpr(0)), high;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (packed[dim].size() == 1) {
        high.push_back(low[dim]);
        continue;
      }
      AffineExpr tile = builder.getAffineConstantExpr(type.getDimSize(packed[dim][1]));
      high.push_back(getSizeExpr(pack.getDest(), packed[dim][0]) * tile -
                     getSizeExpr(pack.getSource(), dim));
    }
    input = padTo(input, low, high, value);
  }
  input = input ? expand(input, groups, shape) : Value();
  if (!input)
    return {};
  SmallVector<int64_t> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return llvm::is_sorted(inverse) ? input : Value(PermuteOp::create(builder, loc, input, inverse));
}

Value Importer::convertUnPack(Operation *op) {
  auto unpack = cast<linalg::UnPackOp>(op);
  if (!unpack.getInnerTiles().empty())
    return unpackAt(unpack);
  Value input = lookup(unpack.getSource());
  auto type = dyn_cast<RankedTensorType>(unpack.getResult().getType());
  if (!input || !type)
    return input ? Value(refuse("expected tensors, but got buffers")) : Value();
  auto packed = getPackedDims(type.getRank(), unpack.getOuterDimsPerm(), unpack.getInnerDimsPos());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> order = getInterleaved(packed, groups);
  if (!llvm::is_sorted(order))
    input = PermuteOp::create(builder, loc, input, order);
  input = collapse(input, groups);
  if (!input)
    return {};
  // What the last tiles have beyond the result is dropped.
  SmallVector<AffineExpr> low(type.getRank(), builder.getAffineConstantExpr(0)), high;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (packed[dim].size() == 1) {
      high.push_back(low[dim]);
      continue;
    }
    auto from = cast<RankedTensorType>(unpack.getSource().getType());
    AffineExpr tile = builder.getAffineConstantExpr(from.getDimSize(packed[dim][1]));
    high.push_back(getSizeExpr(unpack.getDest(), dim) -
                   getSizeExpr(unpack.getSource(), packed[dim][0]) * tile);
  }
  bool isWhole = llvm::all_of(
      high, [&](AffineExpr amount) { return amount == builder.getAffineConstantExpr(0); });
  return isWhole ? input
                 : padTo(input, low, high, makeScalar(builder.getZeroAttr(type.getElementType())));
}
