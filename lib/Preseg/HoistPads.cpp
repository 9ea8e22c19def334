//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-pads.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTPADS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

static bool isStatic(PadOp pad) { return pad.getLow().empty() && pad.getHigh().empty(); }

/// The constant +0, 0 or false.
static bool isZero(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().isPosZero();
  auto number = dyn_cast<IntegerAttr>(constant);
  return number && number.getValue().isZero();
}

/// True if both pads have the same border value, converted to the same element type.
static bool haveEqualValues(PadOp lhs, PadOp rhs) {
  if (lhs.getValue() == rhs.getValue() || (isZero(lhs.getValue()) && isZero(rhs.getValue())))
    return true;
  Attribute left, right;
  return matchPattern(lhs.getValue(), m_Constant(&left)) &&
         matchPattern(rhs.getValue(), m_Constant(&right)) && left == right;
}

/// True if padding by `inner` and then by `outer` equals padding by their sums: the outer border
/// does not replace elements that the inner pad crops.
static bool addUp(ArrayRef<int64_t> inner, ArrayRef<int64_t> outer) {
  return llvm::all_of(llvm::zip_equal(inner, outer),
                      [](auto pair) { return std::get<0>(pair) >= 0 || std::get<1>(pair) <= 0; });
}

/// Static amounts of a pad.
namespace {
struct Amounts {
  ArrayRef<int64_t> low, high;

  bool isNone(unsigned dim) const { return low[dim] == 0 && high[dim] == 0; }
  SmallVector<int64_t> pad(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> result(shape);
    for (auto [dim, size] : llvm::enumerate(result))
      if (!ShapedType::isDynamic(size))
        size += low[dim] + high[dim];
    return result;
  }
};
} // namespace

static bool canMerge(PadOp inner, Amounts outer) {
  return isStatic(inner) && addUp(inner.getStaticLow(), outer.low) &&
         addUp(inner.getStaticHigh(), outer.high);
}

/// Creates `inner` with the amounts of a pad of its result added; `shape` is the type of the
/// result.
static Value mergePads(PatternRewriter &rewriter, PadOp inner, Amounts outer,
                       ArrayRef<int64_t> shape) {
  auto add = [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> sum(a);
    for (auto [total, more] : llvm::zip_equal(sum, b))
      total += more;
    return rewriter.getDenseI64ArrayAttr(sum);
  };
  return PadOp::create(rewriter, inner.getLoc(), inner.getResult().getType().clone(shape),
                       inner.getInput(), ValueRange(), ValueRange(), inner.getValue(),
                       add(inner.getStaticLow(), outer.low), add(inner.getStaticHigh(), outer.high),
                       ArrayAttr(), MemoryAttr(), IntegerAttr());
}

/// True where the tensor operands of a pointwise op have, in each dimension that is padded, the
/// size of its result.
static bool isEqualAlongPadded(Operation *op, Amounts amounts) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::all_of(op->getOperandTypes(), [&](Type type) {
    auto operand = cast<RankedTensorType>(type);
    for (unsigned dim = 0, rank = result.getRank(); dim < rank; ++dim)
      if (!amounts.isNone(dim) && operand.getDimSize(dim) == 1 && result.getDimSize(dim) != 1)
        return false;
    return true;
  });
}

/// True if a pad with 0 may be hoisted above the op: all operands are tensors, f(0, ..., 0) = 0,
/// and the pad is its only user.
static bool isPassable(Operation *op, Amounts amounts) {
  return op && op->hasTrait<fuser::KeepsZero>() && op->hasOneUse() && isPointwise(op) &&
         llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         isEqualAlongPadded(op, amounts);
}

/// True if existing pads with 0 can absorb the padding of `value`. Hoisting a pad to any other
/// place would only compute more elements.
static bool canAbsorb(Value value, Amounts amounts) {
  Operation *op = value.getDefiningOp();
  if (!op || fuser::detail::isScheduled(op))
    return false;
  if (auto pad = dyn_cast<PadOp>(op))
    return pad->hasOneUse() && isZero(pad.getValue()) && canMerge(pad, amounts);
  return isPassable(op, amounts) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return canAbsorb(operand, amounts);
         });
}

/// Pads `value`, for which `canAbsorb` holds.
static Value absorb(PatternRewriter &rewriter, Value value, Amounts amounts) {
  Operation *op = value.getDefiningOp();
  SmallVector<int64_t> shape = amounts.pad(cast<RankedTensorType>(value.getType()).getShape());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto pad = dyn_cast<PadOp>(op))
    return mergePads(rewriter, pad, amounts, shape);
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return absorb(rewriter, operand, amounts); });
  return clonePointwise(rewriter, op, operands, shape);
}

namespace {

/// pad(pad(x)) with one border value.
struct MergePads : CountedPattern<PadOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(PadOp op, PatternRewriter &rewriter) const override {
    auto inner = getDefiningOp<PadOp>(op.getInput());
    if (!inner || !isStatic(op))
      return rewriter.notifyMatchFailure(op, "its operand is no pad, or its amounts are dynamic");
    Amounts amounts{op.getStaticLow(), op.getStaticHigh()};
    if (!canMerge(inner, amounts))
      return rewriter.notifyMatchFailure(op, "what the first pad crops comes back as border");
    if (!haveEqualValues(inner, op))
      return rewriter.notifyMatchFailure(op, "the borders have different values");
    rewriter.replaceOp(op,
                       mergePads(rewriter, inner, amounts, op.getResult().getType().getShape()));
    return success();
  }
};

/// cat(full(c), x) = pad(x) with c, at either end or at both.
struct PadJoined : CountedPattern<CatOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CatOp op, PatternRewriter &rewriter) const override {
    Value joined, border;
    SmallVector<int64_t> low(op.getResult().getType().getRank(), 0), high(low);
    for (Value input : op.getInputs()) {
      auto full = getDefiningOp<FullOp>(input);
      const int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(op.getDim());
      if (full && !ShapedType::isDynamic(size) && (!border || border == full.getValue())) {
        border = full.getValue();
        (joined ? high : low)[op.getDim()] += size;
        continue;
      }
      if (joined)
        return rewriter.notifyMatchFailure(op, "it joins several tensors, or different constants");
      joined = input;
    }
    if (!joined || !border)
      return rewriter.notifyMatchFailure(op, "it joins no constant with a tensor");
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getResult().getType(), joined, ValueRange(),
                                       ValueRange(), border, rewriter.getDenseI64ArrayAttr(low),
                                       rewriter.getDenseI64ArrayAttr(high), ArrayAttr(),
                                       MemoryAttr(), IntegerAttr());
    return success();
  }
};

/// pad(f(pad(x))) = f(pad(x)), with the sum of both amounts.
struct HoistPad : CountedPattern<PadOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(PadOp op, PatternRewriter &rewriter) const override {
    if (!isStatic(op) || !isZero(op.getValue()))
      return rewriter.notifyMatchFailure(op, "it does not pad with 0 by static amounts");
    Amounts amounts{op.getStaticLow(), op.getStaticHigh()};
    if (!isPassable(op.getInput().getDefiningOp(), amounts) || !canAbsorb(op.getInput(), amounts))
      return rewriter.notifyMatchFailure(op, "no pads above can do its work");
    Value value = absorb(rewriter, op.getInput(), amounts);
    if (value.getType() != op.getResult().getType())
      value.setType(op.getResult().getType());
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct HoistPadsPass : fuser::impl::FuserHoistPadsBase<HoistPadsPass> {
  void runOnOperation() override {
    HoistedPads result = hoistPads(getOperation());
    numMerged += result.numMerged;
    numHoisted += result.numHoisted;
  }
};

} // namespace

HoistedPads fuser::hoistPads(FusionOp fusion) {
  HoistedPads result;
  RewritePatternSet patterns(fusion.getContext());
  patterns.add<MergePads, PadJoined>(fusion.getContext(), result.numMerged);
  patterns.add<HoistPad>(fusion.getContext(), result.numHoisted);
  applyPatterns(fusion, std::move(patterns));
  return result;
}
