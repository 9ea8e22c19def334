//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pads that crop, as slices of what is left and pads that only add elements.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "SliceShapes.h"
#include "SliceSizes.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Ids/PositivePart.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

namespace {

/// A pad that crops a reduction, a scan or what is computed from one becomes a slice and the rest
/// of the pad: the slice moves up, so that only what is read is computed.
struct SplitCrop : CountedPattern<PadOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(PadOp op, PatternRewriter &rewriter) const override {
    auto isNegative = [](int64_t amount) { return amount < 0; };
    if (!op.getLow().empty() || !op.getHigh().empty() ||
        (llvm::none_of(op.getStaticLow(), isNegative) &&
         llvm::none_of(op.getStaticHigh(), isNegative)))
      return rewriter.notifyMatchFailure(op, "it crops nothing, or its amounts are dynamic");
    if (!isAfterOwnLoops(op.getInput()))
      return rewriter.notifyMatchFailure(op, "its operand is computed element by element");
    auto type = op.getInput().getType();
    SmallVector<int64_t> offsets, sizes, low, high, cuts;
    for (auto [size, before, after] :
         llvm::zip_equal(type.getShape(), op.getStaticLow(), op.getStaticHigh())) {
      const int64_t cut = std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
      offsets.push_back(-std::min<int64_t>(before, 0));
      low.push_back(std::max<int64_t>(before, 0));
      high.push_back(std::max<int64_t>(after, 0));
      cuts.push_back(cut);
      const bool isDynamic = ShapedType::isDynamic(size);
      // The border may replace what is cropped on the other side.
      if ((!isDynamic && size + cut < 0) || (isDynamic && cut < 0 && (before > 0 || after > 0)))
        return rewriter.notifyMatchFailure(op, "it may crop more elements than there are");
      sizes.push_back(isDynamic ? size : size + cut);
    }
    SmallVector<Value> dynamicSizes;
    for (auto [dim, cut] : llvm::enumerate(cuts)) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = buildSize(rewriter, op.getLoc(), op.getInput(), dim);
      if (cut != 0)
        size = arith::AddIOp::create(rewriter, op.getLoc(), size,
                                     arith::ConstantIndexOp::create(rewriter, op.getLoc(), cut));
      dynamicSizes.push_back(size);
    }
    Value slice = SliceOp::create(rewriter, op.getLoc(), type.clone(sizes), op.getInput(),
                                  ValueRange(), dynamicSizes, offsets, sizes, DenseI64ArrayAttr(),
                                  ArrayAttr(), MemoryAttr(), IntegerAttr());
    auto isZero = [](int64_t amount) { return amount == 0; };
    if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero)) {
      slice.setType(op.getResult().getType());
      rewriter.replaceOp(op, slice);
      return success();
    }
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getResult().getType(), slice, ValueRange(),
                                       ValueRange(), op.getValue(), low, high, ArrayAttr(),
                                       MemoryAttr(), IntegerAttr());
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Amounts of unknown sign
//===----------------------------------------------------------------------===//

/// The size of a dimension without a query of what a slice or a pad leaves, which would be a use of
/// it.
static Value buildBoxSize(OpBuilder &builder, Location loc, Value value, unsigned dim) {
  if (!cast<RankedTensorType>(value.getType()).isDynamicDim(dim))
    return buildSize(builder, loc, value, dim);
  auto toValue = [&](ArrayRef<int64_t> fixed, ValueRange values) {
    return getValueOrCreateConstantIndexOp(builder, loc,
                                           getMixedValues(fixed, values, builder)[dim]);
  };
  if (auto slice = value.getDefiningOp<SliceOp>())
    return toValue(slice.getStaticSizes(), slice.getSizes());
  auto pad = value.getDefiningOp<PadOp>();
  if (!pad)
    return buildSize(builder, loc, value, dim);
  Value size =
      builder.createOrFold<arith::AddIOp>(loc, buildBoxSize(builder, loc, pad.getInput(), dim),
                                          toValue(pad.getStaticLow(), pad.getLow()));
  return builder.createOrFold<arith::AddIOp>(loc, size,
                                             toValue(pad.getStaticHigh(), pad.getHigh()));
}

namespace {

/// Rewrites one pad whose amounts may be negative at run time. In a dimension of n elements with
/// the amounts `low` and `high`, elements [offset, offset + size) of the operand are stored between
/// `before` and `after` elements of the border. These four are never negative if the size of the
/// result is not, and their sum proves this size: ExtentAnalysis finds both.
class AmountSplitter {
public:
  AmountSplitter(PadOp pad, const ExtentAnalysis &extents)
      : pad(pad), extents(extents), builder(pad), loc(pad.getLoc()),
        low(getMixedValues(pad.getStaticLow(), pad.getLow(), builder)),
        high(getMixedValues(pad.getStaticHigh(), pad.getHigh(), builder)) {}

  /// True if an amount may be negative.
  bool mayCrop() const;
  void rewrite();
  /// Replaces a pad of a concatenation by a concatenation of pads: the elements of the result that
  /// come before the second part are those of the first one and of the border, and so on.
  void rewriteParts(CatOp cat);

private:
  /// Calls `addPart` with each part and its amounts along the dimension that is concatenated, any
  /// of which may crop it.
  void cropParts(CatOp cat,
                 function_ref<void(Value, OpFoldResult before, OpFoldResult after)> addPart);
  bool mayBeNegative(OpFoldResult amount) const;
  void split(unsigned dim);

  Value toValue(OpFoldResult amount) {
    return getValueOrCreateConstantIndexOp(builder, loc, amount);
  }
  Value add(Value lhs, Value rhs) { return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs); }
  Value subtract(Value lhs, Value rhs) {
    return builder.createOrFold<arith::SubIOp>(loc, lhs, rhs);
  }
  /// The larger one of a value and 0.
  Value clamp(Value value) {
    return builder.createOrFold<arith::MaxSIOp>(loc, value, toValue(builder.getIndexAttr(0)));
  }

  PadOp pad;
  const ExtentAnalysis &extents;
  OpBuilder builder;
  Location loc;
  SmallVector<OpFoldResult> low, high;
  SmallVector<OpFoldResult> offsets, sizes, before, after;
};

} // namespace

bool AmountSplitter::mayBeNegative(OpFoldResult amount) const {
  if (std::optional<int64_t> constant = getConstantIntValue(amount))
    return *constant < 0;
  AffineExpr expr = extents.getScalar(cast<Value>(amount));
  return !expr || extents.getLowerBound(expr) < 0;
}

bool AmountSplitter::mayCrop() const {
  auto isUnknown = [&](OpFoldResult amount) { return mayBeNegative(amount); };
  return llvm::any_of(low, isUnknown) || llvm::any_of(high, isUnknown);
}

void AmountSplitter::split(unsigned dim) {
  Value size = buildBoxSize(builder, loc, pad.getInput(), dim);
  if (!mayBeNegative(low[dim]) && !mayBeNegative(high[dim])) {
    offsets.push_back(builder.getIndexAttr(0));
    sizes.push_back(getAsOpFoldResult(size));
    before.push_back(low[dim]);
    after.push_back(high[dim]);
    return;
  }
  const bool mayDrop = mayBeNegative(low[dim]);
  Value first = toValue(low[dim]), added = mayDrop ? clamp(first) : first;
  // What is left of the operand if only elements before are dropped, and what of the result
  // follows the elements that are added before. The smaller one of the two is read.
  Value left = add(size, subtract(first, added));
  if (mayDrop)
    left = clamp(left);
  Value whole = add(add(size, first), toValue(high[dim]));
  Value following = clamp(subtract(whole, added));
  Value rest = clamp(subtract(following, left));
  offsets.push_back(getAsOpFoldResult(subtract(size, left)));
  sizes.push_back(getAsOpFoldResult(subtract(following, rest)));
  before.push_back(getAsOpFoldResult(subtract(whole, following)));
  after.push_back(getAsOpFoldResult(rest));
}

void AmountSplitter::rewrite() {
  for (unsigned dim = 0; dim < low.size(); ++dim)
    split(dim);
  Value slice = createSlice(builder, loc, /*type=*/{}, pad.getInput(), offsets, sizes);
  PadOp rest =
      createPad(builder, loc, pad.getResult().getType(), slice, before, after, pad.getValue());
  rest->setDiscardableAttrs(pad->getDiscardableAttrDictionary());
  pad.replaceAllUsesWith(rest.getResult());
  pad.erase();
}

void AmountSplitter::rewriteParts(CatOp cat) {
  keepBounds(pad, extents, builder);
  const unsigned along = cat.getDim();
  SmallVector<Value> parts;
  auto addPart = [&](Value part, OpFoldResult before, OpFoldResult after) {
    SmallVector<OpFoldResult> first(low), second(high);
    first[along] = before;
    second[along] = after;
    SmallVector<int64_t> shape(pad.getResult().getType().getShape());
    std::optional<int64_t> added = getConstantIntValue(before), rest = getConstantIntValue(after);
    const int64_t length = cast<RankedTensorType>(part.getType()).getDimSize(along);
    shape[along] = added && rest && !ShapedType::isDynamic(length) ? *added + length + *rest
                                                                   : ShapedType::kDynamic;
    parts.push_back(createPad(builder, loc, pad.getResult().getType().clone(shape), part, first,
                              second, pad.getValue()));
  };
  if (mayBeNegative(low[along]) || mayBeNegative(high[along])) {
    cropParts(cat, addPart);
  } else {
    const OpFoldResult zero = builder.getIndexAttr(0);
    for (auto [number, part] : llvm::enumerate(cat.getInputs()))
      addPart(part, number == 0 ? low[along] : zero,
              number + 1 == cat.getInputs().size() ? high[along] : zero);
  }
  auto result = CatOp::create(builder, loc, pad.getResult().getType(), parts, along, ArrayAttr(),
                              MemoryAttr(), IntegerAttr());
  result->setDiscardableAttrs(pad->getDiscardableAttrDictionary());
  pad.replaceAllUsesWith(result.getResult());
  pad.erase();
  cat.erase();
}

void AmountSplitter::cropParts(
    CatOp cat, function_ref<void(Value, OpFoldResult before, OpFoldResult after)> addPart) {
  const unsigned along = cat.getDim();
  // Where a part would begin without the bounds of the result, and where it does.
  Value position = toValue(low[along]), begin = toValue(builder.getIndexAttr(0));
  Value end = add(position, toValue(high[along]));
  SmallVector<Value> lengths;
  for (Value part : cat.getInputs()) {
    lengths.push_back(buildBoxSize(builder, loc, part, along));
    end = add(end, lengths.back());
  }
  for (auto [number, part] : llvm::enumerate(cat.getInputs())) {
    const bool isLast = number + 1 == lengths.size();
    Value next = add(position, lengths[number]);
    // The smaller one of the size of the result and of what is not negative.
    Value stop = isLast ? end : subtract(end, clamp(subtract(end, clamp(next))));
    addPart(part, getAsOpFoldResult(subtract(position, begin)),
            isLast ? high[along] : getAsOpFoldResult(subtract(stop, next)));
    position = next;
    begin = stop;
  }
}

//===----------------------------------------------------------------------===//
// Boxes of boxes
//===----------------------------------------------------------------------===//

/// True if what the box is computed from grew already: each merged box makes expressions several
/// times as long.
static bool isDeep(Operation *box, const ExtentAnalysis &extents) {
  constexpr unsigned kMost = 6;
  llvm::DenseMap<AffineExpr, unsigned> depths;
  return llvm::any_of(box->getOperands(), [&](Value operand) {
    AffineExpr expr = operand.getType().isIndex() ? extents.getScalar(operand) : AffineExpr();
    return expr && getPositiveDepth(expr, depths) > kMost;
  });
}

/// Replaces a slice of a pad or of a slice by one op, if the value below has loops of its own: what
/// both leave of it is one box, which a kernel that computes the value can store. Sizes that
/// constants determine are left to patterns.
static bool mergeBoxes(SliceOp slice, const ExtentAnalysis &extents) {
  Operation *inner = slice.getInput().getDefiningOp();
  auto pad = dyn_cast_if_present<PadOp>(inner);
  auto part = dyn_cast_if_present<SliceOp>(inner);
  if ((!pad && !part) || !inner->hasOneUse() || !hasUnitSteps(slice) ||
      fuser::detail::isScheduled(slice) || fuser::detail::isScheduled(inner) ||
      !isAfterOwnLoops(inner->getOperand(0)) || (part && !hasUnitSteps(part)) ||
      (slice.getOffsets().empty() && slice.getSizes().empty() &&
       inner->getNumOperands() == (pad ? 2 : 1)))
    return false;
  if (isDeep(inner, extents) || isDeep(slice, extents))
    return false;
  OpBuilder builder(slice);
  Location loc = slice.getLoc();
  keepBounds(inner, extents, builder);
  keepBounds(slice, extents, builder);
  auto toValue = [&](OpFoldResult entry) {
    return getValueOrCreateConstantIndexOp(builder, loc, entry);
  };
  auto add = [&](Value lhs, Value rhs) {
    return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  };
  auto subtract = [&](Value lhs, Value rhs) {
    return builder.createOrFold<arith::SubIOp>(loc, lhs, rhs);
  };
  SmallVector<OpFoldResult> at = getMixedValues(slice.getStaticOffsets(), slice.getOffsets(),
                                                builder),
                            sizes =
                                getMixedValues(slice.getStaticSizes(), slice.getSizes(), builder),
                            first = pad ? getMixedValues(pad.getStaticLow(), pad.getLow(), builder)
                                        : getMixedValues(part.getStaticOffsets(), part.getOffsets(),
                                                         builder),
                            second = sizes;
  for (auto [dim, offset] : llvm::enumerate(at)) {
    if (part) {
      first[dim] = getAsOpFoldResult(add(toValue(first[dim]), toValue(offset)));
      continue;
    }
    Value low = subtract(toValue(first[dim]), toValue(offset));
    Value size = buildBoxSize(builder, loc, pad.getInput(), dim);
    first[dim] = getAsOpFoldResult(low);
    second[dim] = getAsOpFoldResult(subtract(subtract(toValue(sizes[dim]), size), low));
  }
  RankedTensorType type = slice.getResult().getType();
  Value input = inner->getOperand(0);
  Value result =
      pad ? createPad(builder, loc, type, input, first, second, pad.getValue()).getResult()
          : createSlice(builder, loc, type, input, first, second).getResult();
  slice.getResult().replaceAllUsesWith(result);
  slice.erase();
  inner->erase();
  return true;
}

/// Pads and slices from which the value follows, up to others: the sizes of each are several times
/// as long as those of the one before.
static unsigned countBoxes(Value value) {
  unsigned count = 0;
  for (Operation *op = value.getDefiningOp(); isa_and_present<PadOp, SliceOp>(op);
       op = op->getOperand(0).getDefiningOp())
    count += op->getNumOperands() > (isa<PadOp>(op) ? 2 : 1);
  return count;
}

/// The concatenation that is padded, if it has no other reader and kernels store its padded parts:
/// they have loops of their own, or no kernel computes with the result. Null otherwise.
static CatOp getCatOf(PadOp pad) {
  auto cat = pad.getInput().getDefiningOp<CatOp>();
  if (!cat || !cat->hasOneUse() || fuser::detail::isScheduled(cat))
    return nullptr;
  const bool isStored =
      isAfterOwnLoops(cat.getResult()) ||
      llvm::all_of(pad->getUsers(), llvm::IsaPred<ReturnOp, PadOp, CatOp, InsertSliceOp>);
  return isStored ? cat : CatOp();
}

/// One round, of ops that the analysis knows.
static FailureOr<unsigned> splitOnce(FusionOp fusion) {
  SmallVector<SliceOp> slices(fusion.getBody().front().getOps<SliceOp>());
  SmallVector<PadOp> candidates;
  for (PadOp pad : fusion.getBody().front().getOps<PadOp>())
    if (!fuser::detail::isScheduled(pad) && !(pad.getLow().empty() && pad.getHigh().empty()) &&
        (getCatOf(pad) || isAfterOwnLoops(pad.getInput())) && countBoxes(pad.getInput()) < 2)
      candidates.push_back(pad);
  auto isOfBox = [](SliceOp slice) {
    return isa_and_present<PadOp, SliceOp>(slice.getInput().getDefiningOp());
  };
  if (candidates.empty() && llvm::none_of(slices, isOfBox))
    return 0u;
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  unsigned count = 0;
  // From the last one: an earlier one may be what it reads.
  for (SliceOp slice : llvm::reverse(slices))
    if (mergeBoxes(slice, *extents))
      return 1u;
  for (PadOp pad : candidates)
    if (AmountSplitter splitter(pad, *extents); splitter.mayCrop()) {
      if (CatOp cat = getCatOf(pad))
        splitter.rewriteParts(cat);
      else
        splitter.rewrite();
      ++count;
    }
  return count;
}

FailureOr<unsigned> fuser::splitAmounts(FusionOp fusion) { return repeatRounds(fusion, splitOnce); }

void fuser::addSplitCropPattern(RewritePatternSet &patterns, unsigned &count) {
  patterns.add<SplitCrop>(patterns.getContext(), count);
}
