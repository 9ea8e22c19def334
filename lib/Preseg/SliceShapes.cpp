//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SliceShapes.h"
#include "Patterns.h"
#include "SliceSizes.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Offset, size and step of a slice in each dimension.
struct Box {
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> steps;

  static Box get(SliceOp slice) {
    Box box;
    Builder builder(slice.getContext());
    auto list = [&](ArrayRef<int64_t> fixed, ValueRange values) {
      SmallVector<OpFoldResult> all;
      unsigned next = 0;
      for (int64_t value : fixed)
        all.push_back(ShapedType::isDynamic(value) ? OpFoldResult(values[next++])
                                                   : builder.getIndexAttr(value));
      return all;
    };
    box.offsets = list(slice.getStaticOffsets(), slice.getOffsets());
    box.sizes = list(slice.getStaticSizes(), slice.getSizes());
    box.steps.assign(box.sizes.size(), 1);
    if (slice.getStrides())
      llvm::copy(*slice.getStrides(), box.steps.begin());
    return box;
  }

  std::optional<int64_t> getOffset(unsigned dim) const { return getConstantIntValue(offsets[dim]); }
  std::optional<int64_t> getSize(unsigned dim) const { return getConstantIntValue(sizes[dim]); }
  void set(OpBuilder &builder, unsigned dim, int64_t offset, int64_t size) {
    offsets[dim] = builder.getIndexAttr(offset);
    sizes[dim] = builder.getIndexAttr(size);
    steps[dim] = 1;
  }
  /// True if the box has all of a dimension of this size.
  bool isWhole(unsigned dim, int64_t size) const {
    return getOffset(dim) == 0 && getSize(dim) == size && steps[dim] == 1;
  }

  Value build(OpBuilder &builder, Location loc, Value operand) const {
    SmallVector<int64_t> staticOffsets, staticSizes;
    SmallVector<Value> dynamicOffsets, dynamicSizes;
    dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    const bool hasSteps = llvm::any_of(steps, [](int64_t step) { return step != 1; });
    return SliceOp::create(
        builder, loc, cast<RankedTensorType>(operand.getType()).clone(staticSizes), operand,
        dynamicOffsets, dynamicSizes, builder.getDenseI64ArrayAttr(staticOffsets),
        builder.getDenseI64ArrayAttr(staticSizes),
        hasSteps ? builder.getDenseI64ArrayAttr(steps) : DenseI64ArrayAttr(), ArrayAttr(),
        MemoryAttr(), IntegerAttr());
  }
};

/// slice(expand(x)) = expand(slice(x)), or slice(x) where one copy is read.
struct SliceOfExpand : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto expand = getDefiningOp<ExpandOp>(op.getInput());
    if (!expand)
      return rewriter.notifyMatchFailure(op, "its operand is no expand");
    Box box = Box::get(op);
    SmallVector<Value> sizes;
    bool isMoved = false, isExpanded = false;
    for (auto [dim, size] : llvm::enumerate(expand.getInput().getType().getShape())) {
      const int64_t whole = expand.getResult().getType().getDimSize(dim);
      if (!expand.isExpanded(dim)) {
        isMoved |= !box.isWhole(dim, whole);
        continue;
      }
      isExpanded |= box.getSize(dim) != 1;
      if (!box.getSize(dim))
        sizes.push_back(cast<Value>(box.sizes[dim]));
      box.set(rewriter, dim, 0, 1);
    }
    Value input = expand.getInput();
    if (isMoved)
      input = box.build(rewriter, op.getLoc(), input);
    if (!isExpanded)
      rewriter.replaceOp(op, input);
    else
      rewriter.replaceOpWithNewOp<ExpandOp>(op, op.getResult().getType(), input, sizes, ArrayAttr(),
                                            MemoryAttr(), IntegerAttr());
    return success();
  }
};

/// slice(reshape(x)) = reshape(slice(x)), or reshape(slice(reshape(x))), whose inner reshape only
/// merges dimensions: loops over a merged dimension move by an offset, those over its parts do not.
struct SliceOfReshape : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto reshape = getDefiningOp<ReshapeOp>(op.getInput());
    if (!reshape || !(reshape->hasOneUse() || isReadInParts(reshape.getResult())) ||
        !reshape.getInput().getDefiningOp())
      return rewriter.notifyMatchFailure(
          op, "its operand is no reshape of a computed value, or is used elsewhere");
    ArrayRef<int64_t> from = reshape.getInput().getType().getShape();
    ArrayRef<int64_t> to = reshape.getResult().getType().getShape();
    std::string reason;
    std::optional<ReshapePlan> plan = planReshape(reshape, from, to, reason);
    if (!plan)
      return rewriter.notifyMatchFailure(op, "the reshape has no groups");
    const Box box = Box::get(op);
    Box moved;
    SmallVector<int64_t> merged, ofMerged, fromMerged, toMerged;
    int64_t firstFrom = 0, firstTo = 0;
    for (const ReshapeGroup &group : plan->groups) {
      ArrayRef<int64_t> ofGroup = from.slice(firstFrom, group.from);
      const ArrayRef<int64_t> results = to.slice(firstTo, group.to);
      const size_t firstMoved = merged.size();
      bool isMoved = moveGroup(rewriter, box, moved, ofGroup, results, firstMoved, firstTo);
      std::optional<int64_t> whole = getStaticProduct(ofGroup);
      if (!isMoved && group.from > 1 && group.to > 1 && whole) {
        ofGroup = *whole;
        isMoved = moveGroup(rewriter, box, moved, ofGroup, results, firstMoved, firstTo);
      }
      if (!isMoved)
        return rewriter.notifyMatchFailure(op, "its box is no box of the operand");
      llvm::append_range(merged, ofGroup);
      ofMerged.push_back(group.from);
      fromMerged.push_back(ofGroup.size());
      toMerged.push_back(group.to);
      firstFrom += group.from;
      firstTo += group.to;
    }
    SmallVector<int64_t> newFrom, newTo(op.getResult().getType().getShape());
    for (OpFoldResult size : moved.sizes)
      newFrom.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    // The sizes of the slice must still determine the groups.
    if (!planReshape(reshape, newFrom, newTo, reason) ||
        !planReshape(reshape, from, merged, reason))
      return rewriter.notifyMatchFailure(op, "the sizes of the slice do not determine the groups");
    auto build = [&](Value operand, ArrayRef<int64_t> sizes, ArrayRef<int64_t> ofGroups,
                     ArrayRef<int64_t> toGroups) -> Value {
      auto copy = cast<ReshapeOp>(rewriter.clone(*reshape));
      copy->setDiscardableAttrs(DictionaryAttr::get(getContext()));
      copy->setOperand(0, operand);
      copy.getResult().setType(reshape.getResult().getType().clone(sizes));
      if (reshape.getFrom()) {
        copy.setFrom(ofGroups);
        copy.setTo(toGroups);
      }
      return copy.getResult();
    };
    Value operand = reshape.getInput();
    if (from != ArrayRef(merged))
      operand = build(operand, merged, ofMerged, fromMerged);
    operand = moved.build(rewriter, op.getLoc(), operand);
    rewriter.replaceOp(op, build(operand, newTo, fromMerged, toMerged));
    return success();
  }

private:
  /// Appends the box of the operand for one group, whose first dimension is `firstFrom`; false if
  /// there is none. All sizes are static if a dimension of the group is not whole, and a dynamic
  /// whole dimension keeps its size only if the slice states it.
  static bool moveGroup(OpBuilder &builder, const Box &box, Box &moved, ArrayRef<int64_t> from,
                        ArrayRef<int64_t> to, int64_t firstFrom, int64_t firstTo) {
    moved.offsets.truncate(firstFrom);
    moved.steps.truncate(firstFrom);
    moved.sizes.truncate(firstFrom);
    moved.offsets.append(from.size(), builder.getIndexAttr(0));
    moved.steps.append(from.size(), 1);
    for (int64_t size : from)
      moved.sizes.push_back(builder.getIndexAttr(size));
    if (from.size() == 1 && to.size() == 1) {
      moved.offsets[firstFrom] = box.offsets[firstTo];
      moved.sizes[firstFrom] = box.sizes[firstTo];
      moved.steps[firstFrom] = box.steps[firstTo];
      return true;
    }
    // All dimensions of the group are static, and those after its first are whole.
    for (size_t dim = 0; dim < to.size(); ++dim)
      if (dim > 0 && !box.isWhole(firstTo + dim, to[dim]))
        return false;
    if (to.empty() || from.empty() || ShapedType::isDynamicShape(from) ||
        ShapedType::isDynamicShape(to))
      return false;
    if (box.isWhole(firstTo, to[0]))
      return true;
    std::optional<int64_t> offset = box.getOffset(firstTo), size = box.getSize(firstTo);
    std::optional<int64_t> elements = getStaticProduct(to.drop_front());
    std::optional<int64_t> inner = getStaticProduct(from.drop_front());
    if (!offset || !size || !elements || !inner || box.steps[firstTo] != 1 || *inner == 0 ||
        *offset * *elements % *inner != 0 || *size * *elements % *inner != 0)
      return false;
    moved.set(builder, firstFrom, *offset * *elements / *inner, *size * *elements / *inner);
    return true;
  }
};

/// A column of rows of a few elements that a reshape makes is every n-th element of the rows of its
/// operand, and one of several rows a part of it: slice(reshape(x)) = broadcast(slice(x)).
struct ColumnOfReshape : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto reshape = getDefiningOp<ReshapeOp>(op.getInput());
    if (!reshape)
      return rewriter.notifyMatchFailure(op, "its operand is no reshape");
    const Box box = Box::get(op);
    Box moved;
    // The dimension of which the slice has one index.
    std::optional<int64_t> single;
    int64_t to = 0;
    for (const ReshapeGroup &group : planReshape(reshape).groups) {
      if (group.from != 1 || (group.to != 1 && group.to != 2))
        return rewriter.notifyMatchFailure(op, "the reshape does not only split dimensions");
      moved.offsets.push_back(box.offsets[to]);
      moved.sizes.push_back(box.sizes[to]);
      moved.steps.push_back(box.steps[to]);
      if (group.to == 2) {
        const int64_t length = reshape.getResult().getType().getDimSize(to + 1);
        if (single || ShapedType::isDynamic(length) || length < 2 ||
            !(moveColumn(rewriter, box, moved, to, length) ||
              (isReadBySlices(reshape) && moveRow(rewriter, box, moved, to, length))))
          return rewriter.notifyMatchFailure(op, "its box is no column or row of what was split");
        single = box.getSize(to + 1) == 1 ? to + 1 : to;
      }
      to += group.to;
    }
    if (!single)
      return rewriter.notifyMatchFailure(op, "the reshape splits no dimension");
    Value slice = moved.build(rewriter, op.getLoc(), reshape.getInput());
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (auto squeeze = dyn_cast<SqueezeOp>(user);
          squeeze && !fuser::detail::isScheduled(squeeze) &&
          squeeze.getDims() == ArrayRef(*single) && squeeze.getType() == slice.getType())
        rewriter.replaceOp(squeeze, slice);
    Value unsqueezed = BroadcastOp::create(rewriter, op.getLoc(), slice, ArrayRef(*single));
    unsqueezed.setType(op.getResult().getType());
    rewriter.replaceOp(op, unsqueezed);
    return success();
  }

private:
  static bool isReadBySlices(ReshapeOp reshape) {
    return llvm::all_of(reshape->getUsers(), llvm::IsaPred<SliceOp>);
  }

  /// Moves one index of all rows of `length`, whose dimensions begin at `to`.
  static bool moveColumn(OpBuilder &builder, const Box &box, Box &moved, int64_t to,
                         int64_t length) {
    const std::optional<int64_t> place = box.getOffset(to + 1);
    if (box.getOffset(to) != 0 || box.steps[to] != 1 || !place || box.getSize(to + 1) != 1)
      return false;
    moved.offsets.back() = builder.getIndexAttr(*place);
    moved.steps.back() = length;
    return true;
  }

  /// Moves all of one of the rows.
  static bool moveRow(OpBuilder &builder, const Box &box, Box &moved, int64_t to, int64_t length) {
    const std::optional<int64_t> row = box.getOffset(to);
    if (!row || box.getSize(to) != 1 || !box.isWhole(to + 1, length))
      return false;
    moved.set(builder, moved.offsets.size() - 1, *row * length, length);
    return true;
  }
};

/// A slice of one part of a concatenation.
struct SliceOfCat : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto cat = getDefiningOp<CatOp>(op.getInput());
    if (!cat)
      return rewriter.notifyMatchFailure(op, "its operand is no concatenation");
    const int64_t dim = cat.getDim();
    Box box = Box::get(op);
    std::optional<int64_t> offset = box.getOffset(dim), size = box.getSize(dim);
    if (!offset || !size || *size == 0)
      return rewriter.notifyMatchFailure(op, "it is empty, or its box is dynamic");
    const int64_t end = *offset + (*size - 1) * box.steps[dim] + 1;
    int64_t start = 0;
    for (Value part : cat.getOperands()) {
      const int64_t length = cast<RankedTensorType>(part.getType()).getDimSize(dim);
      if (ShapedType::isDynamic(length) || *offset < start)
        break;
      if (end <= start + length) {
        box.offsets[dim] = rewriter.getIndexAttr(*offset - start);
        rewriter.replaceOp(op, box.build(rewriter, op.getLoc(), part));
        return success();
      }
      start += length;
    }
    return rewriter.notifyMatchFailure(op, "it reads several parts, or one of unknown position");
  }
};

/// The elements of a slice of a padded dimension that are no border.
struct Interior {
  int64_t offset, size, low, high;

  /// Nothing if there are none.
  static std::optional<Interior> get(const Box &box, unsigned dim, int64_t low, int64_t length) {
    const std::optional<int64_t> offset = box.getOffset(dim), size = box.getSize(dim);
    if (!offset || !size || ShapedType::isDynamic(low) || ShapedType::isDynamic(length))
      return std::nullopt;
    const int64_t step = box.steps[dim];
    const int64_t first = std::max<int64_t>(0, llvm::divideCeilSigned(low - *offset, step));
    const int64_t last =
        std::min(*size - 1, llvm::divideFloorSigned(low + length - 1 - *offset, step));
    if (last < first)
      return std::nullopt;
    return Interior{*offset + first * step - low, last - first + 1, first, *size - 1 - last};
  }
};

/// slice(pad(x)) = pad(slice(x)), or slice(x) where no border is read.
struct SliceOfPad : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto pad = getDefiningOp<PadOp>(op.getInput());
    if (!pad)
      return rewriter.notifyMatchFailure(op, "its operand is no pad");
    Box box = Box::get(op);
    const OpFoldResult zero = rewriter.getIndexAttr(0);
    SmallVector<OpFoldResult> low(box.sizes.size(), zero), high = low;
    bool hasBorder = false;
    for (auto [dim, before, after] : llvm::enumerate(pad.getStaticLow(), pad.getStaticHigh())) {
      if (before == 0 && after == 0)
        continue;
      const int64_t length = pad.getInput().getType().getDimSize(dim);
      const std::optional<Interior> part = Interior::get(box, dim, before, length);
      if (!part)
        return rewriter.notifyMatchFailure(op, "it reads only border, or has unknown sizes");
      box.offsets[dim] = rewriter.getIndexAttr(part->offset);
      box.sizes[dim] = rewriter.getIndexAttr(part->size);
      low[dim] = rewriter.getIndexAttr(part->low);
      high[dim] = rewriter.getIndexAttr(part->high);
      hasBorder |= part->low > 0 || part->high > 0;
    }
    // Where others read the padded value, a kernel stores it anyway.
    if (hasBorder && !llvm::all_of(pad->getUsers(), llvm::IsaPred<SliceOp>))
      return rewriter.notifyMatchFailure(op, "it reads border of a value that others read");
    Value part = box.build(rewriter, op.getLoc(), pad.getInput());
    if (hasBorder)
      part = createPad(rewriter, pad.getLoc(), op.getResult().getType(), part, low, high,
                       pad.getValue());
    rewriter.replaceOp(op, part);
    return success();
  }
};

/// A slice of all elements, also of dynamic dimensions.
struct SliceOfAll : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    if (op.getType() != op.getInput().getType() ||
        !llvm::all_of(llvm::seq<unsigned>(0, op.getType().getRank()),
                      [&](unsigned dim) { return isWhole(op, dim); }))
      return rewriter.notifyMatchFailure(op, "it does not have all elements");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// slice(slice(x)) = slice(x), of boxes that are constant where neither slice has all of a
/// dimension: each call checks others.
struct SliceOfSlice : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = getDefiningOp<SliceOp>(op.getInput());
    if (!inner || fuser::detail::isScheduled(inner))
      return rewriter.notifyMatchFailure(op, "its operand is no slice");
    const Box whole = Box::get(inner);
    Box box = Box::get(op);
    for (unsigned dim = 0, rank = box.sizes.size(); dim < rank; ++dim) {
      if (isWhole(inner, dim))
        continue;
      const std::optional<int64_t> first = whole.getOffset(dim), offset = box.getOffset(dim);
      if (isWhole(op, dim)) {
        box.offsets[dim] = whole.offsets[dim];
        box.sizes[dim] = whole.sizes[dim];
      } else if (first && offset && whole.getSize(dim) && box.getSize(dim)) {
        box.offsets[dim] = rewriter.getIndexAttr(*first + *offset * whole.steps[dim]);
      } else {
        return rewriter.notifyMatchFailure(op, "a box is known at run time only");
      }
      box.steps[dim] *= whole.steps[dim];
    }
    rewriter.replaceOp(op, box.build(rewriter, op.getLoc(), inner.getInput()));
    return success();
  }
};

} // namespace

void fuser::addSliceShapePatterns(RewritePatternSet &patterns, unsigned &count) {
  patterns.add<SliceOfExpand, SliceOfReshape, ColumnOfReshape, SliceOfCat, SliceOfPad, SliceOfAll,
               SliceOfSlice>(patterns.getContext(), count);
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

SliceOp fuser::createSlice(OpBuilder &builder, Location loc, RankedTensorType type, Value input,
                           ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  if (!type)
    type = cast<RankedTensorType>(input.getType()).clone(staticSizes);
  return SliceOp::create(builder, loc, type, input, dynamicOffsets, dynamicSizes, staticOffsets,
                         staticSizes, DenseI64ArrayAttr(), ArrayAttr(), MemoryAttr(),
                         IntegerAttr());
}

SliceOp fuser::createSliceAt(OpBuilder &builder, Location loc, Value input, int64_t dim,
                             int64_t index) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)), sizes;
  for (int64_t each = 0; each < type.getRank(); ++each)
    if (type.isDynamicDim(each) && each != dim)
      sizes.push_back(buildSize(builder, loc, input, each));
    else
      sizes.push_back(builder.getIndexAttr(type.getDimSize(each)));
  offsets[dim] = builder.getIndexAttr(index);
  sizes[dim] = builder.getIndexAttr(1);
  return createSlice(builder, loc, RankedTensorType(), input, offsets, sizes);
}

PadOp fuser::createPad(OpBuilder &builder, Location loc, RankedTensorType type, Value input,
                       ArrayRef<OpFoldResult> low, ArrayRef<OpFoldResult> high, Value value) {
  SmallVector<Value> dynamicLow, dynamicHigh;
  SmallVector<int64_t> staticLow, staticHigh;
  dispatchIndexOpFoldResults(low, dynamicLow, staticLow);
  dispatchIndexOpFoldResults(high, dynamicHigh, staticHigh);
  return PadOp::create(builder, loc, type, input, dynamicLow, dynamicHigh, value, staticLow,
                       staticHigh, ArrayAttr(), MemoryAttr(), IntegerAttr());
}
