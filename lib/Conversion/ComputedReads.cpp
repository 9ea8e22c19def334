//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops whose result reads its operand at computed indices, because dynamic sizes or steps say where:
// splits of a dimension into several dynamic ones, slices with dynamic strides, dynamic tiles.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace {
/// Ops on indices in the body of a generic op.
struct IndexBuilder {
  OpBuilder &builder;
  Location loc;

  Value get(OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return arith::ConstantIndexOp::create(builder, loc, *constant);
    return cast<Value>(value);
  }
  Value add(Value lhs, Value rhs) { return arith::AddIOp::create(builder, loc, lhs, rhs); }
  Value multiply(Value lhs, Value rhs) { return arith::MulIOp::create(builder, loc, lhs, rhs); }
  Value getSize(Value tensor, int64_t dim) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
    return tensor::DimOp::create(builder, loc, tensor, dim);
  }
  Value extract(Value tensor, ArrayRef<Value> indices) {
    return tensor::ExtractOp::create(builder, loc, tensor, indices);
  }
};
} // namespace

Value Importer::expandAt(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  return compute(op, op.getResultType(), [&](OpBuilder &inner, Location at, ArrayRef<Value> loops) {
    IndexBuilder b{inner, at};
    SmallVector<Value> indices;
    for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
      Value index = loops[group.front()];
      for (int64_t dim : group.drop_front())
        index = b.add(b.multiply(index, b.get(sizes[dim])), loops[dim]);
      indices.push_back(index);
    }
    return b.extract(op.getSrc(), indices);
  });
}

Value Importer::sliceAt(tensor::ExtractSliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  return compute(op, op.getType(), [&](OpBuilder &inner, Location at, ArrayRef<Value> loops) {
    IndexBuilder b{inner, at};
    SmallVector<Value> indices;
    unsigned next = 0;
    for (auto [dim, offset, stride] : llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
      Value index = b.get(offset);
      if (!dropped[dim])
        index = b.add(index, b.multiply(loops[next++], b.get(stride)));
      indices.push_back(index);
    }
    return b.extract(op.getSource(), indices);
  });
}

Value Importer::insertAt(tensor::InsertSliceOp op) {
  for (OpFoldResult stride : op.getMixedStrides())
    if (getConstantIntValue(stride).value_or(1) < 1)
      return refuse("expected strides of at least 1, but got " +
                    llvm::Twine(*getConstantIntValue(stride)));
  llvm::SmallBitVector dropped = op.getDroppedDims();
  bool isDefined = !op.getDest().getDefiningOp<tensor::EmptyOp>();
  return compute(op, op.getType(), [&](OpBuilder &inner, Location at, ArrayRef<Value> loops) {
    IndexBuilder b{inner, at};
    auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) -> Value {
      return arith::CmpIOp::create(inner, at, predicate, lhs, rhs);
    };
    using P = arith::CmpIPredicate;
    Value isInside, zero = b.get(inner.getIndexAttr(0)), minusOne = b.get(inner.getIndexAttr(-1));
    auto require = [&](Value condition) {
      isInside =
          isInside ? Value(arith::AndIOp::create(inner, at, isInside, condition)) : condition;
    };
    SmallVector<Value> indices;
    for (auto [dim, offset, size, stride] :
         llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
      Value index = arith::SubIOp::create(inner, at, loops[dim], b.get(offset));
      require(compare(P::sge, index, zero));
      if (!isConstantIntValue(stride, 1)) {
        Value step = b.get(stride);
        require(compare(P::eq, arith::RemSIOp::create(inner, at, index, step), zero));
        index = arith::DivSIOp::create(inner, at, index, step);
      }
      Value extent = b.get(size);
      require(compare(P::slt, index, extent));
      if (dropped[dim])
        continue;
      // Outside of the source its nearest element is read, and not used.
      index = arith::MinSIOp::create(inner, at, index, b.add(extent, minusOne));
      indices.push_back(arith::MaxSIOp::create(inner, at, index, zero));
    }
    Value element = b.extract(op.getSource(), indices);
    if (!isDefined) // any value is one of an element that nothing writes
      return element;
    return Value(
        arith::SelectOp::create(inner, at, isInside, element, b.extract(op.getDest(), loops)));
  });
}

/// The tile of each tiled dimension of the plain tensor, by its position among the tiles.
template <typename OpT> static llvm::DenseMap<int64_t, unsigned> getTileOfDim(OpT op) {
  llvm::DenseMap<int64_t, unsigned> tiles;
  for (auto [tile, dim] : llvm::enumerate(op.getInnerDimsPos()))
    tiles[dim] = tile;
  return tiles;
}

/// The position among the outer dimensions of the packed tensor.
static int64_t getOuterPosition(ArrayRef<int64_t> outerPerm, int64_t dim) {
  return outerPerm.empty() ? dim : llvm::find(outerPerm, dim) - outerPerm.begin();
}

Value Importer::packAt(linalg::PackOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!type)
    return refuse("expected tensors, but got buffers");
  int64_t rank = cast<RankedTensorType>(op.getSource().getType()).getRank();
  llvm::DenseMap<int64_t, unsigned> tiles = getTileOfDim(op);
  return compute(op, type, [&](OpBuilder &inner, Location at, ArrayRef<Value> loops) -> Value {
    IndexBuilder b{inner, at};
    SmallVector<Value> indices;
    Value isInside;
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value index = loops[getOuterPosition(op.getOuterDimsPerm(), dim)];
      auto tile = tiles.find(dim);
      if (tile == tiles.end()) {
        indices.push_back(index);
        continue;
      }
      Value size = b.get(op.getMixedTiles()[tile->second]);
      index = b.add(b.multiply(index, size), loops[rank + tile->second]);
      if (op.getPaddingValue()) {
        // Beyond the end the last element is read, and not used.
        Value extent = b.getSize(op.getSource(), dim);
        Value isBelow = arith::CmpIOp::create(inner, at, arith::CmpIPredicate::slt, index, extent);
        isInside = isInside ? Value(arith::AndIOp::create(inner, at, isInside, isBelow)) : isBelow;
        Value last = b.add(extent, b.get(inner.getIndexAttr(-1)));
        index = arith::MinSIOp::create(inner, at, index, last);
      }
      indices.push_back(index);
    }
    Value element = b.extract(op.getSource(), indices);
    return isInside ? arith::SelectOp::create(inner, at, isInside, element, op.getPaddingValue())
                    : element;
  });
}

Value Importer::unpackAt(linalg::UnPackOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!type)
    return refuse("expected tensors, but got buffers");
  llvm::DenseMap<int64_t, unsigned> tiles = getTileOfDim(op);
  return compute(op, type, [&](OpBuilder &inner, Location at, ArrayRef<Value> loops) {
    IndexBuilder b{inner, at};
    SmallVector<Value> indices(type.getRank() + tiles.size());
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value &outer = indices[getOuterPosition(op.getOuterDimsPerm(), dim)] = loops[dim];
      auto tile = tiles.find(dim);
      if (tile == tiles.end())
        continue;
      Value size = b.get(op.getMixedTiles()[tile->second]);
      indices[type.getRank() + tile->second] = arith::RemUIOp::create(inner, at, loops[dim], size);
      outer = arith::DivUIOp::create(inner, at, loops[dim], size);
    }
    return b.extract(op.getSource(), indices);
  });
}
