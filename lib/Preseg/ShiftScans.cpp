//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-shift-scans.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceSizes.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSHIFTSCANS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// A value with an element before those of `source` along `dim`, or after them.
struct Bordered {
  Value source;
  unsigned dim = 0;
  bool isBefore = true;
  /// A scalar.
  Value border;
};

/// A scan that becomes exclusive, or one of an operand without its neutral border.
struct Shift {
  ScanOpInterface scan;
  Value operand;
  /// What the first element is if it is not neutral; null: it is.
  Value border;
  /// Set if the scan stays inclusive, and its result has the border.
  std::optional<Bordered> padding;
};

/// Finds shifted scans in one program. The IR must not change while it is queried.
class ShiftFinder {
public:
  explicit ShiftFinder(const ExtentAnalysis &analysis) : analysis(analysis) {}

  /// The scan that computes the result of `op`.
  std::optional<Shift> find(Operation *op) const;

private:
  std::optional<Bordered> getBordered(Value value) const;
  std::optional<Bordered> getPadded(PadOp pad) const;
  std::optional<Bordered> getJoined(CatOp cat) const;
  std::optional<Bordered> getShifted(Value value) const;
  bool isWithoutEnd(SliceOp slice, unsigned dim, bool dropsLast) const;
  static std::optional<ScanOpInterface> getInclusive(Operation *op);
  static bool isNeutral(ScanOpInterface scan, Value border);

  const ExtentAnalysis &analysis;
};

struct ShiftScansPass : fuser::impl::FuserShiftScansBase<ShiftScansPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = shiftScans(getOperation());
    if (failed(count))
      return signalPassFailure();
    numShifted += *count;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// True for all elements but the last one, or the first one, of the dimension.
bool ShiftFinder::isWithoutEnd(SliceOp slice, unsigned dim, bool dropsLast) const {
  if (!slice || fuser::detail::isScheduled(slice) || !hasUnitSteps(slice))
    return false;
  for (unsigned each = 0, rank = slice.getInput().getType().getRank(); each < rank; ++each) {
    const AffineExpr size = analysis.getExtent(slice.getResult(), each);
    const bool isOwn = each == dim;
    if (slice.getStaticOffsets()[each] != (isOwn && !dropsLast ? 1 : 0) ||
        !analysis.isProvablyEqual(size + (isOwn ? 1 : 0),
                                  analysis.getExtent(slice.getInput(), each)))
      return false;
  }
  return true;
}

/// A pad by one element, which may crop one at the other end.
std::optional<Bordered> ShiftFinder::getPadded(PadOp pad) const {
  if (!pad.getLow().empty() || !pad.getHigh().empty())
    return std::nullopt;
  std::optional<Bordered> found;
  for (auto [dim, low, high] : llvm::enumerate(pad.getStaticLow(), pad.getStaticHigh())) {
    if (low == 0 && high == 0)
      continue;
    if (found || std::max(low, high) != 1 || std::min(low, high) != 0)
      return std::nullopt;
    found = Bordered{pad.getInput(), unsigned(dim), low == 1, pad.getValue()};
  }
  return found;
}

/// A concatenation with one constant element.
std::optional<Bordered> ShiftFinder::getJoined(CatOp cat) const {
  if (cat.getInputs().size() != 2)
    return std::nullopt;
  for (bool isBefore : {true, false}) {
    auto full = cat.getInputs()[isBefore ? 0 : 1].getDefiningOp<FullOp>();
    if (full && !fuser::detail::isScheduled(full) &&
        full.getResult().getType().getDimSize(cat.getDim()) == 1)
      return Bordered{cat.getInputs()[isBefore ? 1 : 0], unsigned(cat.getDim()), isBefore,
                      full.getValue()};
  }
  return std::nullopt;
}

std::optional<Bordered> ShiftFinder::getBordered(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || fuser::detail::isScheduled(op))
    return std::nullopt;
  if (auto pad = dyn_cast<PadOp>(op))
    return getPadded(pad);
  if (auto cat = dyn_cast<CatOp>(op))
    return getJoined(cat);
  return std::nullopt;
}

/// A value of which the element at one end was dropped, and one put at the other end.
std::optional<Bordered> ShiftFinder::getShifted(Value value) const {
  // One op may do both.
  if (auto pad = value.getDefiningOp<PadOp>();
      pad && !fuser::detail::isScheduled(pad) && pad.getLow().empty() && pad.getHigh().empty()) {
    const ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
    const auto *moved = llvm::find_if(low, [](int64_t amount) { return amount != 0; });
    const unsigned dim = moved - low.begin();
    if (moved != low.end() && std::abs(*moved) == 1 && high[dim] == -*moved &&
        llvm::all_of(llvm::seq<unsigned>(0, low.size()), [&](unsigned each) {
          return each == dim || (low[each] == 0 && high[each] == 0);
        }))
      return Bordered{pad.getInput(), dim, *moved == 1, pad.getValue()};
  }
  // In either order.
  if (auto slice = value.getDefiningOp<SliceOp>()) {
    std::optional<Bordered> bordered = getBordered(slice.getInput());
    if (bordered && isWithoutEnd(slice, bordered->dim, /*dropsLast=*/bordered->isBefore))
      return bordered;
    return std::nullopt;
  }
  std::optional<Bordered> bordered = getBordered(value);
  if (!bordered)
    return std::nullopt;
  auto slice = bordered->source.getDefiningOp<SliceOp>();
  if (!isWithoutEnd(slice, bordered->dim, /*dropsLast=*/bordered->isBefore))
    return std::nullopt;
  bordered->source = slice.getInput();
  return bordered;
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

std::optional<ScanOpInterface> ShiftFinder::getInclusive(Operation *op) {
  auto scan = dyn_cast_if_present<ScanOpInterface>(op);
  if (!scan || scan.isExclusive() || fuser::detail::isScheduled(op))
    return std::nullopt;
  return scan;
}

/// True for a constant that is what the scan carries to the first element.
bool ShiftFinder::isNeutral(ScanOpInterface scan, Value border) {
  Attribute constant;
  if (scan.getCarriedTypes().size() != 1 || !matchPattern(border, m_Constant(&constant)))
    return false;
  Block scratch;
  OpBuilder builder(scan.getContext());
  builder.setInsertionPointToEnd(&scratch);
  Attribute initial;
  if (!matchPattern(scan.buildInitial(builder, scan.getLoc()).front(), m_Constant(&initial)))
    return false;
  auto lhs = dyn_cast<FloatAttr>(constant), rhs = dyn_cast<FloatAttr>(initial);
  if (lhs && rhs)
    return lhs.getValueAsDouble() == rhs.getValueAsDouble();
  auto number = dyn_cast<IntegerAttr>(constant), other = dyn_cast<IntegerAttr>(initial);
  return number && other && number.getValue().getSExtValue() == other.getValue().getSExtValue();
}

std::optional<Shift> ShiftFinder::find(Operation *op) const {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  auto isAlong = [](ScanOpInterface scan, const Bordered &bordered) {
    return getResultDim(scan, scan.getScannedId()) == int64_t(bordered.dim) &&
           scan.isReversed() != bordered.isBefore;
  };
  // A scan of what was shifted.
  if (std::optional<ScanOpInterface> scan = getInclusive(op)) {
    std::optional<Bordered> shifted = getShifted((*scan)->getOperand(0));
    if (shifted && isAlong(*scan, *shifted) && isNeutral(*scan, shifted->border))
      return Shift{*scan, shifted->source, Value(), std::nullopt};
    std::optional<Bordered> bordered = getBordered((*scan)->getOperand(0));
    if (bordered && isAlong(*scan, *bordered) && isNeutral(*scan, bordered->border))
      return Shift{*scan, bordered->source, Value(), bordered};
    return std::nullopt;
  }
  // A scan that is shifted.
  std::optional<Bordered> shifted = getShifted(op->getResult(0));
  if (!shifted)
    return std::nullopt;
  std::optional<ScanOpInterface> scan = getInclusive(shifted->source.getDefiningOp());
  if (!scan || !isAlong(*scan, *shifted))
    return std::nullopt;
  return Shift{*scan, (*scan)->getOperand(0),
               isNeutral(*scan, shifted->border) ? Value() : shifted->border, std::nullopt};
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// `value` with another element where the scan begins.
static Value selectFirst(IRRewriter &rewriter, ScanOpInterface scan, Value value, Value first) {
  const Location loc = scan.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  const int64_t dim = getResultDim(scan, scan.getScannedId());
  const Type i64 = rewriter.getI64Type();
  auto getConstant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(number));
  };
  Value length;
  if (type.isDynamicDim(dim))
    length = tensor::DimOp::create(rewriter, loc, value,
                                   arith::ConstantIndexOp::create(rewriter, loc, dim));
  Value index = buildIndices(rewriter, loc, RankedTensorType::get({type.getDimSize(dim)}, i64),
                             getConstant(0), length, dim, type.getRank());
  Value begin = getConstant(0);
  if (scan.isReversed() && type.isDynamicDim(dim))
    begin = arith::SubIOp::create(
        rewriter, loc, arith::IndexCastOp::create(rewriter, loc, i64, length), getConstant(1));
  else if (scan.isReversed())
    begin = getConstant(type.getDimSize(dim) - 1);
  Value isFirst = EqOp::create(rewriter, loc, index, begin);
  const SmallVector<int64_t> ones(type.getRank(), 1);
  Value border = FullOp::create(rewriter, loc, type.clone(ones), first, ValueRange(), ArrayAttr(),
                                MemoryAttr(), IntegerAttr());
  Value selected = WhereOp::create(rewriter, loc, isFirst, border, value);
  selected.setType(type);
  return selected;
}

/// The scan of `operand`, which has `type` or the padding to it.
static Value buildShift(IRRewriter &rewriter, const Shift &shift, Value operand,
                        RankedTensorType type) {
  Operation *copy = rewriter.clone(*shift.scan);
  copy->setDiscardableAttrs(DictionaryAttr::get(rewriter.getContext()));
  copy->setOperand(0, operand);
  Value value = copy->getResult(0);
  if (shift.padding) {
    value.setType(type.clone(cast<RankedTensorType>(operand.getType()).getShape()));
    SmallVector<int64_t> low(type.getRank(), 0), high(low);
    (shift.padding->isBefore ? low : high)[shift.padding->dim] = 1;
    return PadOp::create(rewriter, copy->getLoc(), type, value, ValueRange(), ValueRange(),
                         shift.padding->border, rewriter.getDenseI64ArrayAttr(low),
                         rewriter.getDenseI64ArrayAttr(high), ArrayAttr(), MemoryAttr(),
                         IntegerAttr());
  }
  value.setType(type);
  cast<ScanOpInterface>(copy).makeExclusive();
  if (shift.border)
    return selectFirst(rewriter, cast<ScanOpInterface>(copy), value, shift.border);
  return value;
}

/// One round. Shifts of what has changed are found in the next one.
static FailureOr<unsigned> shiftOnce(FusionOp fusion) {
  Block &body = fusion.getBody().front();
  if (body.getOps<ScanOpInterface>().empty())
    return 0u;
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  const ShiftFinder finder(*analysis);
  SmallVector<std::pair<Operation *, Shift>> found;
  for (Operation &op : body)
    if (std::optional<Shift> shift = finder.find(&op))
      found.emplace_back(&op, *shift);
  IRRewriter rewriter(fusion.getContext());
  // An operand may itself have been replaced in this round.
  llvm::DenseMap<Value, Value> replaced;
  for (auto &[op, shift] : found) {
    rewriter.setInsertionPoint(op);
    Value operand = shift.operand;
    while (Value newer = replaced.lookup(operand))
      operand = newer;
    Value value =
        buildShift(rewriter, shift, operand, cast<RankedTensorType>(op->getResult(0).getType()));
    rewriter.replaceAllUsesWith(op->getResult(0), value);
    replaced[op->getResult(0)] = value;
  }
  eraseDeadOps(fusion);
  return found.size();
}

FailureOr<unsigned> fuser::shiftScans(FusionOp fusion) { return repeatRounds(fusion, shiftOnce); }
