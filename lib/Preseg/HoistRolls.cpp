//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-rolls.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceShapes.h"
#include "SliceSizes.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTROLLS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The ops above which one roll is hoisted.
static constexpr size_t kMostRolledOps = 16;
/// The slices of a value that is stored, for rolls that one kernel selects: those of two.
static constexpr int64_t kLeastParts = 4;

namespace {

/// A tensor of which one row is moved along a dimension from one end to the other: the first row
/// after the others, or the last one to the front.
struct Roll {
  Value source;
  int64_t dim;
  bool movesFirst;
};

/// The rolls of a program. They are found before it is rewritten, since the analysis does not know
/// new values; rewrites create none.
class Rolls {
public:
  static FailureOr<Rolls> find(FusionOp fusion);

  std::optional<Roll> get(CatOp op) const {
    auto roll = rolls.find(op);
    if (roll == rolls.end())
      return std::nullopt;
    auto [dim, movesFirst] = roll->second;
    return Roll{op.getInputs()[0].getDefiningOp<SliceOp>().getInput(), dim, movesFirst};
  }

  /// Keeps what calls are checked for because of the slices of a roll.
  void keepSlices(CatOp op, OpBuilder &builder) const {
    for (Value part : op.getInputs())
      keepBounds(part.getDefiningOp(), *extents, builder);
  }

private:
  explicit Rolls(ExtentAnalysis extents)
      : extents(std::make_unique<ExtentAnalysis>(std::move(extents))) {}

  void add(CatOp op);
  /// True if the slice has the elements from `begin` on along the dimension, and all along others.
  bool isAt(SliceOp slice, int64_t dim, AffineExpr begin) const;

  std::unique_ptr<ExtentAnalysis> extents;
  llvm::DenseMap<Operation *, std::pair<int64_t, bool>> rolls;
};

} // namespace

bool Rolls::isAt(SliceOp slice, int64_t dim, AffineExpr begin) const {
  if (!hasUnitSteps(slice) || fuser::detail::isScheduled(slice))
    return false;
  for (const auto &[each, map] : llvm::enumerate(slice.getDimMaps(0))) {
    const std::optional<int64_t> constant = getConstantIntValue(map.offset);
    AffineExpr offset = constant ? getAffineConstantExpr(*constant, slice.getContext())
                                 : extents->getScalar(cast<Value>(map.offset));
    AffineExpr all = extents->getExtent(slice.getInput(), each),
               part = extents->getExtent(slice.getResult(), each);
    const bool isDim = int64_t(each) == dim;
    AffineExpr expected = isDim ? begin : getAffineConstantExpr(0, slice.getContext());
    if (!offset || !all || !part || !extents->isProvablyEqual(offset, expected) ||
        (!isDim && !extents->isProvablyEqual(all, part)))
      return false;
  }
  return true;
}

void Rolls::add(CatOp op) {
  if (op.getInputs().size() != 2 || fuser::detail::isScheduled(op))
    return;
  auto first = op.getInputs()[0].getDefiningOp<SliceOp>(),
       second = op.getInputs()[1].getDefiningOp<SliceOp>();
  if (!first || !second || first.getInput() != second.getInput() ||
      first.getInput().getType() != op.getResult().getType())
    return;
  const int64_t dim = op.getDim();
  const bool movesFirst = second.getResult().getType().getDimSize(dim) == 1;
  if (!movesFirst && first.getResult().getType().getDimSize(dim) != 1)
    return;
  AffineExpr all = extents->getExtent(first.getInput(), dim),
             front = extents->getExtent(first.getResult(), dim),
             back = extents->getExtent(second.getResult(), dim);
  if (all && front && back && extents->isProvablyEqual(all, front + back) &&
      isAt(first, dim, back) && isAt(second, dim, getAffineConstantExpr(0, op.getContext())))
    rolls.insert({op, {dim, movesFirst}});
}

FailureOr<Rolls> Rolls::find(FusionOp fusion) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  Rolls rolls(std::move(*extents));
  for (auto op : fusion.getBody().front().getOps<CatOp>())
    rolls.add(op);
  return rolls;
}

namespace {

/// roll(f(x, y)) = f(roll(x), roll(y)) of arguments, if only one row is moved from one end to the
/// other.
struct HoistRoll : CountedPattern<CatOp> {
  HoistRoll(MLIRContext *context, unsigned &count, const Rolls *rolls)
      : CountedPattern(context, count), rolls(*rolls) {}

  LogicalResult rewrite(CatOp op, PatternRewriter &rewriter) const override {
    std::optional<Roll> roll = rolls.get(op);
    if (!roll || isa<BlockArgument>(roll->source))
      return rewriter.notifyMatchFailure(op, "it is no roll by one of a computed tensor");
    llvm::SetVector<Operation *> functions;
    if (!findFunctions(*roll, functions)) {
      if (llvm::count_if(roll->source.getUsers(),
                         [&](Operation *user) { return isPartOfRolls(user); }) < kLeastParts)
        return rewriter.notifyMatchFailure(op,
                                           "it is the only roll of what is computed for others");
      rolls.keepSlices(op, rewriter);
      rewriter.replaceOp(op, rollValue(op, roll->source, *roll, rewriter));
      return success();
    }
    rolls.keepSlices(op, rewriter);
    IRMapping rolled;
    for (Operation *function : functions) // users before their operands
      for (Value operand : function->getOperands())
        if (isa<BlockArgument>(operand) && isRolled(operand, roll->dim) &&
            !rolled.contains(operand))
          rolled.map(operand, rollValue(op, operand, *roll, rewriter));
    SmallVector<Operation *> sorted = functions.takeVector();
    llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *function : sorted) {
      Operation *copy = rewriter.clone(*function, rolled);
      copy->setDiscardableAttrs(DictionaryAttr::get(op.getContext()));
    }
    rewriter.replaceOp(op, rolled.lookup(roll->source));
    return success();
  }

private:
  static bool isRolled(Value value, int64_t dim) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getDimSize(dim) != 1;
  }

  /// Finds the pointwise ops between the roll and arguments. False if there are others, or if what
  /// they compute has another use, for which it may be stored.
  bool findFunctions(const Roll &roll, llvm::SetVector<Operation *> &functions) const {
    SmallVector<Value> values{roll.source};
    while (!values.empty()) {
      Value value = values.pop_back_val();
      if (isa<BlockArgument>(value) || !isRolled(value, roll.dim))
        continue;
      Operation *function = value.getDefiningOp();
      if (!isPointwise(function))
        return false;
      if (functions.insert(function))
        llvm::append_range(values, function->getOperands());
      if (functions.size() > kMostRolledOps)
        return false;
    }
    return llvm::all_of(functions, [&](Operation *function) {
      return llvm::all_of(function->getUsers(), [&](Operation *user) {
        return functions.contains(user) || isReadByRolls(user);
      });
    });
  }

  bool isReadByRolls(Operation *op) const {
    return isa<SliceOp>(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
             auto cat = dyn_cast<CatOp>(user);
             return cat && rolls.get(cat);
           });
  }

  /// True for a slice of a roll, and for what rollValue() makes of one.
  bool isPartOfRolls(Operation *op) const {
    auto pad = dyn_cast<PadOp>(op);
    return isReadByRolls(op) ||
           (pad &&
            llvm::all_of(llvm::zip_equal(pad.getStaticLow(), pad.getStaticHigh()), [](auto both) {
              auto [low, high] = both;
              return low == -high || (ShapedType::isDynamic(low) && ShapedType::isDynamic(high));
            }));
  }

  /// The value shifted by the distance, and the row that was moved to the other end selected of
  /// another shift: a kernel loads both from one base, and the row in a branch (ADR 143).
  static Value rollValue(CatOp op, Value value, const Roll &roll, PatternRewriter &rewriter) {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    const int64_t rank = type.getRank();
    Value zero = createZero(rewriter, loc, type.getElementType());
    auto shift = [&](OpFoldResult low, OpFoldResult high) -> Value {
      SmallVector<OpFoldResult> lows(rank, rewriter.getIndexAttr(0)), highs(lows);
      lows[roll.dim] = low;
      highs[roll.dim] = high;
      return createPad(rewriter, loc, type, value, lows, highs, zero);
    };
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(number));
    };
    // The number of the last row, its negative, and the same as an index to compare with.
    OpFoldResult last, minus;
    Value length, lastIndex;
    if (type.isDynamicDim(roll.dim)) {
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      length = buildSize(rewriter, loc, value, roll.dim);
      Value before = arith::SubIOp::create(rewriter, loc, length, one);
      last = before;
      minus = arith::SubIOp::create(rewriter, loc, one, length).getResult();
      lastIndex = arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), before);
    } else {
      const int64_t before = type.getDimSize(roll.dim) - 1;
      last = rewriter.getIndexAttr(before);
      minus = rewriter.getIndexAttr(-before);
      lastIndex = constant(before);
    }
    Value index = buildIndices(
        rewriter, loc, RankedTensorType::get(type.getDimSize(roll.dim), rewriter.getI32Type()),
        constant(0), length, roll.dim, rank);
    Value isMoved = EqOp::create(rewriter, loc, index, roll.movesFirst ? lastIndex : constant(0));
    Value row = roll.movesFirst ? shift(last, minus) : shift(minus, last);
    const int64_t by = roll.movesFirst ? -1 : 1;
    Value others = shift(rewriter.getIndexAttr(by), rewriter.getIndexAttr(-by));
    return WhereOp::create(rewriter, loc, isMoved, row, others);
  }

  const Rolls &rolls;
};

struct HoistRollsPass : fuser::impl::FuserHoistRollsBase<HoistRollsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = hoistRolls(getOperation());
    if (failed(count))
      return signalPassFailure();
    numHoisted += *count;
  }
};

} // namespace

FailureOr<unsigned> fuser::hoistRolls(FusionOp fusion) {
  if (fusion.getBody().front().getOps<CatOp>().empty())
    return 0u;
  FailureOr<Rolls> rolls = Rolls::find(fusion);
  if (failed(rolls))
    return failure();
  const Rolls *known = &*rolls;
  return applyCounted<HoistRoll>(fusion, known);
}
