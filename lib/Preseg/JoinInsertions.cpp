//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-join-insertions.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERJOININSERTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

static bool isZeroNumber(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

namespace {

/// Dimensions of unknown size of which insertions have all elements.
using WholeDims = llvm::DenseSet<std::pair<Operation *, unsigned>>;

/// A part of a dimension of a tensor that is 0 elsewhere.
struct Insertion {
  Value source;
  int64_t dim, begin, size;
  /// The position among the summands.
  int64_t order = 0;
};

/// insert(x, 0) + insert(y, 0) + ... = cat(x, y, ...)
struct JoinInsertions : CountedPattern<AddOp> {
  JoinInsertions(MLIRContext *context, unsigned &count, const WholeDims *wholeDims)
      : CountedPattern(context, count), wholeDims(*wholeDims) {}

  LogicalResult rewrite(AddOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
    if (!type || type.getElementType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "it is no sum of tensors of numbers");
    if (op->hasOneUse() && isSummand(op, *op->user_begin()))
      return rewriter.notifyMatchFailure(op, "it is a part of a larger sum");
    SmallVector<Insertion> parts;
    Value rest = findParts(op, type, parts);
    // Those of one place in the order in which they are added: the last one was found first.
    for (auto [number, part] : llvm::enumerate(parts))
      part.order = -int64_t(number);
    llvm::sort(parts, [](const Insertion &a, const Insertion &b) {
      return std::tie(a.begin, a.order) < std::tie(b.begin, b.order);
    });
    SmallVector<Insertion> places(parts);
    places.erase(llvm::unique(places, haveOnePlace), places.end());
    // What all of them are added to is added to the first one of a place alone.
    if (!areWhole(places, type) || (rest && places.size() != parts.size()))
      return rewriter.notifyMatchFailure(op, "its summands are no parts of one dimension");
    SmallVector<Value> sums;
    for (auto [number, part] : llvm::enumerate(parts)) {
      if (number == 0 || !haveOnePlace(parts[number - 1], part))
        sums.push_back(part.source);
      else
        sums.back() = AddOp::create(rewriter, op.getLoc(), sums.back(), part.source);
    }
    Value joined = CatOp::create(rewriter, op.getLoc(), type, sums,
                                 rewriter.getI64IntegerAttr(parts.front().dim), ArrayAttr(),
                                 MemoryAttr(), IntegerAttr());
    if (rest)
      joined = AddOp::create(rewriter, op.getLoc(), rest, joined);
    // -0 + 0 = 0, as in the sum.
    if (isa<FloatType>(type.getElementType()))
      joined = AddOp::create(rewriter, op.getLoc(), joined,
                             createZero(rewriter, op.getLoc(), type.getElementType()));
    rewriter.replaceOp(op, joined);
    return success();
  }

private:
  /// True if the source has all of a dimension of the value of which the size is unknown.
  bool hasAll(Value value, unsigned dim) const {
    if (auto pad = value.getDefiningOp<PadOp>())
      return pad.getStaticLow()[dim] == 0 && pad.getStaticHigh()[dim] == 0;
    return wholeDims.contains({value.getDefiningOp(), dim});
  }

  /// The value as an insertion into zeros, or its padding by zeros, that moves along one dimension.
  std::optional<Insertion> getInsertion(Value value) const {
    Value source;
    SmallVector<int64_t> begins;
    if (auto insert = getDefiningOp<InsertSliceOp>(value)) {
      auto full = getDefiningOp<FullOp>(insert.getDestination());
      if (!full || !isZeroNumber(full.getValue()) || !insert.getOffsets().empty())
        return std::nullopt;
      source = insert.getSource();
      begins.assign(insert.getStaticOffsets().begin(), insert.getStaticOffsets().end());
    } else if (auto pad = getDefiningOp<PadOp>(value)) {
      auto isNegative = [](int64_t amount) { return amount < 0; }; // as dynamic ones are
      if (!isZeroNumber(pad.getValue()) || llvm::any_of(pad.getStaticLow(), isNegative) ||
          llvm::any_of(pad.getStaticHigh(), isNegative))
        return std::nullopt;
      source = pad.getInput();
      begins.assign(pad.getStaticLow().begin(), pad.getStaticLow().end());
    } else {
      return std::nullopt;
    }
    auto from = cast<RankedTensorType>(source.getType()),
         to = cast<RankedTensorType>(value.getType());
    if (!value.hasOneUse())
      return std::nullopt;
    std::optional<Insertion> found;
    for (auto [dim, begin] : llvm::enumerate(begins)) {
      const bool isUnknown = from.isDynamicDim(dim) || to.isDynamicDim(dim);
      if (isUnknown ? hasAll(value, dim) : from.getDimSize(dim) == to.getDimSize(dim))
        continue;
      if (found || isUnknown)
        return std::nullopt;
      found = Insertion{source, int64_t(dim), begin, from.getDimSize(dim)};
    }
    return found;
  }

  bool isSummand(AddOp op, Operation *user) const {
    auto sum = dyn_cast<AddOp>(user);
    return sum && !fuser::detail::isScheduled(sum) &&
           sum.getResult().getType() == op.getResult().getType() &&
           llvm::any_of(sum->getOperands(),
                        [&](Value operand) { return bool(getInsertion(operand)); });
  }

  /// Finds the insertions among the summands of `value`, in the order in which they are added.
  /// Returns what they are added to; null if nothing.
  Value findParts(Value value, RankedTensorType type, SmallVectorImpl<Insertion> &parts) const {
    while (auto sum = getDefiningOp<AddOp>(value)) {
      if (value.getType() != type || (!parts.empty() && !value.hasOneUse()))
        return value;
      std::optional<Insertion> first = getInsertion(sum.getOperand(0)),
                               second = getInsertion(sum.getOperand(1));
      if (second)
        parts.push_back(*second);
      if (first)
        parts.push_back(*first);
      if (first && second)
        return Value();
      if (!first && !second)
        return value;
      value = sum.getOperand(first ? 1 : 0);
    }
    return value;
  }

  static bool haveOnePlace(const Insertion &a, const Insertion &b) {
    return a.dim == b.dim && a.begin == b.begin && a.size == b.size;
  }

  /// True if the parts, sorted, are all of one dimension, each element once.
  static bool areWhole(ArrayRef<Insertion> parts, RankedTensorType type) {
    if (parts.size() < 2)
      return false;
    int64_t end = 0;
    for (const Insertion &part : parts) {
      if (part.dim != parts.front().dim || part.begin != end)
        return false;
      end += part.size;
    }
    return end == type.getDimSize(parts.front().dim);
  }

  const WholeDims &wholeDims;
};

struct JoinInsertionsPass : fuser::impl::FuserJoinInsertionsBase<JoinInsertionsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = joinInsertions(getOperation());
    if (failed(count))
      return signalPassFailure();
    numJoined += *count;
  }
};

} // namespace

/// Finds them before anything is rewritten: the analysis does not know new values.
static FailureOr<WholeDims> findWholeDims(FusionOp fusion) {
  WholeDims wholeDims;
  std::optional<ExtentAnalysis> extents;
  for (auto op : fusion.getBody().front().getOps<InsertSliceOp>()) {
    auto type = op.getSource().getType();
    for (unsigned dim : llvm::seq<unsigned>(0, type.getRank())) {
      if (!type.isDynamicDim(dim) || op.getStaticOffsets()[dim] != 0)
        continue;
      if (!extents) {
        FailureOr<ExtentAnalysis> created = ExtentAnalysis::create(fusion);
        if (failed(created))
          return failure();
        extents = std::move(*created);
      }
      AffineExpr part = extents->getExtent(op.getSource(), dim),
                 all = extents->getExtent(op.getResult(), dim);
      if (part && all && extents->isProvablyEqual(part, all))
        wholeDims.insert({op, dim});
    }
  }
  return wholeDims;
}

FailureOr<unsigned> fuser::joinInsertions(FusionOp fusion) {
  FailureOr<WholeDims> wholeDims = findWholeDims(fusion);
  if (failed(wholeDims))
    return failure();
  const WholeDims *known = &*wholeDims;
  return applyCounted<JoinInsertions>(fusion, known);
}
