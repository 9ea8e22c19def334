//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-cancel-splits.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceSizes.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERCANCELSPLITS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Ops that are followed from a join to a reduction.
static constexpr size_t kMostReaders = 32;

namespace {

/// The replacement of a concatenated or sliced tensor.
struct Replacement {
  /// An existing value: the tensor that was sliced, or an operand of the concatenation.
  Value whole;
  /// Functions of one tensor, in the order of their application, to apply to `whole`; each was
  /// applied to all slices before the concatenation.
  SmallVector<Operation *> functions;
  /// The dimension of `whole` whose elements are in the opposite order.
  std::optional<uint64_t> flipped = {};
};

/// Finds what cancels in one program. The IR must not change while it is queried, because the
/// analysis does not know new ops.
class SplitFinder {
public:
  explicit SplitFinder(const ExtentAnalysis &analysis) : analysis(analysis) {}

  std::optional<Replacement> find(Operation *op) const {
    if (fuser::detail::isScheduled(op))
      return std::nullopt;
    if (auto cat = dyn_cast<CatOp>(op))
      return findJoin(cat);
    if (auto slice = dyn_cast<SliceOp>(op))
      return findPiece(slice);
    if (auto insert = dyn_cast<InsertSliceOp>(op))
      return findReplaced(insert);
    return std::nullopt;
  }

private:
  /// cat(f(slice(x)), f(slice(x)), ...) with adjacent slices that cover x.
  std::optional<Replacement> findJoin(CatOp cat) const {
    Replacement found;
    SmallVector<Value> parts(cat.getInputs());
    while (!areSlices(parts)) {
      Operation *function = getCommonFunction(parts);
      if (!function)
        return std::nullopt;
      found.functions.push_back(function);
    }
    std::reverse(found.functions.begin(), found.functions.end());
    auto first = parts.front().getDefiningOp<SliceOp>();
    found.whole = first.getInput();

    if (first.getInput().getType().getShape() != cat.getResult().getType().getShape())
      return std::nullopt;
    if (areAdjacent(parts, found.whole, cat.getDim()))
      return found;
    std::reverse(parts.begin(), parts.end());
    if (!areSingle(parts, cat.getDim()) || !areAdjacent(parts, found.whole, cat.getDim()) ||
        !isReducedAlongOthers(cat))
      return std::nullopt;
    found.flipped = cat.getDim();
    return found;
  }

  /// True for slices of `whole` that follow each other along `dim` and cover it.
  bool areAdjacent(ArrayRef<Value> parts, Value whole, uint64_t dim) const {
    AffineExpr next = getAffineConstantExpr(0, whole.getContext());
    for (Value part : parts) {
      auto slice = part.getDefiningOp<SliceOp>();
      if (slice.getInput() != whole || !isFullExcept(slice, dim))
        return false;
      AffineExpr offset = getOffset(slice, dim);
      if (!offset || !analysis.isProvablyEqual(offset, next))
        return false;
      next = next + analysis.getExtent(part, dim);
    }
    return analysis.isProvablyEqual(next, analysis.getExtent(whole, dim));
  }

  static bool areSingle(ArrayRef<Value> parts, uint64_t dim) {
    return llvm::all_of(parts, [&](Value part) {
      return cast<RankedTensorType>(part.getType()).getDimSize(dim) == 1;
    });
  }

  /// True if a reduction over other dimensions reads the join element by element: the threads of a
  /// block have one index along the joined dimension then, and read one element where they would
  /// read all parts.
  static bool isReducedAlongOthers(CatOp cat) {
    // Ops, and where the joined dimension is in their results.
    llvm::SmallSetVector<std::pair<Operation *, int64_t>, 16> reached;
    reached.insert({cat, int64_t(cat.getDim())});
    for (size_t i = 0; i < reached.size() && i < kMostReaders; ++i) {
      auto [op, dim] = reached[i];
      for (Operation *user : op->getUsers()) {
        auto dims = user->getAttrOfType<DenseI64ArrayAttr>("dims");
        if (isa<CombinerOpInterface>(user) && dims && !llvm::is_contained(dims.asArrayRef(), dim))
          return true;
        if (auto permute = dyn_cast<PermuteOp>(user))
          reached.insert(
              {user, llvm::find(permute.getPermutation(), dim) - permute.getPermutation().begin()});
        else if (isPointwise(user))
          reached.insert({user, dim});
      }
    }
    return false;
  }

  /// True if the two ops have one box in all dimensions, without steps.
  template <typename Op, typename Other>
  bool haveOneBox(Op op, Value box, Other other, Value otherBox) const {
    if (box.getType() != otherBox.getType())
      return false;
    auto offsets = [](auto each) { return std::pair(each.getStaticOffsets(), each.getOffsets()); };
    if (offsets(op) != offsets(other))
      return false;
    return llvm::all_of(
        llvm::zip_equal(analysis.getExtents(box), analysis.getExtents(otherBox)),
        [&](auto each) { return analysis.isProvablyEqual(std::get<0>(each), std::get<1>(each)); });
  }

  bool isInserted(SliceOp slice, InsertSliceOp insert) const {
    return hasUnitSteps(slice) && haveOneBox(slice, slice.getResult(), insert, insert.getSource());
  }

  /// slice(insert_slice(x, y)) that is exactly x. Not where parts of it alone are read, while
  /// others read the insertion: what is read at an offset is stored, and the insertion is anyway.
  std::optional<Replacement> findInserted(SliceOp slice, InsertSliceOp insert) const {
    if (fuser::detail::isScheduled(insert) || !isInserted(slice, insert))
      return std::nullopt;
    auto isOther = [&](Operation *user) {
      auto other = dyn_cast<SliceOp>(user);
      return !other || !isInserted(other, insert);
    };
    if (!slice->use_empty() && llvm::all_of(slice->getUsers(), llvm::IsaPred<SliceOp>) &&
        llvm::any_of(insert->getUsers(), isOther))
      return std::nullopt;
    return Replacement{insert.getSource(), {}};
  }

  /// True for insert_slice(slice(y), y) into the box of the slice, which may be a slice of another
  /// one, and a copy.
  static bool insertsOwnPart(InsertSliceOp insert) {
    if (!insert.getOffsets().empty())
      return false;
    SmallVector<int64_t> offsets(insert.getStaticOffsets());
    Value value = insert.getSource();
    while (value != insert.getDestination()) {
      Operation *op = value.getDefiningOp();
      if (!op || !isa<SetOp, SliceOp>(op) || fuser::detail::isScheduled(op))
        return false;
      value = op->getOperand(0);
      auto slice = dyn_cast<SliceOp>(op);
      if (!slice)
        continue;
      if (!slice.getOffsets().empty() || !hasUnitSteps(slice))
        return false;
      for (auto [offset, own] : llvm::zip_equal(offsets, slice.getStaticOffsets()))
        offset -= own;
    }
    return llvm::all_of(offsets, [](int64_t offset) { return offset == 0; });
  }

  /// insert_slice(x, y) whose only reader replaces x, or where x is what is there: y.
  std::optional<Replacement> findReplaced(InsertSliceOp insert) const {
    if (insertsOwnPart(insert))
      return Replacement{insert.getDestination(), {}};
    if (!insert->hasOneUse())
      return std::nullopt;
    auto outer = dyn_cast<InsertSliceOp>(*insert->user_begin());
    if (!outer || outer.getDestination() != insert.getResult() ||
        fuser::detail::isScheduled(outer) ||
        !haveOneBox(outer, outer.getSource(), insert, insert.getSource()))
      return std::nullopt;
    return Replacement{insert.getDestination(), {}};
  }

  /// slice(cat(..., x, ...)) that is exactly x.
  std::optional<Replacement> findPiece(SliceOp slice) const {
    if (auto insert = slice.getInput().getDefiningOp<InsertSliceOp>())
      return findInserted(slice, insert);
    auto cat = slice.getInput().getDefiningOp<CatOp>();
    if (!cat || fuser::detail::isScheduled(cat) || !isFullExcept(slice, cat.getDim()))
      return std::nullopt;
    AffineExpr offset = getOffset(slice, cat.getDim());
    AffineExpr begin = getAffineConstantExpr(0, slice.getContext());
    for (Value input : cat.getInputs()) {
      AffineExpr size = analysis.getExtent(input, cat.getDim());
      if (offset && analysis.isProvablyEqual(offset, begin) &&
          input.getType() == slice.getResult().getType() &&
          analysis.isProvablyEqual(analysis.getExtent(slice.getResult(), cat.getDim()), size))
        return Replacement{input, {}};
      begin = begin + size;
    }
    return std::nullopt;
  }

  static bool areSlices(ArrayRef<Value> parts) {
    return llvm::all_of(parts, [](Value part) {
      auto slice = part.getDefiningOp<SliceOp>();
      return slice && !fuser::detail::isScheduled(slice);
    });
  }

  /// If all parts apply the same pointwise function of one tensor with the same scalars, replaces
  /// each part by the function's operand and returns the first function; else returns null.
  static Operation *getCommonFunction(SmallVectorImpl<Value> &parts) {
    Operation *first = parts.front().getDefiningOp();
    if (!first || !isPointwiseOnEqualShapes(first) || !getOnlyTensorOperand(first))
      return nullptr;
    SmallVector<Value> operands;
    for (Value part : parts) {
      Operation *op = part.getDefiningOp();
      if (!op || op->getName() != first->getName() || !op->hasOneUse() ||
          op->getAttrDictionary() != first->getAttrDictionary() || !getOnlyTensorOperand(op))
        return nullptr;
      for (auto [mine, theirs] : llvm::zip_equal(op->getOperands(), first->getOperands()))
        if (mine != theirs && !isa<RankedTensorType>(mine.getType()))
          return nullptr;
      operands.push_back(getOnlyTensorOperand(op));
    }
    parts.assign(operands);
    return first;
  }

  /// True for step 1 everywhere and the full extent of every dimension other than `dim`.
  bool isFullExcept(SliceOp slice, uint64_t dim) const {
    if (!hasUnitSteps(slice))
      return false;
    for (uint64_t other = 0, rank = slice.getInput().getType().getRank(); other < rank; ++other)
      if (other != dim && (slice.getStaticOffsets()[other] != 0 ||
                           !analysis.isProvablyEqual(analysis.getExtent(slice.getResult(), other),
                                                     analysis.getExtent(slice.getInput(), other))))
        return false;
    return true;
  }

  AffineExpr getOffset(SliceOp slice, uint64_t dim) const {
    OpFoldResult offset = slice.getDimMaps(0)[dim].offset;
    if (std::optional<int64_t> constant = getConstantIntValue(offset))
      return getAffineConstantExpr(*constant, slice.getContext());
    return analysis.getScalar(cast<Value>(offset));
  }

  const ExtentAnalysis &analysis;
};

struct CancelSplitsPass : fuser::impl::FuserCancelSplitsBase<CancelSplitsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = cancelSplits(getOperation());
    if (failed(count))
      return signalPassFailure();
    numCancelled += *count;
  }
};

} // namespace

/// The offsets of x in y for insert_slice(insert_slice(x, slice(y)), y) into the box
/// of the slice.
static std::optional<SmallVector<int64_t>> findNested(InsertSliceOp outer) {
  auto inner = outer.getSource().getDefiningOp<InsertSliceOp>();
  auto slice = inner ? inner.getDestination().getDefiningOp<SliceOp>() : SliceOp();
  if (!slice || slice.getInput() != outer.getDestination() || !outer.getOffsets().empty() ||
      !inner.getOffsets().empty() || !slice.getOffsets().empty() ||
      slice.getStaticOffsets() != outer.getStaticOffsets() || !hasUnitSteps(slice) ||
      llvm::any_of(ArrayRef<Operation *>{outer, inner, slice}, fuser::detail::isScheduled))
    return std::nullopt;
  return llvm::map_to_vector(llvm::zip_equal(outer.getStaticOffsets(), inner.getStaticOffsets()),
                             [](auto each) { return std::get<0>(each) + std::get<1>(each); });
}

/// Inserts into the whole what is inserted into a part of it, which is inserted there: slices of
/// slices that a program assigns to.
static unsigned mergeInsertions(FusionOp fusion) {
  unsigned count = 0;
  for (auto outer : llvm::make_early_inc_range(fusion.getBody().front().getOps<InsertSliceOp>())) {
    std::optional<SmallVector<int64_t>> offsets = findNested(outer);
    if (!offsets)
      continue;
    auto inner = outer.getSource().getDefiningOp<InsertSliceOp>();
    outer.getSourceMutable().assign(inner.getSource());
    outer.setStaticOffsets(*offsets);
    ++count;
  }
  return count;
}

/// All elements of a static dimension, the last one first.
static Value buildFlip(OpBuilder &builder, Location loc, Value value, uint64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  auto number = [&](int64_t of) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(of));
  };
  const int64_t size = type.getDimSize(dim);
  Value indices = IotaOp::create(builder, loc, RankedTensorType::get({size}, builder.getI64Type()),
                                 number(size - 1), number(-1), Value(), ArrayAttr(), MemoryAttr(),
                                 IntegerAttr());
  return IndexSelectOp::create(builder, loc, type, value, indices, dim, ArrayAttr(), MemoryAttr(),
                               IntegerAttr());
}

/// Kernels that store shorter parts of rows store no whole sector of memory: one kernel selects
/// among such parts.
static constexpr int64_t kSectorBytes = 32;

/// True if each part has at least a sector of adjacent elements. Unknown sizes are long.
static bool hasLongParts(CatOp cat) {
  return llvm::all_of(cat.getInputs(), [&](Value part) {
    auto type = cast<RankedTensorType>(part.getType());
    std::optional<int64_t> run = getStaticProduct(type.getShape().drop_front(cat.getDim()));
    return !run || *run >= kSectorBytes / getElementBytes(type.getElementType());
  });
}

/// Joins at once what a concatenation joins with parts of its own, along the same dimension:
/// kernels can store each part where it belongs.
static unsigned mergeJoins(FusionOp fusion) {
  unsigned count = 0;
  for (auto inner : llvm::make_early_inc_range(fusion.getBody().front().getOps<CatOp>())) {
    auto outer = inner->hasOneUse() ? dyn_cast<CatOp>(*inner->user_begin()) : CatOp();
    if (!outer || outer.getDim() != inner.getDim() || !hasLongParts(inner) ||
        fuser::detail::isScheduled(inner) || fuser::detail::isScheduled(outer))
      continue;
    SmallVector<Value> parts;
    for (Value part : outer.getInputs()) {
      if (part == inner.getResult())
        llvm::append_range(parts, inner.getInputs());
      else
        parts.push_back(part);
    }
    outer.getInputsMutable().assign(parts);
    inner.erase();
    ++count;
  }
  return count;
}

/// One round. A slice of a slice cancels in the next round.
static FailureOr<unsigned> cancelOnce(FusionOp fusion) {
  Block &body = fusion.getBody().front();
  unsigned numMerged = mergeJoins(fusion);
  const bool hasCat = !body.getOps<SliceOp>().empty() && !body.getOps<CatOp>().empty();
  if (!hasCat && body.getOps<InsertSliceOp>().empty())
    return numMerged;
  numMerged += mergeInsertions(fusion);
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  SplitFinder finder(*analysis);
  SmallVector<std::pair<Operation *, Replacement>> found;
  for (Operation &op : body)
    if (std::optional<Replacement> replacement = finder.find(&op))
      found.emplace_back(&op, std::move(*replacement));

  IRRewriter rewriter(fusion.getContext());
  // A replacement may itself have been replaced in this round.
  llvm::DenseMap<Value, Value> replaced;
  for (auto &[op, replacement] : found) {
    Value value = replacement.whole;
    while (Value newer = replaced.lookup(value))
      value = newer;
    rewriter.setInsertionPoint(op);
    auto slice = dyn_cast<SliceOp>(op);
    if (isa<InsertSliceOp>(op) || (slice && slice.getInput().getDefiningOp<InsertSliceOp>()))
      keepBounds(op, *analysis, rewriter);
    if (replacement.flipped)
      value = buildFlip(rewriter, op->getLoc(), value, *replacement.flipped);
    for (Operation *function : replacement.functions) {
      auto shape = cast<RankedTensorType>(value.getType()).getShape();
      SmallVector<Value> operands =
          llvm::map_to_vector(function->getOperands(), [&](Value operand) {
            return isa<RankedTensorType>(operand.getType()) ? value : operand;
          });
      value = clonePointwise(rewriter, function, operands, shape);
    }
    rewriter.replaceAllUsesWith(op->getResult(0), value);
    replaced[op->getResult(0)] = value;
  }
  eraseDeadOps(fusion);
  return found.size() + numMerged;
}

FailureOr<unsigned> fuser::cancelSplits(FusionOp fusion) {
  return repeatRounds(fusion, cancelOnce);
}
