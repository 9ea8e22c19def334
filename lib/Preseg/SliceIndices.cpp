//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns of fuser-hoist-slices for selections by an index: a slice of one that selects border
// elements mostly has one of the operands alone.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "SliceShapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

namespace {

/// A constant integer. A bool is 1, not -1.
std::optional<int64_t> getNumber(Value value) {
  return value.getType().isInteger(1) ? std::nullopt : getConstantIntValue(value);
}

/// The values of an iota of integers, which do not wrap.
struct Indices {
  int64_t start, step, count;

  static std::optional<Indices> get(IotaOp iota) {
    const auto type = iota.getResult().getType();
    const std::optional<int64_t> start = getNumber(iota.getStart()),
                                 step = getNumber(iota.getStep());
    const int64_t count = type.getDimSize(0);
    if (!start || !step || !type.getElementType().isInteger() || ShapedType::isDynamic(count) ||
        count == 0)
      return std::nullopt;
    const Indices indices{*start, *step, count};
    const unsigned bits = type.getElementTypeBitWidth();
    int64_t distance, last;
    if (llvm::MulOverflow(*step, count - 1, distance) ||
        llvm::AddOverflow(*start, distance, last) || !llvm::isIntN(bits, *start) ||
        !llvm::isIntN(bits, last))
      return std::nullopt;
    return indices;
  }

  int64_t at(int64_t place) const { return start + place * step; }
  int64_t getLeast() const { return std::min(start, at(count - 1)); }
  int64_t getGreatest() const { return std::max(start, at(count - 1)); }
};

/// slice(iota) = iota
struct SliceOfIota : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto iota = getDefiningOp<IotaOp>(op.getInput());
    const std::optional<Indices> indices = iota ? Indices::get(iota) : std::nullopt;
    if (!indices)
      return rewriter.notifyMatchFailure(op, "its operand is no iota of known integers");
    const int64_t offset = op.getStaticOffsets()[0], size = op.getStaticSizes()[0];
    int64_t step;
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        llvm::MulOverflow(indices->step, op.getStrides() ? op.getStrides()->front() : 1, step))
      return rewriter.notifyMatchFailure(op, "its part is not known");
    // The types of the operands may be shorter than that of the result.
    auto makeConstant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI64IntegerAttr(value));
    };
    rewriter.replaceOpWithNewOp<IotaOp>(
        op, op.getResult().getType(), makeConstant(indices->at(offset)), makeConstant(step),
        /*length=*/Value(), ArrayAttr(), MemoryAttr(), IntegerAttr());
    return success();
  }
};

/// where(c, x, y) with an index that is on one side of a bound everywhere.
struct SelectByIndex : CountedPattern<WhereOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(WhereOp op, PatternRewriter &rewriter) const override {
    Value condition = op->getOperand(0);
    while (auto broadcast = getDefiningOp<BroadcastOp>(condition))
      condition = broadcast.getInput();
    const std::optional<bool> known = evaluate(condition);
    if (!known)
      return rewriter.notifyMatchFailure(op, "its condition is not known");
    const Value chosen = op->getOperand(*known ? 1 : 2);
    if (chosen.getType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "it broadcasts what it selects");
    rewriter.replaceOp(op, chosen);
    return success();
  }

private:
  static std::optional<bool> evaluate(Value condition) {
    Operation *comparison = condition.getDefiningOp();
    if (!isa_and_nonnull<EqOp, LtOp, GeOp>(comparison))
      return std::nullopt;
    Value index = comparison->getOperand(0);
    while (auto broadcast = getDefiningOp<BroadcastOp>(index))
      index = broadcast.getInput();
    auto iota = getDefiningOp<IotaOp>(index);
    const std::optional<int64_t> bound = getNumber(comparison->getOperand(1));
    const std::optional<Indices> indices = iota ? Indices::get(iota) : std::nullopt;
    // The comparison converts the bound to the type of the index.
    if (!bound || !indices ||
        !llvm::isIntN(iota.getResult().getType().getElementTypeBitWidth(), *bound))
      return std::nullopt;
    const int64_t least = indices->getLeast(), greatest = indices->getGreatest();
    if (isa<EqOp>(comparison)) {
      if (*bound < least || *bound > greatest)
        return false;
      return least == greatest ? std::optional(true) : std::nullopt;
    }
    const bool isLess = isa<LtOp>(comparison);
    if (greatest < *bound)
      return isLess;
    return least >= *bound ? std::optional(!isLess) : std::nullopt;
  }
};

} // namespace

void fuser::addSliceIndexPatterns(RewritePatternSet &patterns, unsigned &count) {
  patterns.add<SliceOfIota, SelectByIndex>(patterns.getContext(), count);
}
