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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExprVisitor.h"

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

/// Integers that are computed from sizes, as linear expressions: symbols are sizes, and other
/// values, of which nothing is known.
class SizeExprs {
public:
  explicit SizeExprs(MLIRContext *context) : context(context) {}

  AffineExpr get(Value value);
  /// True if sizes, whatever they are, make the expression at least `least`.
  bool isAtLeast(AffineExpr expr, int64_t least) const;
  /// By how much a number exceeds the size of a dimension, if that is constant.
  std::optional<int64_t> getDifference(Value number, Value tensor, int64_t dim) {
    const AffineExpr difference = get(number) - getSymbol(tensor, dim);
    auto constant = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(difference, 0, symbols.size()));
    return constant ? std::optional(constant.getValue()) : std::nullopt;
  }

private:
  AffineExpr getSymbol(Value value, int64_t dim);

  MLIRContext *context;
  /// The tensor and the dimension of a size; -1 for other values.
  SmallVector<std::pair<Value, int64_t>> symbols;
};

AffineExpr SizeExprs::getSymbol(Value value, int64_t dim) {
  const std::pair<Value, int64_t> key(value, dim);
  auto *it = llvm::find(symbols, key);
  const unsigned position = it - symbols.begin();
  if (it == symbols.end())
    symbols.push_back(key);
  return getAffineSymbolExpr(position, context);
}

AffineExpr SizeExprs::get(Value value) {
  if (std::optional<int64_t> number = getNumber(value))
    return getAffineConstantExpr(*number, context);
  if (auto size = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> dim = size.getConstantIndex())
      return getSymbol(size.getSource(), *dim);
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return get(cast.getIn());
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return get(sum.getLhs()) + get(sum.getRhs());
  if (auto difference = value.getDefiningOp<arith::SubIOp>())
    return get(difference.getLhs()) - get(difference.getRhs());
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    const AffineExpr lhs = get(product.getLhs()), rhs = get(product.getRhs());
    if (isa<AffineConstantExpr>(lhs) || isa<AffineConstantExpr>(rhs))
      return lhs * rhs;
  }
  return getSymbol(value, -1);
}

bool SizeExprs::isAtLeast(AffineExpr expr, int64_t least) const {
  SimpleAffineExprFlattener flattener(/*numDims=*/0, symbols.size());
  if (failed(flattener.walkPostOrder(expr)))
    return false;
  ArrayRef<int64_t> coefficients = flattener.operandExprStack.back();
  for (auto [symbol, coefficient] : llvm::zip(symbols, coefficients))
    if (symbol.second < 0 ? coefficient != 0 : coefficient < 0)
      return false;
  return coefficients.back() >= least;
}

/// slice(pad(x)) = pad(x) by other amounts, of an unknown size of which the slice has all but a
/// known number of elements: a window of an image with a border. Where only slices read the padded
/// value, none of it is stored.
struct SliceOfPaddedSizes : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto pad = getDefiningOp<PadOp>(op.getInput());
    if (!pad || !llvm::all_of(pad->getUsers(), llvm::IsaPred<SliceOp>))
      return rewriter.notifyMatchFailure(op, "its operand is no pad, or is stored");
    const auto from = pad.getInput().getType();
    const bool isConstant =
        pad.getLow().empty() && pad.getHigh().empty() && op.getOffsets().empty();
    if (!isConstant || from.hasStaticShape() ||
        (op.getStrides() && llvm::any_of(*op.getStrides(), [](int64_t by) { return by != 1; })))
      return rewriter.notifyMatchFailure(op, "its sizes are known, or its offsets are not");
    SizeExprs exprs(op.getContext());
    SmallVector<OpFoldResult> low, high;
    unsigned next = 0;
    for (auto [dim, size] : llvm::enumerate(op.getStaticSizes())) {
      const int64_t before = pad.getStaticLow()[dim] - op.getStaticOffsets()[dim];
      std::optional<int64_t> grown = size - from.getDimSize(dim);
      if (ShapedType::isDynamic(size) || from.isDynamicDim(dim))
        grown = ShapedType::isDynamic(size) && from.isDynamicDim(dim)
                    ? exprs.getDifference(op.getSizes()[next], pad.getInput(), dim)
                    : std::nullopt;
      next += ShapedType::isDynamic(size);
      // Each call checks a part that may end beyond its operand.
      if (!grown || *grown - before > pad.getStaticHigh()[dim])
        return rewriter.notifyMatchFailure(op, "how much is left depends on the size");
      low.push_back(rewriter.getIndexAttr(before));
      high.push_back(rewriter.getIndexAttr(*grown - before));
    }
    rewriter.replaceOp(op, createPad(rewriter, pad.getLoc(), op.getResult().getType(),
                                     pad.getInput(), low, high, pad.getValue()));
    return success();
  }
};

/// slice(iota) = iota
struct SliceOfIota : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto iota = getDefiningOp<IotaOp>(op.getInput());
    const std::optional<int64_t> start = iota ? getNumber(iota.getStart()) : std::nullopt,
                                 by = iota ? getNumber(iota.getStep()) : std::nullopt;
    if (!start || !by || !op.getResult().getType().getElementType().isInteger())
      return rewriter.notifyMatchFailure(op, "its operand is no iota of known integers");
    // Where its length is known, its indices do not wrap.
    if (!iota.getLength() && !Indices::get(iota))
      return rewriter.notifyMatchFailure(op, "its operand has no elements, or they wrap");
    const int64_t offset = op.getStaticOffsets()[0];
    int64_t first, step;
    if (ShapedType::isDynamic(offset) || llvm::MulOverflow(offset, *by, first) ||
        llvm::AddOverflow(*start, first, first) ||
        !llvm::isIntN(op.getResult().getType().getElementTypeBitWidth(), first) ||
        llvm::MulOverflow(*by, op.getStrides() ? op.getStrides()->front() : 1, step))
      return rewriter.notifyMatchFailure(op, "its part is not known");
    if (!op.getSizes().empty() && !isInside(op, iota, offset))
      return rewriter.notifyMatchFailure(op, "each call checks where its part ends");
    // The types of the operands may be shorter than that of the result.
    auto makeConstant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI64IntegerAttr(value));
    };
    rewriter.replaceOpWithNewOp<IotaOp>(op, op.getResult().getType(), makeConstant(first),
                                        makeConstant(step),
                                        op.getSizes().empty() ? Value() : op.getSizes().front(),
                                        ArrayAttr(), MemoryAttr(), IntegerAttr());
    return success();
  }

private:
  /// True if a part of unknown size ends in the iota, whatever sizes are.
  static bool isInside(SliceOp op, IotaOp iota, int64_t offset) {
    if (op.getStrides() && op.getStrides()->front() != 1)
      return false;
    SizeExprs sizes(op.getContext());
    const AffineExpr end = sizes.get(op.getSizes().front()) + offset;
    const AffineExpr length =
        iota.getLength()
            ? sizes.get(iota.getLength())
            : getAffineConstantExpr(iota.getResult().getType().getDimSize(0), op.getContext());
    return sizes.isAtLeast(length - end, 0);
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
    if (auto iota = getDefiningOp<IotaOp>(index); iota && (iota.getLength() || !bound))
      return compareSizes(comparison, iota);
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

  /// The same of an index, or with a bound, that sizes decide: the last row of an image of unknown
  /// size comes after each window that begins a row earlier.
  static std::optional<bool> compareSizes(Operation *comparison, IotaOp iota) {
    const auto type = iota.getResult().getType();
    const std::optional<int64_t> start = getNumber(iota.getStart()),
                                 step = getNumber(iota.getStep());
    const Value limit = comparison->getOperand(1);
    // Sizes do not wrap in these types, but constants may.
    const unsigned bits = type.getElementTypeBitWidth();
    const std::optional<int64_t> known = getNumber(limit);
    if (known && !llvm::isIntN(bits, *known))
      return std::nullopt;
    if (!start || !step || *step < 1 || !type.getElementType().isInteger() || bits < 32 ||
        !isa<IntegerType>(limit.getType()) || limit.getType().isInteger(1))
      return std::nullopt;
    SizeExprs sizes(comparison->getContext());
    const AffineExpr bound = sizes.get(limit),
                     count = iota.getLength()
                                 ? sizes.get(iota.getLength())
                                 : getAffineConstantExpr(type.getDimSize(0), type.getContext()),
                     greatest = (count - 1) * *step + *start;
    const bool isBelow = sizes.isAtLeast(bound - greatest, 1),
               isEqualOrAbove = sizes.isAtLeast(*start - bound, 0);
    if (isa<EqOp>(comparison))
      return isBelow || sizes.isAtLeast(*start - bound, 1) ? std::optional(false) : std::nullopt;
    const bool isLess = isa<LtOp>(comparison);
    return isBelow ? std::optional(isLess) : isEqualOrAbove ? std::optional(!isLess) : std::nullopt;
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
  patterns.add<SliceOfIota, SelectByIndex, SliceOfPaddedSizes>(patterns.getContext(), count);
}
