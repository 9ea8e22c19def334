//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles that copies of boxes by tensor maps can fill.
//
//===----------------------------------------------------------------------===//

#include "PieceSearch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::TensorMapType;

/// The bytes after which a swizzle repeats a row's chunks in another order.
static constexpr int64_t kLine = 128;

namespace {
class BoxFinder : PieceSearch {
public:
  BoxFinder(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts)
      : PieceSearch(tile, loop, facts), place(toVector(ofArgument().results)),
        inBuffer(toVector(ofBuffer().results)), bytes(getBuffer().getElementBytes()) {}
  BulkPieces run();

private:
  static SmallVector<AffineExpr> toVector(ArrayRef<AffineExpr> indices) {
    return SmallVector<AffineExpr>(indices);
  }
  ArrayRef<AffineExpr> getStrides() {
    return kernel.getBinding(argument.getArgNumber()).getStrides().getResults();
  }
  using Dims = llvm::SmallSetVector<std::pair<int64_t, int64_t>, 4>;
  Dims getEqualDims(int64_t operand, int64_t dim);
  SmallVector<AffineExpr> getSizes(unsigned dim);
  bool replaceSwizzle();
  bool findParts();
  bool joinParts();
  bool verifyZeros();
  bool verifySource();
  bool findSwizzle();
  bool verifyPlaces();
  void setMap();

  /// Indices of the argument, and of the buffer before elements were swizzled.
  const SmallVector<AffineExpr> place;
  SmallVector<AffineExpr> inBuffer;
  const int64_t bytes;
  /// Of a swizzle: the index in the text, the chunk that it replaces, and what this is combined
  /// with.
  AffineExpr swizzled, chunk, pattern;
  AffineExpr offset;
  SmallVector<Part> parts;
  /// From the fastest dimension on.
  SmallVector<unsigned> order;
  SmallVector<int64_t> extents;
  int64_t swizzle = 0;
};
} // namespace

/// Dimensions of operands that have as many elements as one at each call, with this one.
BoxFinder::Dims BoxFinder::getEqualDims(int64_t operand, int64_t dim) {
  Dims dims;
  dims.insert({operand, dim});
  const std::optional<ArrayAttr> stated = kernel.getFacts();
  if (!stated)
    return dims;
  for (size_t known = 0; known != dims.size();) {
    known = dims.size();
    for (auto fact : stated->getAsRange<FactAttr>()) {
      if (fact.getKind() != FactKind::Equal)
        continue;
      const std::pair<int64_t, int64_t> own = {fact.getArg(), fact.getDim()},
                                        other = {fact.getOtherArg(), fact.getOtherDim()};
      if (dims.contains(own) || dims.contains(other)) {
        dims.insert(own);
        dims.insert(other);
      }
    }
  }
  return dims;
}

/// Arguments of the kernel, or a constant, that are the elements along a dimension of the argument.
SmallVector<AffineExpr> BoxFinder::getSizes(unsigned dim) {
  if (isStore())
    return {exprs.roots[dim]};
  const int64_t size = cast<loop::BufferType>(argument.getType()).getShape()[dim];
  if (!ShapedType::isDynamic(size))
    return {constant(size)};
  auto pointer =
      cast<kernel_ir::PointerAttr>(kernel.getBinding(argument.getArgNumber()).getSource());
  const Dims equal = getEqualDims(pointer.getOperand(), dim);
  SmallVector<AffineExpr> sizes;
  for (Value symbol : kernel.getSymbols()) {
    auto binding = dyn_cast<kernel_ir::SizeAttr>(
        kernel.getBinding(cast<BlockArgument>(symbol).getArgNumber()).getSource());
    if (binding && equal.contains({binding.getOperand(), binding.getDim()}))
      sizes.push_back(facts.getExpr(symbol));
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// An index of the buffer may be swizzled, none of the argument.
bool BoxFinder::replaceSwizzle() {
  auto isLoop = [&](AffineExpr leaf) {
    return !isa<AffineDimExpr>(leaf) || isa<BlockArgument>(facts.getValue(leaf));
  };
  for (AffineExpr index : place)
    if (index
            .walk([&](AffineExpr leaf) {
              return isLoop(leaf) ? WalkResult::advance() : WalkResult::interrupt();
            })
            .wasInterrupted())
      return fail("expected a box at indices of loops");
  for (AffineExpr &index : inBuffer) {
    auto leaf = dyn_cast<AffineDimExpr>(index);
    auto swizzleOp = leaf ? facts.getValue(leaf).getDefiningOp<loop::XorOp>() : loop::XorOp();
    if (!swizzleOp)
      continue;
    if (swizzled)
      return fail("expected one swizzled index of a box");
    swizzled = index;
    auto getTerm = [&](unsigned number) {
      return facts.lift(swizzleOp.getTerms().getResult(number), swizzleOp.getIndices(),
                        swizzleOp.getTerms().getNumDims());
    };
    chunk = getTerm(0);
    pattern = getTerm(1);
    index = chunk;
  }
  offset = getTargetOffset(inBuffer);
  return true;
}

/// The loops along one dimension of the argument.
bool BoxFinder::findParts() {
  for (loop::ForOp each : candidates) {
    if (isBlockType(each.getType()))
      return fail("expected boxes in loops on blocks around the iterations");
    if (!each.getConstantExtent())
      return fail("expected boxes in loops with constant extents");
    const AffineExpr variable = facts.getExpr(each.getInductionVar());
    std::optional<int64_t> stride = getCoefficient(offset, variable);
    SmallVector<Part, 2> along;
    for (auto [dim, index] : llvm::enumerate(place)) {
      std::optional<int64_t> step = getCoefficient(index, variable);
      if (!step || !stride)
        return fail("expected indices of a box that grow by constants");
      if (*step != 0)
        along.push_back({each, variable, *stride, unsigned(dim), *step});
    }
    if (along.size() == 1)
      parts.push_back(along.front());
  }
  return true;
}

/// Takes loops as long as they are dense in the buffer, one dimension of the argument after the
/// other. Each iteration of the others has a box of its own.
bool BoxFinder::joinParts() {
  for (auto [dim, stride] : llvm::enumerate(getStrides()))
    if (facts.getConstant(stride) == 1 && order.empty())
      order.push_back(dim);
  if (order.empty())
    return fail("expected an argument with adjacent elements along a dimension");
  extents.assign(place.size(), 1);
  llvm::sort(parts, [](const Part &a, const Part &b) { return a.stride < b.stride; });
  int64_t size = 1;
  for (const Part &part : parts) {
    const int64_t extent = *loop::ForOp(part.loop).getConstantExtent();
    const bool isNew = !llvm::is_contained(order, part.dim);
    if (part.stride != size || part.step != extents[part.dim] ||
        (!isNew && part.dim != order.back()) || extents[part.dim] * extent > TensorMapType::kMaxBox)
      break;
    if (isNew)
      order.push_back(part.dim);
    extents[part.dim] *= extent;
    size *= extent;
    joined.push_back(part);
  }
  for (unsigned dim = place.size(); dim-- > 0;)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  if (int64_t(order.size()) > TensorMapType::kMaxRank)
    return fail("expected at most " + Twine(TensorMapType::kMaxRank) +
                " dimensions of an argument");
  const int64_t rowBytes = extents[order.front()] * bytes;
  if (rowBytes % kGranule != 0)
    return fail("expected rows of a box with a multiple of " + Twine(kGranule) +
                " bytes, but got " + Twine(rowBytes));
  for (loop::ForOp each : llvm::reverse(candidates))
    if (!isJoined(each))
      pieces.loops.push_back(each);
  return verifyNumPieces("boxes");
}

/// A read that is zero where a guard does not hold: the hardware knows the sizes of the argument.
/// Elements without which a tile is, its own guard, are not read. A store has the others only.
bool BoxFinder::verifyZeros() {
  if (isStore() && !exprs.reads.front()->guard.empty())
    return fail("expected a store of elements that exist");
  for (const Constraint &constraint : isStore() ? exprs.guard : exprs.reads.front()->guard) {
    if (facts.isProved(constraint))
      continue;
    bool isBound = false;
    for (unsigned dim = 0; dim < place.size(); ++dim)
      for (AffineExpr size : getSizes(dim))
        isBound |= facts.isSame(constraint, Constraint::less(place[dim], size));
    if (!isBound)
      return fail(isStore() ? "expected a guard by the sizes of the argument alone"
                            : "expected zeros outside of the argument only");
  }
  return true;
}

bool BoxFinder::verifySource() {
  if (!verifyAlignment())
    return false;
  for (unsigned dim : ArrayRef(order).drop_front()) {
    const int64_t divisor = facts.getDivisor(getStrides()[dim]);
    if (divisor * bytes % kGranule != 0)
      return fail("expected strides with a multiple of " + Twine(kGranule) +
                  " bytes, but got elements of " + Twine(bytes) +
                  " bytes, whose number is known to be divisible by " + Twine(divisor) +
                  " only (a fact 'divisible' of the extent would say so)");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The swizzle of the text is that of the hardware if both number the chunks of a row, and combine
/// them with the same bits of the row's number.
bool BoxFinder::findSwizzle() {
  if (!swizzled)
    return true;
  const int64_t rowBytes = extents[order.front()] * bytes, chunks = rowBytes / kGranule;
  AffineExpr row = offset;
  for (const Part &part : joined)
    if (part.dim == order.front())
      row = row.replace(part.variable, constant(0));
  const AffineExpr expected = row.floorDiv(kLine / bytes) % chunks;
  // The offset, with the chunk as a variable of its own.
  const AffineExpr ofChunk = getTargetOffset(ofBuffer().results);
  if ((rowBytes != 32 && rowBytes != 64 && rowBytes != 128) ||
      getCoefficient(ofChunk, swizzled) != kGranule / bytes ||
      facts.getConstant(pattern - expected) != 0)
    return fail("expected the swizzle of chunks of " + Twine(kGranule) +
                " bytes in rows of 32, 64 or 128 bytes");
  swizzle = rowBytes;
  return true;
}

bool BoxFinder::verifyPlaces() {
  const int64_t alignment = swizzle == 0 ? kLine : 8 * swizzle;
  const int64_t first = facts.getDivisor(atFirst(offset));
  if ((first * bytes % alignment == 0 || facts.getConstant(atFirst(offset)) == 0) &&
      (isStore() || getBuffer().getNumBytes() % alignment == 0))
    return true;
  return fail("expected boxes in shared memory at a multiple of " + Twine(alignment) + " bytes");
}

void BoxFinder::setMap() {
  SmallVector<int64_t> box, dims;
  for (unsigned dim : llvm::reverse(order)) {
    box.push_back(extents[dim]);
    dims.push_back(dim);
    pieces.counts.push_back(atFirst(place[dim]));
  }
  auto pointer =
      cast<kernel_ir::PointerAttr>(kernel.getBinding(argument.getArgNumber()).getSource());
  auto type = getBuffer().getType();
  pieces.map = ArrayAttr::get(
      context, {TypeAttr::get(TensorMapType::get(context, box, type.getElementType(), swizzle)),
                kernel_ir::TensorMapAttr::get(context, pointer.getOperand(), dims)});
  for (AffineExpr index : place)
    pieces.source.push_back(atFirst(index));
  for (AffineExpr index : inBuffer)
    pieces.target.push_back(atFirst(index));
}

BulkPieces BoxFinder::run() {
  const Type element = cast<loop::BufferType>(argument.getType()).getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 8 * bytes || bytes > 8)
    fail("expected elements of 1, 2, 4 or 8 bytes");
  else if (replaceSwizzle() && findParts() && joinParts() && verifyZeros() && verifySource() &&
           findSwizzle() && verifyPlaces())
    setMap();
  return pieces;
}

BulkPieces fuser::findTensorBoxes(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts) {
  return BoxFinder(tile, loop, facts).run();
}
