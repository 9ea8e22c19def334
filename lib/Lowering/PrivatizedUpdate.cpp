//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where many elements meet at few destinations, atomic accesses of global memory wait for each
// other. Those of shared memory are of one block, and much faster:
//
//   for %b on block_x
//     for the elements of the copy, by all threads: copy = the identity of the combination
//     for the elements of the block:                copy combined with an element
//     for the elements of the copy, by all threads: buffer combined with the copy
//
//===----------------------------------------------------------------------===//

#include "PrivatizedUpdate.h"

using namespace mlir;
using namespace fuser;

SmallVector<unsigned> fuser::getPrivateDims(const ScheduledOp &scheduled,
                                            UpdateOpInterface update) {
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  auto isOfBlock = [&](const DimMap &map) {
    if (map.kind == DimMap::Kind::Broadcast)
      return true;
    if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Resized)
      return false;
    const llvm::SmallBitVector derived =
        scheduled.getDerived(scheduled.domain.getRootOrLogical()[map.id]);
    return llvm::all_of(llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()),
                        [&](auto pair) {
                          return !derived.test(std::get<0>(pair)) || isBlockType(std::get<1>(pair));
                        });
  };
  SmallVector<unsigned> dims;
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(update.getUpdatedOperand())))
    if (!isOfBlock(map))
      dims.push_back(dim);
  return dims;
}

LogicalResult fuser::verifyPrivatized(const ScheduledOp &scheduled, UpdateOpInterface update) {
  auto type = cast<RankedTensorType>(scheduled.op->getResult(0).getType());
  for (unsigned dim : getPrivateDims(scheduled, update))
    if (type.isDynamicDim(dim))
      return scheduled.op->emitOpError("expected '")
             << kPrivatizedName << "' with a constant size of dimension " << dim
             << ", which is not over blocks alone";
  const ArrayRef<ParallelType> parallel = scheduled.domain.getParallel();
  const auto *first = llvm::find_if_not(parallel, isBlockType);
  if (std::any_of(first, parallel.end(), isBlockType))
    return scheduled.op->emitOpError("expected '")
           << kPrivatizedName << "' with loops over blocks outside of all others";
  if (first == parallel.end())
    return scheduled.op->emitOpError("expected '") << kPrivatizedName << "' with loops in a block";
  return success();
}

PrivatizedUpdate::PrivatizedUpdate(TileBuilder &tiles, const ScheduledOp &scheduled,
                                   UpdateOpInterface update, ArrayRef<AffineExpr> at)
    : tiles(tiles), builder(tiles.builder), update(update), loc(update.getLoc()),
      buffer(tiles.values.lookup(update->getResult(0))), at(at),
      dims(getPrivateDims(scheduled, update)) {
  auto type = cast<RankedTensorType>(update->getResult(0).getType());
  for (unsigned dim : dims)
    shape.push_back(type.getDimSize(dim));
}

void PrivatizedUpdate::findLoops() {
  for (Operation *op = builder.getBlock()->getParentOp(); auto loop = dyn_cast<loop::ForOp>(op);
       op = op->getParentOp()) {
    if (isBlockType(loop.getType()))
      return;
    outermost = loop;
    if (isThreadType(loop.getType()))
      threads.push_back(loop);
  }
}

/// A loop over the elements of the copy, which the threads share. `exprs` has the guard of the
/// last round, and writes the element of the copy.
void PrivatizedUpdate::forElements(llvm::function_ref<void(TileExprs &exprs)> build) {
  auto leafValue = [&](AffineExpr leaf) { return getValue(leaf); };
  int64_t count = 1;
  for (loop::ForOp loop : threads)
    count *= *loop.getConstantExtent();
  const int64_t elements = ShapedType::getNumElements(shape);
  auto open = [&](int64_t extent, ParallelType type) {
    auto loop = createFor(builder, loc, constant(extent), type, std::nullopt, leafValue);
    builder.setInsertionPointToEnd(&loop.getBlock());
    return tiles.addDim(loop.getInductionVar());
  };
  AffineExpr linear = open(llvm::divideCeil(elements, count), ParallelType::Serial) * count;
  int64_t stride = count;
  for (loop::ForOp loop : llvm::reverse(threads)) {
    const int64_t extent = *loop.getConstantExtent();
    stride /= extent;
    linear = linear + open(extent, loop.getType()) * stride;
  }
  TileExprs exprs;
  if (elements % count != 0)
    exprs.guard.push_back(Constraint::less(linear, constant(elements)));
  AccessExprs access;
  access.results.resize(shape.size());
  AffineExpr rest = linear;
  for (unsigned dim = shape.size(); dim-- > 0;) {
    access.results[dim] = dim == 0 ? rest : rest % shape[dim];
    rest = rest.floorDiv(shape[dim]);
  }
  exprs.writes.push_back(std::move(access));
  build(exprs);
}

void PrivatizedUpdate::fill() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(outermost);
  auto bufferType = cast<loop::BufferType>(buffer.getType());
  copy = loop::BufferOp::create(
      builder, loc,
      loop::BufferType::get(tiles.context, shape, bufferType.getElementType(), MemoryType::Shared));
  Value identity = createIdentity(builder, update);
  forElements([&](TileExprs &exprs) {
    exprs.reads.emplace_back();
    auto tile = createTile(builder, loc, identity, copy, exprs, {},
                           [&](AffineExpr leaf) { return getValue(leaf); });
    Block &block = tile.getBody().emplaceBlock();
    Value value = block.addArgument(identity.getType(), loc);
    OpBuilder::InsertionGuard insertion(builder);
    builder.setInsertionPointToEnd(&block);
    Value element = createElement(builder, update, value);
    loop::YieldOp::create(builder, loc, element);
  });
}

/// The copy is combined with the buffer at the index of the block along the other dimensions, which
/// may lie outside of it where blocks have fewer elements than they have place for.
void PrivatizedUpdate::flush() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(outermost);
  forElements([&](TileExprs &exprs) {
    const AccessExprs ofCopy = exprs.writes.front();
    exprs.reads.push_back(ofCopy);
    SmallVectorImpl<AffineExpr> &place = exprs.writes.front().results;
    place.assign(at.begin(), at.end());
    for (auto [dim, index] : llvm::zip_equal(dims, ofCopy.results))
      place[dim] = index;
    const Value updated = update->getOperand(update.getUpdatedOperand());
    for (auto [dim, index] : llvm::enumerate(place))
      if (!llvm::is_contained(dims, dim))
        exprs.guard.push_back(Constraint::less(
            index, tiles.indices.getExtent(tiles.extents.getExtent(updated, dim))));
    auto tile = createMove(builder, loc, copy, buffer, exprs, {},
                           [&](AffineExpr leaf) { return getValue(leaf); });
    tile.setCombinationAttr(update.getCombination());
  });
}

Value PrivatizedUpdate::build(SmallVectorImpl<AffineExpr> &at) {
  findLoops();
  fill();
  flush();
  SmallVector<AffineExpr> own;
  for (unsigned dim : dims)
    own.push_back(this->at[dim]);
  at.assign(own.begin(), own.end());
  return copy;
}
