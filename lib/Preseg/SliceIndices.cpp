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

/// Elements of the longest vector that is evaluated, and the most ops that compute it.
constexpr int64_t kMostElements = 4096;
constexpr size_t kMostOps = 32;

/// The elements of vectors of integers that iotas and constants determine (the columns that a
/// reflected border reads), as far as no op wraps.
class KnownElements {
public:
  /// Null if they are not known.
  const SmallVector<int64_t> *get(Value vector);

private:
  /// Of an operand, a vector or a constant; null if it is not known, or does not fit the type.
  const SmallVector<int64_t> *getOperand(Operation *op, unsigned number);
  bool evaluate(Operation *op, SmallVectorImpl<int64_t> &elements);

  llvm::DenseMap<Value, std::unique_ptr<SmallVector<int64_t>>> known;
};

const SmallVector<int64_t> *KnownElements::get(Value vector) {
  if (auto it = known.find(vector); it != known.end())
    return it->second.get();
  auto type = dyn_cast<RankedTensorType>(vector.getType());
  Operation *op = vector.getDefiningOp();
  if (!op || !type || type.getRank() != 1 || !type.getElementType().isSignlessInteger() ||
      type.isDynamicDim(0) || type.getDimSize(0) == 0 || type.getDimSize(0) > kMostElements ||
      known.size() == kMostOps)
    return nullptr;
  known[vector] = nullptr;
  auto elements = std::make_unique<SmallVector<int64_t>>(type.getDimSize(0));
  const unsigned bits = type.getElementTypeBitWidth();
  if (!evaluate(op, *elements) || (bits > 1 && llvm::any_of(*elements, [&](int64_t element) {
                                     return !llvm::isIntN(bits, element);
                                   })))
    return nullptr;
  return (known[vector] = std::move(elements)).get();
}

const SmallVector<int64_t> *KnownElements::getOperand(Operation *op, unsigned number) {
  const Value operand = op->getOperand(number);
  if (isa<RankedTensorType>(operand.getType()))
    return get(operand);
  // A constant is converted to the type of what it is combined with.
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const std::optional<int64_t> constant = getNumber(operand);
  unsigned bits = type.getElementTypeBitWidth();
  if (isa<EqOp, LtOp, GeOp>(op) && isa<RankedTensorType>(op->getOperand(0).getType()))
    bits = cast<RankedTensorType>(op->getOperand(0).getType()).getElementTypeBitWidth();
  if (!constant || !llvm::isIntN(bits, *constant))
    return nullptr;
  auto &elements = known[operand];
  if (!elements)
    elements = std::make_unique<SmallVector<int64_t>>(type.getDimSize(0), *constant);
  return elements.get();
}

bool KnownElements::evaluate(Operation *op, SmallVectorImpl<int64_t> &elements) {
  if (auto iota = dyn_cast<IotaOp>(op)) {
    const std::optional<Indices> indices = Indices::get(iota);
    for (auto [place, element] : llvm::enumerate(elements))
      element = indices ? indices->at(place) : 0;
    return indices.has_value();
  }
  const bool isSelection = isa<EqOp, LtOp, GeOp, WhereOp>(op);
  if (!isSelection && (!isa<AddOp, SubOp, MulOp>(op) ||
                       getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)))
    return false;
  SmallVector<const SmallVector<int64_t> *> operands;
  for (unsigned number : llvm::seq<unsigned>(0, op->getNumOperands())) {
    operands.push_back(getOperand(op, number));
    if (!operands.back() || operands.back()->size() != elements.size())
      return false;
  }
  for (auto [place, element] : llvm::enumerate(elements)) {
    const int64_t x = (*operands[0])[place], y = (*operands[1])[place];
    bool overflows = false;
    if (isa<AddOp>(op))
      overflows = llvm::AddOverflow(x, y, element);
    else if (isa<SubOp>(op))
      overflows = llvm::SubOverflow(x, y, element);
    else if (isa<MulOp>(op))
      overflows = llvm::MulOverflow(x, y, element);
    else if (isa<WhereOp>(op))
      element = x ? y : (*operands[2])[place];
    else
      element = isa<EqOp>(op) ? x == y : isa<LtOp>(op) ? x < y : x >= y;
    if (overflows)
      return false;
  }
  return true;
}

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

/// where(c, x, y) with an index that is on one side of a bound everywhere: also one that ops
/// compute of iotas (whether the column that a border reads is negative).
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
    const auto type = dyn_cast<RankedTensorType>(index.getType());
    const std::optional<int64_t> bound = getNumber(comparison->getOperand(1));
    // The comparison converts the bound to the type of the index.
    if (!bound || !type || !type.getElementType().isInteger() ||
        !llvm::isIntN(type.getElementTypeBitWidth(), *bound))
      return std::nullopt;
    const std::optional<std::pair<int64_t, int64_t>> range = getRange(index);
    if (!range)
      return std::nullopt;
    const auto [least, greatest] = *range;
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

  /// The least and the greatest element.
  static std::optional<std::pair<int64_t, int64_t>> getRange(Value index) {
    if (auto iota = getDefiningOp<IotaOp>(index)) {
      const std::optional<Indices> indices = Indices::get(iota);
      return indices ? std::optional(std::pair(indices->getLeast(), indices->getGreatest()))
                     : std::nullopt;
    }
    KnownElements known;
    const SmallVector<int64_t> *elements = known.get(index);
    if (!elements)
      return std::nullopt;
    const auto [least, greatest] = std::minmax_element(elements->begin(), elements->end());
    return std::pair(*least, *greatest);
  }
};

} // namespace

void fuser::addSliceIndexPatterns(RewritePatternSet &patterns, unsigned &count) {
  patterns.add<SliceOfIota, SelectByIndex>(patterns.getContext(), count);
}
