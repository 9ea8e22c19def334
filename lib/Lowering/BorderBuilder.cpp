//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Borders of a fuser_loop.kernel: loops over the elements of a buffer outside of the boxes that
// other outputs are stored in, at the end of the kernel. The threads of the grid run them in turn,
// independent of the loops of other ops (S2.1).
//
//===----------------------------------------------------------------------===//

#include "BorderBuilder.h"
#include "KernelOperands.h"

using namespace mlir;
using namespace fuser;

/// An offset or a size. If it has no expression over sizes, it is the index that the kernel
/// computes, which products cannot contain.
AffineExpr BorderBuilder::getIndex(int64_t constant, ValueRange values, unsigned &next) {
  if (!ShapedType::isDynamic(constant))
    return this->constant(constant);
  Value scalar = values[next++];
  AffineExpr expr = extents.getScalar(scalar);
  return expr ? tiles.indices.getExtent(expr) : tiles.getScalarIndex(scalar);
}

BorderBuilder::BorderBuilder(TileBuilder &tiles, BorderOp border)
    : tiles(tiles), builder(tiles.builder), extents(tiles.extents), border(border),
      buffer(tiles.values.lookup(border.getResult())) {
  const unsigned rank = border.getResult().getType().getRank();
  SmallVector<Dim> byNumber(rank);
  for (auto [number, dim] : llvm::enumerate(byNumber)) {
    dim.number = number;
    dim.extent = tiles.indices.getExtent(extents.getExtent(border.getResult(), number));
  }
  unsigned nextOffset = 0, nextSize = 0;
  for (auto [entry, offset, size] :
       llvm::enumerate(border.getStaticOffsets(), border.getStaticBoxSizes())) {
    Dim &dim = byNumber[entry % rank];
    dim.offsets.push_back(getIndex(offset, border.getOffsets(), nextOffset));
    dim.sizes.push_back(getIndex(size, border.getBoxSizes(), nextSize));
  }
  auto returnOp = cast<ReturnOp>(tiles.kernel.getBody().front().getTerminator());
  const unsigned output = llvm::find(returnOp.getValues(), border.getResult()).getIndex();
  const LayoutAttr layout = getOutputLayout(tiles.kernel, output);
  for (auto [position, number] : llvm::enumerate(layout.getOrder())) {
    byNumber[number].isContiguous = layout.isContiguousAt(position);
    dims.push_back(std::move(byNumber[number]));
  }
  width = getWidth();
}

int64_t BorderBuilder::getWidth() const {
  const unsigned operand = cast<BlockArgument>(buffer).getArgNumber();
  const int64_t bytes = getElementBytes(cast<loop::BufferType>(buffer.getType()).getElementType());
  const Dim &fastest = dims.back();
  auto fits = [&](int64_t lanes) {
    // An index that the kernel computes is no expression over sizes.
    auto divides = [&](AffineExpr expr) {
      return !isa<AffineDimExpr>(expr) && extents.getKnownDivisor(expr) % lanes == 0;
    };
    return fastest.isContiguous && tiles.arguments.getAlignment(operand) % (lanes * bytes) == 0 &&
           divides(fastest.extent) && llvm::all_of(fastest.offsets, divides) &&
           llvm::all_of(fastest.sizes, divides) &&
           llvm::all_of(ArrayRef(dims).drop_back(), [&](const Dim &dim) {
             return dim.isContiguous ||
                    tiles.arguments.getStrideDivisor(operand, dim.number) % lanes == 0;
           });
  };
  int64_t widest = std::max<int64_t>(kWidestAccess / bytes, 1);
  while (widest > 1 && !fits(widest))
    widest /= 2;
  return widest;
}

/// The index outside of the first box along a dimension, of index `at` of those that are outside.
AffineExpr BorderBuilder::move(AffineExpr at, const Dim &dim) {
  const AffineExpr offset = dim.offsets.front(), size = dim.sizes.front();
  if (offset == constant(0))
    return at + size;
  if (extents.isProvablyEqual(offset + size, dim.extent))
    return at;
  const AffineExpr rest = dim.extent - size - offset;
  Value isAfter = createHolds(builder, border.getLoc(), {Constraint::less(at - offset, rest)},
                              [&](AffineExpr leaf) { return getValue(leaf); });
  return tiles.addDim(isAfter) * size + at;
}

void BorderBuilder::buildTile(ArrayRef<AffineExpr> at, const Constraints &guard) {
  const Location loc = border.getLoc();
  TileExprs exprs;
  exprs.reads.emplace_back();
  exprs.writes.emplace_back();
  exprs.writes.front().results.assign(at.begin(), at.end());
  exprs.guard = guard;
  auto tile = createTile(builder, loc, tiles.values.lookup(border.getValue()), buffer, exprs, {},
                         [&](AffineExpr leaf) { return getValue(leaf); });
  OpBuilder::InsertionGuard insertion(builder);
  Block &block = tile.getBody().emplaceBlock();
  Value value = block.addArgument(border.getValue().getType(), loc);
  builder.setInsertionPointToEnd(&block);
  loop::YieldOp::create(builder, loc, border.createElementOp(builder, value));
}

/// The loop over slab `position`, or over all elements.
void BorderBuilder::buildLoop(std::optional<unsigned> position) {
  const unsigned rank = dims.size();
  SmallVector<AffineExpr> counts;
  AffineExpr total = constant(1);
  for (auto [number, dim] : llvm::enumerate(dims)) {
    AffineExpr count = position && number < *position ? dim.sizes.front() : dim.extent;
    if (number == position)
      count = tiles.indices.getExtent(dim.extent - dim.sizes.front());
    // It divides. Rounding up keeps a difference as one dividend, which is not negative.
    counts.push_back(number + 1 == rank ? count.ceilDiv(width) : count);
    total = total * counts.back();
  }
  auto getLeafValue = [&](AffineExpr leaf) { return getValue(leaf); };
  OpBuilder::InsertionGuard guard(builder);
  auto loop =
      createFor(builder, border.getLoc(), total, ParallelType::Serial, std::nullopt, getLeafValue);
  loop.setInTurn(true);
  builder.setInsertionPointToEnd(&loop.getBlock());
  AffineExpr rest = tiles.addDim(loop.getInductionVar());
  SmallVector<AffineExpr> at(rank);
  for (unsigned number = rank; number-- > 0;) {
    const Dim &dim = dims[number];
    AffineExpr index = number == 0 && counts[0] != constant(1) ? rest : rest % counts[number];
    rest = rest.floorDiv(counts[number]);
    if (number + 1 == rank)
      index = index * width;
    if (position && number < *position)
      index = index + dim.offsets.front();
    at[dim.number] = number == position ? move(index, dim) : index;
  }
  Constraints outside;
  for (unsigned box = position ? 1 : 0; box < border.getNumBoxes(); ++box) {
    Constraints inside;
    for (const Dim &dim : dims)
      inside.push_back(Constraint::less(at[dim.number] - dim.offsets[box], dim.sizes[box]));
    outside.push_back(Constraint::equal(
        tiles.addDim(createHolds(builder, border.getLoc(), inside, getLeafValue)), constant(0)));
  }
  if (width > 1) {
    auto lanes = createFor(builder, border.getLoc(), constant(width), ParallelType::Vectorize,
                           std::nullopt, getLeafValue);
    builder.setInsertionPointToEnd(&lanes.getBlock());
    AffineExpr &fastest = at[dims.back().number];
    fastest = fastest + tiles.addDim(lanes.getInductionVar());
  }
  buildTile(at, outside);
}

void BorderBuilder::build() {
  auto isComputed = [](const Dim &dim) { return isa<AffineDimExpr>(dim.sizes.front()); };
  if (llvm::any_of(dims, isComputed))
    return buildLoop(std::nullopt);
  for (auto [position, dim] : llvm::enumerate(dims))
    if (!extents.isProvablyEqual(dim.extent, dim.sizes.front()))
      buildLoop(position);
}
