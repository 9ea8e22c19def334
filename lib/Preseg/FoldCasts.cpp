//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-fold-casts.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERFOLDCASTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

struct FoldCasts : CountedPattern<CastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CastOp op, PatternRewriter &rewriter) const override {
    auto first = getDefiningOp<CastOp>(op.getInput());
    if (!first)
      return rewriter.notifyMatchFailure(op, "its operand is no cast");
    Type from = first.getInput().getType().getElementType(),
         through = op.getInput().getType().getElementType(),
         to = op.getResult().getType().getElementType();
    if (!isRedundantCast(from, through, to))
      return rewriter.notifyMatchFailure(op, "the first cast changes what the second one gives");
    if (first.getInput().getType() == op.getResult().getType())
      rewriter.replaceOp(op, first.getInput());
    else
      rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(first.getInput()); });
    if (first->use_empty())
      rewriter.eraseOp(first);
    return success();
  }
};

struct FoldCastsPass : fuser::impl::FuserFoldCastsBase<FoldCastsPass> {
  void runOnOperation() override { numFolded += foldCasts(getOperation()); }
};

} // namespace

unsigned fuser::foldCasts(FusionOp fusion) { return applyCounted<FoldCasts>(fusion); }
