//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PieceSearch.h"

using namespace mlir;
using namespace fuser;

/// One thread begins them one after the other, so that many small ones are slower than a copy by
/// all threads.
static constexpr int64_t kMaxPieces = 32;

int64_t BulkPieces::getNumPieces() const {
  int64_t pieces = 1;
  for (loop::ForOp loop : loops)
    if (!isBlockType(loop.getType()))
      pieces *= *loop.getConstantExtent();
  return pieces;
}

//===----------------------------------------------------------------------===//
// PieceSearch
//===----------------------------------------------------------------------===//

PieceSearch::PieceSearch(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts)
    : tile(tile), kernel(tile->getParentOfType<loop::KernelOp>()), loop(loop), facts(facts),
      context(tile.getContext()), exprs(facts.lift(tile)),
      argument(cast<BlockArgument>(
          (isStore() ? ValueRange(tile.getOutputs()) : ValueRange(tile.getInputs())).front())) {
  bool isInside = true;
  for (auto around = tile->getParentOfType<loop::ForOp>(); around;
       around = around->getParentOfType<loop::ForOp>()) {
    isInside &= around != loop;
    // Of threads that all have the same tile, one copies it.
    const ParallelType type = around.getType();
    const bool isReplicated = llvm::is_contained(tile.getReplicated().getTypes(), type);
    if (isThreadType(type) ? !isReplicated : isInside)
      candidates.push_back(around);
  }
}

AffineExpr PieceSearch::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

std::optional<int64_t> PieceSearch::getCoefficient(AffineExpr expr, AffineExpr variable) const {
  if (!expr.isFunctionOfDim(cast<AffineDimExpr>(variable).getPosition()))
    return 0;
  return facts.getConstant(expr.replace(variable, variable + 1) - expr);
}

AffineExpr PieceSearch::atFirst(AffineExpr expr) const {
  for (const Part &part : joined)
    expr = expr.replace(part.variable, constant(0));
  return expr;
}

AffineExpr PieceSearch::getTargetOffset(ArrayRef<AffineExpr> indices) {
  auto type = getBuffer().getType();
  AffineExpr offset = constant(0);
  for (auto [index, extent] : llvm::zip_equal(indices, type.getShape()))
    offset = offset * extent + index;
  return offset;
}

bool PieceSearch::isJoined(loop::ForOp each) const {
  return llvm::any_of(joined, [&](const Part &part) { return part.loop == each; });
}

bool PieceSearch::verifyNumPieces(const char *what) {
  if (pieces.getNumPieces() <= kMaxPieces)
    return true;
  return fail("expected at most " + Twine(kMaxPieces) + " " + what + ", but got " +
              Twine(pieces.getNumPieces()));
}

bool PieceSearch::verifyAlignment() {
  const int64_t alignment = kernel.getBinding(argument.getArgNumber()).getAlignment();
  return alignment % kGranule == 0 ||
         fail("expected an argument that is aligned to " + Twine(kGranule) +
              " bytes, but it is known to be aligned to " + Twine(alignment) +
              " only (a fact 'aligned' would say so)");
}

bool PieceSearch::fail(const Twine &problem) {
  pieces.problem = problem.str();
  return false;
}

//===----------------------------------------------------------------------===//
// Contiguous pieces
//===----------------------------------------------------------------------===//

namespace {
class PieceFinder : PieceSearch {
public:
  PieceFinder(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts)
      : PieceSearch(tile, loop, facts) {}
  BulkPieces run();

private:
  AffineExpr getTargetOffset() {
    return PieceSearch::getTargetOffset(exprs.writes.front().results);
  }
  AffineExpr getSourceOffset();
  bool joinParts(SmallVector<Part> parts);
  bool addGuard(const Constraint &constraint);
  bool verifyGranules();
};
} // namespace

AffineExpr PieceFinder::getSourceOffset() {
  AffineExpr offset = constant(0);
  for (auto [index, stride] :
       llvm::zip_equal(exprs.reads.front()->results,
                       kernel.getBinding(argument.getArgNumber()).getStrides().getResults()))
    offset = offset + index * stride;
  return offset;
}

/// Takes loops whose elements are adjacent. The slowest one may have an extent that is not a
/// constant. The others stay.
bool PieceFinder::joinParts(SmallVector<Part> parts) {
  llvm::sort(parts, [](const Part &a, const Part &b) { return a.stride < b.stride; });
  AffineExpr size = constant(1);
  for (const Part &part : parts) {
    if (size != constant(part.stride))
      break;
    joined.push_back(part);
    size = size * facts.getExtent(part.loop);
  }
  if (joined.empty())
    return fail("expected elements that are adjacent in both memories");
  pieces.counts.push_back(size);
  for (loop::ForOp each : llvm::reverse(candidates)) {
    if (isJoined(each))
      continue;
    if (!isBlockType(each.getType()) && !each.getConstantExtent())
      return fail("expected pieces in loops with constant extents");
    pieces.loops.push_back(each);
  }
  return verifyNumPieces("contiguous pieces");
}

/// A constraint that the elements of a piece satisfy up to one of them bounds their number.
bool PieceFinder::addGuard(const Constraint &constraint) {
  const Part *first = nullptr;
  for (const Part &part : joined) {
    std::optional<int64_t> own = getCoefficient(constraint.lhs, part.variable);
    std::optional<int64_t> other = getCoefficient(constraint.rhs, part.variable);
    if (!own || other != 0)
      return fail("expected a guard that the elements of a piece satisfy up to one of them");
    if (!first && *own == 1)
      first = &part;
    const int64_t expected = first ? part.stride / first->stride : 0;
    if (*own != expected)
      return fail("expected a guard that the elements of a piece satisfy up to one of them");
  }
  if (!first) {
    pieces.exists.push_back(constraint);
    return true;
  }
  if (constraint.kind != loop::ConstraintKind::Less)
    return fail("expected a guard that the elements of a piece satisfy up to one of them");
  pieces.counts.push_back((constraint.rhs - atFirst(constraint.lhs)) * first->stride);
  return true;
}

/// Addresses and sizes have a multiple of 16 bytes.
bool PieceFinder::verifyGranules() {
  auto buffer = tile.getOutputs().front().getDefiningOp<loop::BufferOp>();
  const int64_t bytes = buffer.getElementBytes();
  auto verify = [&](AffineExpr number, StringRef what) {
    const int64_t divisor = facts.getDivisor(number);
    if (divisor * bytes % kGranule == 0)
      return true;
    return fail("expected " + what + " with a multiple of " + Twine(kGranule) +
                " bytes, but got elements of " + Twine(bytes) + " bytes" +
                ", whose number is known to be divisible by " + Twine(divisor) +
                " only (a fact 'divisible' of the extent would say so)");
  };
  for (AffineExpr count : pieces.counts)
    if (!verify(count, "pieces"))
      return false;
  if (!verify(atFirst(getSourceOffset()), "pieces at offsets") ||
      !verify(atFirst(getTargetOffset()), "pieces in shared memory at offsets") ||
      !verify(constant(buffer.getNumElements()), "stages"))
    return false;
  return verifyAlignment();
}

BulkPieces PieceFinder::run() {
  if (!exprs.reads.front()->guard.empty()) {
    fail("expected a read of elements that are all inside of the argument");
    return pieces;
  }
  if (llvm::any_of(tile.getIndices(), [&](Value index) {
        Operation *op = index.getDefiningOp();
        return op && loop->isAncestor(op);
      })) {
    fail("expected indices that follow from the loops, but a swizzle gives one");
    return pieces;
  }
  const AffineExpr source = getSourceOffset(), target = getTargetOffset();
  SmallVector<Part> parts;
  for (loop::ForOp each : candidates) {
    // A block copies its own part of the tile.
    if (isBlockType(each.getType()))
      continue;
    const AffineExpr variable = facts.getExpr(each.getInductionVar());
    std::optional<int64_t> from = getCoefficient(source, variable);
    std::optional<int64_t> to = getCoefficient(target, variable);
    if (from && from == to && *from > 0)
      parts.push_back({each, variable, *from});
  }
  if (!joinParts(std::move(parts)))
    return pieces;
  for (const Constraint &constraint : exprs.guard)
    if (!facts.isProved(constraint) && !addGuard(constraint))
      return pieces;
  // Blocks, and copies of loops, beyond the extent arrive, but copy nothing, unless they all have
  // the same tile.
  for (auto around = tile->getParentOfType<loop::ForOp>(); around;
       around = around->getParentOfType<loop::ForOp>())
    if (!isThreadType(around.getType()) && !isJoined(around) && runsBeyond(around, facts) &&
        !llvm::is_contained(tile.getReplicated().getTypes(), around.getType()))
      pieces.exists.push_back(
          Constraint::less(facts.getExpr(around.getInductionVar()), facts.getExtent(around)));
  // A bound that a smaller one implies is dropped.
  SmallVector<AffineExpr> least;
  for (AffineExpr count : pieces.counts)
    if (llvm::none_of(pieces.counts, [&](AffineExpr other) {
          return other != count && facts.getRange(count - other).lower >= 0;
        }))
      least.push_back(count);
  pieces.counts = least;
  if (!verifyGranules())
    return pieces;
  for (AffineExpr index : exprs.reads.front()->results)
    pieces.source.push_back(atFirst(index));
  for (AffineExpr index : exprs.writes.front().results)
    pieces.target.push_back(atFirst(index));
  return pieces;
}

BulkPieces fuser::findBulkPieces(loop::TileOp tile, loop::ForOp loop, LoopFacts &facts) {
  return PieceFinder(tile, loop, facts).run();
}
