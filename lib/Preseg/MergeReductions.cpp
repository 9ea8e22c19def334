//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-merge-reductions.
//
//===----------------------------------------------------------------------===//

#include "SplitSteps.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERMERGEREDUCTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The number of elements along dimensions of a value; none if it is unknown.
static std::optional<int64_t> countElements(Value value, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims) {
    const int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    count *= size;
  }
  return count;
}

namespace {
/// A reduction of the results of another one.
struct NestedReduction {
  Operation *outer, *inner;
  /// The dimensions of the operand of the inner one that are reduced.
  SmallVector<int64_t> dims;
  /// Dimensions of size 1 of the result that the operand of the inner one does not have.
  SmallVector<int64_t> added;
  /// For a mean of sums: how many sums each is of.
  std::optional<int64_t> count;
};
} // namespace

/// True if another op with loops of its own reads what the reduction is computed from.
static bool hasOwnLoopsOfSameElements(Operation *inner) {
  return llvm::any_of(getValuesOfShape(inner->getOperand(0)), [&](Value value) {
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return user != inner && hasOwnLoops(user); });
  });
}

/// True if one reduction gives what the two give.
static bool areAlike(Operation *outer, Operation *inner, NestedReduction &nested) {
  if (isa<MeanOp>(outer) && isa<SumOp>(inner)) {
    nested.count = countElements(outer->getOperand(0), getReducedDims(outer));
    return nested.count && *nested.count > 0;
  }
  return outer->getName() == inner->getName();
}

/// The reduction of which `outer` alone reduces the results, with dimensions that were added to
/// them. Where the elements depend on other reductions, or are reduced by others along the same
/// dimensions, these are in one kernel with the inner one.
static std::optional<NestedReduction> findNested(Operation *outer) {
  if (!isExactInSteps(outer))
    return std::nullopt;
  Value value = outer->getOperand(0);
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  SmallVector<int64_t> none;
  ArrayRef<int64_t> added = none;
  if (broadcast) {
    if (!value.hasOneUse() || fuser::detail::isScheduled(broadcast))
      return std::nullopt;
    added = broadcast.getDims();
    value = broadcast.getInput();
  }
  Operation *inner = value.getDefiningOp();
  NestedReduction nested{outer, inner, {}, {}, std::nullopt};
  if (!inner || !isExactInSteps(inner) || !value.hasOneUse() || !areAlike(outer, inner, nested) ||
      isAfterOwnLoops(inner->getOperand(0)) || hasOwnLoopsOfSameElements(inner))
    return std::nullopt;
  const ArrayRef<int64_t> own = getReducedDims(inner), reduced = getReducedDims(outer);
  nested.dims.assign(own.begin(), own.end());
  int64_t dimOfOuter = 0, dimOfResult = 0, dimOfInner = 0;
  const int64_t rank = cast<RankedTensorType>(outer->getOperand(0).getType()).getRank();
  for (; dimOfOuter < rank; ++dimOfOuter) {
    const bool isReduced = llvm::is_contained(reduced, dimOfOuter);
    if (llvm::is_contained(added, dimOfOuter)) {
      if (!isReduced)
        nested.added.push_back(dimOfResult);
    } else {
      while (llvm::is_contained(own, dimOfInner))
        ++dimOfInner;
      if (isReduced)
        nested.dims.push_back(dimOfInner);
      ++dimOfInner;
    }
    dimOfResult += !isReduced;
  }
  llvm::sort(nested.dims);
  return nested;
}

static void merge(const NestedReduction &nested) {
  Operation *outer = nested.outer, *inner = nested.inner;
  OpBuilder builder(outer);
  const Location loc = outer->getLoc();
  llvm::TypeSwitch<Operation *>(inner).Case<SumOp, MeanOp, MaxOp, MinOp>([&](auto reduction) {
    using Op = decltype(reduction);
    auto whole = Op::create(builder, loc, inner->getOperand(0), nested.dims);
    copyOrigins(whole, outer);
    Value result = whole.getResult();
    if (nested.count) {
      Value count =
          arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(double(*nested.count)));
      auto mean = DivOp::create(builder, loc, result, count);
      copyOrigins(mean, outer);
      result = mean.getResult();
    }
    if (!nested.added.empty())
      result = BroadcastOp::create(builder, loc, result, nested.added);
    // Those that nothing reads count as readers of the elements.
    Operation *broadcast = outer->getOperand(0).getDefiningOp();
    outer->replaceAllUsesWith(ValueRange{result});
    outer->erase();
    if (broadcast != inner)
      broadcast->erase();
    inner->erase();
  });
}

unsigned fuser::mergeReductions(FusionOp fusion) {
  unsigned count = 0;
  SmallVector<Operation *> reductions;
  for (Operation &op : fusion.getBody().front())
    if (isExactInSteps(&op))
      reductions.push_back(&op);
  // Only ops before an op are erased with it.
  for (Operation *op : reductions) {
    std::optional<NestedReduction> nested = findNested(op);
    if (!nested)
      continue;
    merge(*nested);
    ++count;
  }
  return count;
}

namespace {
struct MergeReductionsPass : fuser::impl::FuserMergeReductionsBase<MergeReductionsPass> {
  void runOnOperation() override { numMerged += mergeReductions(getOperation()); }
};
} // namespace
