//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-cancel-broadcasts.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERCANCELBROADCASTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The positions 0 to `rank` - 1 that are not in `dims`.
static SmallVector<int64_t> getOtherDims(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return others;
}

/// Replaces `op` by its operand's operand with `dropped` of its dimensions squeezed and then
/// dimensions added at the positions `added` of the result. Fails if no op would remain although
/// the types differ in static sizes.
static LogicalResult replaceBySqueezeAndBroadcast(PatternRewriter &rewriter, Operation *op,
                                                  Value input, ArrayRef<int64_t> dropped,
                                                  ArrayRef<int64_t> added) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (dropped.empty() && added.empty() && input.getType() != type)
    return rewriter.notifyMatchFailure(op, "its type states more sizes than its operand's");
  Value value = input;
  if (!dropped.empty())
    value = SqueezeOp::create(rewriter, op->getLoc(), value, dropped);
  if (!added.empty())
    value = BroadcastOp::create(rewriter, op->getLoc(), value, added);
  // The result type may be more static than the operand's.
  if (value != input)
    value.setType(type);
  rewriter.replaceOp(op, value);
  return success();
}

namespace {

/// squeeze(broadcast(x)): cancels a dimension that the broadcast adds and the squeeze drops.
struct SqueezeOfBroadcast : CountedPattern<SqueezeOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SqueezeOp op, PatternRewriter &rewriter) const override {
    auto first = getDefiningOp<BroadcastOp>(op.getInput());
    if (!first)
      return rewriter.notifyMatchFailure(op, "its operand is no broadcast");
    bool cancels = llvm::any_of(
        op.getDims(), [&](int64_t dim) { return llvm::is_contained(first.getDims(), dim); });
    if (!cancels)
      return rewriter.notifyMatchFailure(op, "it drops none of the dimensions that were added");
    int64_t rank = op.getInput().getType().getRank();
    SmallVector<int64_t> dropped, added;
    for (auto [position, dim] : llvm::enumerate(getOtherDims(rank, first.getDims())))
      if (llvm::is_contained(op.getDims(), dim))
        dropped.push_back(position);
    for (auto [position, dim] : llvm::enumerate(getOtherDims(rank, op.getDims())))
      if (llvm::is_contained(first.getDims(), dim))
        added.push_back(position);
    return replaceBySqueezeAndBroadcast(rewriter, op, first.getInput(), dropped, added);
  }
};

/// broadcast(squeeze(x)): between two other dimensions, the smaller number of the size-1 dimensions
/// that the squeeze drops and the broadcast adds stays.
struct BroadcastOfSqueeze : CountedPattern<BroadcastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto first = getDefiningOp<SqueezeOp>(op.getInput());
    if (!first)
      return rewriter.notifyMatchFailure(op, "its operand is no squeeze");
    SmallVector<int64_t> dropped, added;
    bool cancels = false;
    int64_t from = 0, to = 0;
    const int64_t fromRank = first.getInput().getType().getRank(),
                  toRank = op.getResult().getType().getRank();
    while (from < fromRank || to < toRank) {
      SmallVector<int64_t> ones, newOnes;
      while (from < fromRank && llvm::is_contained(first.getDims(), from))
        ones.push_back(from++);
      while (to < toRank && llvm::is_contained(op.getDims(), to))
        newOnes.push_back(to++);
      size_t stay = std::min(ones.size(), newOnes.size());
      cancels |= stay > 0;
      llvm::append_range(dropped, ArrayRef(ones).drop_front(stay));
      llvm::append_range(added, ArrayRef(newOnes).drop_front(stay));
      // A dimension that both keep.
      ++from, ++to;
    }
    if (!cancels)
      return rewriter.notifyMatchFailure(op, "it adds no dimension where one was dropped");
    return replaceBySqueezeAndBroadcast(rewriter, op, first.getInput(), dropped, added);
  }
};

struct MergeBroadcasts : CountedPattern<BroadcastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto first = getDefiningOp<BroadcastOp>(op.getInput());
    if (!first)
      return rewriter.notifyMatchFailure(op, "its operand is no broadcast");
    SmallVector<int64_t> added;
    SmallVector<int64_t> kept = getOtherDims(op.getResult().getType().getRank(), op.getDims());
    for (int64_t dim = 0, rank = op.getResult().getType().getRank(); dim < rank; ++dim) {
      auto *it = llvm::find(kept, dim);
      if (it == kept.end() || llvm::is_contained(first.getDims(), it - kept.begin()))
        added.push_back(dim);
    }
    return replaceBySqueezeAndBroadcast(rewriter, op, first.getInput(), {}, added);
  }
};

struct MergeSqueezes : CountedPattern<SqueezeOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SqueezeOp op, PatternRewriter &rewriter) const override {
    auto first = getDefiningOp<SqueezeOp>(op.getInput());
    if (!first)
      return rewriter.notifyMatchFailure(op, "its operand is no squeeze");
    SmallVector<int64_t> dropped(first.getDims());
    SmallVector<int64_t> kept = getOtherDims(first.getInput().getType().getRank(), first.getDims());
    for (int64_t dim : op.getDims())
      dropped.push_back(kept[dim]);
    llvm::sort(dropped);
    return replaceBySqueezeAndBroadcast(rewriter, op, first.getInput(), dropped, {});
  }
};

struct CancelBroadcastsPass : fuser::impl::FuserCancelBroadcastsBase<CancelBroadcastsPass> {
  void runOnOperation() override { numCancelled += cancelBroadcasts(getOperation()); }
};

} // namespace

unsigned fuser::cancelBroadcasts(FusionOp fusion) {
  return applyCounted<SqueezeOfBroadcast, BroadcastOfSqueeze, MergeBroadcasts, MergeSqueezes>(
      fusion);
}
