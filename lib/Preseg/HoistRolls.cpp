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

/// A tensor whose elements from `distance` on come first along a dimension.
struct Roll {
  Value source;
  int64_t dim, distance;
};

/// roll(f(x, y)) = f(roll(x), roll(y)) of arguments, if only one row is moved from one end to the
/// other.
struct HoistRoll : CountedPattern<CatOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CatOp op, PatternRewriter &rewriter) const override {
    std::optional<Roll> roll = getRoll(op);
    if (!roll || isa<BlockArgument>(roll->source))
      return rewriter.notifyMatchFailure(op, "it is no roll by one of a computed tensor");
    llvm::SetVector<Operation *> functions;
    if (!findFunctions(*roll, functions)) {
      if (llvm::count_if(roll->source.getUsers(), isPartOfRolls) < kLeastParts)
        return rewriter.notifyMatchFailure(op,
                                           "it is the only roll of what is computed for others");
      rewriter.replaceOp(op, rollValue(op, roll->source, *roll, rewriter));
      return success();
    }
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
  static std::optional<Roll> getRoll(CatOp op) {
    if (op.getInputs().size() != 2 || fuser::detail::isScheduled(op))
      return std::nullopt;
    auto first = getDefiningOp<SliceOp>(op.getInputs()[0]),
         second = getDefiningOp<SliceOp>(op.getInputs()[1]);
    if (!first || !second || first.getInput() != second.getInput() ||
        first.getInput().getType() != op.getResult().getType() ||
        !op.getResult().getType().hasStaticShape())
      return std::nullopt;
    const int64_t dim = op.getDim();
    const int64_t size = first.getResult().getType().getDimSize(dim),
                  rest = second.getResult().getType().getDimSize(dim);
    auto isAt = [&](SliceOp slice, int64_t begin) {
      return hasUnitSteps(slice) && slice.getOffsets().empty() &&
             llvm::all_of(llvm::enumerate(slice.getStaticOffsets()), [&](auto offset) {
               return offset.value() == (int64_t(offset.index()) == dim ? begin : 0);
             });
    };
    if ((size != 1 && rest != 1) || !isAt(first, rest) || !isAt(second, 0))
      return std::nullopt;
    return Roll{first.getInput(), dim, rest};
  }

  static bool isRolled(Value value, int64_t dim) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getDimSize(dim) != 1;
  }

  /// Finds the pointwise ops between the roll and arguments. False if there are others, or if what
  /// they compute has another use, for which it may be stored.
  static bool findFunctions(const Roll &roll, llvm::SetVector<Operation *> &functions) {
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

  static bool isReadByRolls(Operation *op) {
    return isa<SliceOp>(op) && llvm::all_of(op->getUsers(), [](Operation *user) {
             auto cat = dyn_cast<CatOp>(user);
             return cat && getRoll(cat);
           });
  }

  /// True for a slice of a roll, and for what rollValue() makes of one.
  static bool isPartOfRolls(Operation *op) {
    auto pad = dyn_cast<PadOp>(op);
    return isReadByRolls(op) ||
           (pad && pad.getLow().empty() && pad.getHigh().empty() &&
            llvm::all_of(llvm::zip_equal(pad.getStaticLow(), pad.getStaticHigh()),
                         [](auto both) { return std::get<0>(both) == -std::get<1>(both); }));
  }

  /// The value shifted by the distance, and the row that was moved to the other end selected of
  /// another shift: a kernel loads both from one base, and the row in a branch (ADR 143).
  static Value rollValue(CatOp op, Value value, const Roll &roll, PatternRewriter &rewriter) {
    const Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    const int64_t size = type.getDimSize(roll.dim), rank = type.getRank();
    Value zero = createZero(rewriter, loc, type.getElementType());
    auto shift = [&](int64_t by) -> Value {
      SmallVector<int64_t> low(rank, 0), high(rank, 0);
      low[roll.dim] = -by;
      high[roll.dim] = by;
      return createPad(rewriter, loc, type, value, getAsIndexOpFoldResult(op.getContext(), low),
                       getAsIndexOpFoldResult(op.getContext(), high), zero);
    };
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(number));
    };
    const bool isFirst = roll.distance == size - 1;
    Value index = buildIndices(rewriter, loc, RankedTensorType::get(size, rewriter.getI32Type()),
                               constant(0), /*length=*/Value(), roll.dim, rank);
    Value isMoved = EqOp::create(rewriter, loc, index, constant(isFirst ? 0 : size - 1));
    Value row = shift(isFirst ? roll.distance : roll.distance - size);
    Value others = shift(isFirst ? roll.distance - size : roll.distance);
    return WhereOp::create(rewriter, loc, isMoved, row, others);
  }
};

struct HoistRollsPass : fuser::impl::FuserHoistRollsBase<HoistRollsPass> {
  void runOnOperation() override { numHoisted += hoistRolls(getOperation()); }
};

} // namespace

unsigned fuser::hoistRolls(FusionOp fusion) { return applyCounted<HoistRoll>(fusion); }
