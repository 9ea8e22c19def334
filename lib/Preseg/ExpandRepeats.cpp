//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-expand-repeats.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSEREXPANDREPEATS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// cat(x, x, x) reads one tensor three times.
struct RepeatOfCat : CountedPattern<CatOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CatOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() < 2 || !llvm::all_equal(op.getInputs()))
      return rewriter.notifyMatchFailure(op, "it does not join one tensor with itself");
    auto input = cast<TypedValue<RankedTensorType>>(op.getInputs().front());
    SmallVector<int64_t> repeats(input.getType().getRank(), 1);
    repeats[op.getDim()] = op.getInputs().size();
    rewriter.replaceOpWithNewOp<RepeatOp>(op, op.getResult().getType(), input,
                                          rewriter.getDenseI64ArrayAttr(repeats), ArrayAttr(),
                                          MemoryAttr(), IntegerAttr());
    return success();
  }
};

/// If every repeated dimension has size 1, no index has to be taken modulo a size.
struct ExpandRepeat : CountedPattern<RepeatOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(RepeatOp op, PatternRewriter &rewriter) const override {
    for (auto [size, times] : llvm::zip_equal(op.getInput().getType().getShape(), op.getRepeats()))
      if (size != 1 && times != 1)
        return rewriter.notifyMatchFailure(op, "it repeats a dimension of another size than 1");
    rewriter.replaceOpWithNewOp<ExpandOp>(op, op.getResult().getType(), op.getInput(), ValueRange(),
                                          ArrayAttr(), MemoryAttr(), IntegerAttr());
    return success();
  }
};

struct ExpandRepeatsPass : fuser::impl::FuserExpandRepeatsBase<ExpandRepeatsPass> {
  void runOnOperation() override {
    ExpandedRepeats result = expandRepeats(getOperation());
    numRepeats += result.numRepeats;
    numExpanded += result.numExpanded;
  }
};

} // namespace

ExpandedRepeats fuser::expandRepeats(FusionOp fusion) {
  ExpandedRepeats result;
  RewritePatternSet patterns(fusion.getContext());
  patterns.add<RepeatOfCat>(fusion.getContext(), result.numRepeats);
  patterns.add<ExpandRepeat>(fusion.getContext(), result.numExpanded);
  applyPatterns(fusion, std::move(patterns));
  return result;
}
