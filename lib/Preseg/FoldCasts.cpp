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

/// cast(cat(x, y)) = cat(cast(x), cast(y)), if the parts have fewer bytes then: a kernel can store
/// each where it belongs.
struct CastParts : CountedPattern<CastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CastOp op, PatternRewriter &rewriter) const override {
    auto cat = getDefiningOp<CatOp>(op.getInput());
    if (!cat || !cat->hasOneUse())
      return rewriter.notifyMatchFailure(op, "its operand does not consist of parts for it alone");
    Type from = cat.getType().getElementType(), to = op.getResult().getType().getElementType();
    if (getElementBytes(to) >= getElementBytes(from))
      return rewriter.notifyMatchFailure(op, "it does not make elements narrower");
    rewriter.setInsertionPoint(cat);
    SmallVector<Value> parts;
    for (Value part : cat.getInputs())
      parts.push_back(CastOp::create(rewriter, op.getLoc(), to, part));
    auto joined = CatOp::create(rewriter, cat.getLoc(), parts, cat.getDim());
    joined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, joined.getResult());
    rewriter.eraseOp(cat);
    return success();
  }
};

struct FoldCastsPass : fuser::impl::FuserFoldCastsBase<FoldCastsPass> {
  void runOnOperation() override { numFolded += foldCasts(getOperation()); }
};

} // namespace

unsigned fuser::foldCasts(FusionOp fusion) { return applyCounted<FoldCasts, CastParts>(fusion); }
