//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-squeeze-reductions.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSQUEEZEREDUCTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

struct SqueezeReduction
    : CountedPattern<CombinerOpInterface, OpInterfaceRewritePattern<CombinerOpInterface>> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CombinerOpInterface op, PatternRewriter &rewriter) const override {
    auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
    if (!dims)
      return rewriter.notifyMatchFailure(op, "it reduces no dimensions of its operands");
    auto shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    SmallVector<int64_t> single, others;
    for (int64_t dim : dims.asArrayRef())
      (shape[dim] == 1 ? single : others).push_back(dim);
    if (single.empty())
      return rewriter.notifyMatchFailure(op,
                                         "each dimension has, or may have, more than an element");
    if (others.empty())
      return replaceBySqueeze(op, single, rewriter);
    // Positions after the squeezed dimensions are dropped.
    for (int64_t &dim : others)
      dim -= llvm::count_if(single, [&](int64_t gone) { return gone < dim; });
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(SqueezeOp::create(rewriter, op.getLoc(), operand, single));
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(operands);
      op->setAttr("dims", rewriter.getDenseI64ArrayAttr(others));
    });
    return success();
  }

private:
  /// Reductions of these kinds are the identity on a single element.
  static LogicalResult replaceBySqueeze(CombinerOpInterface op, ArrayRef<int64_t> dims,
                                        PatternRewriter &rewriter) {
    if (!isa<SumOp, ProdOp, MinOp, MaxOp, MeanOp>(op) ||
        getElementTypeOrSelf(op->getResult(0).getType()) !=
            getElementTypeOrSelf(op->getOperand(0).getType()))
      return rewriter.notifyMatchFailure(op, "what it makes of one element is not that element");
    auto squeeze = SqueezeOp::create(rewriter, op.getLoc(), op->getOperand(0), dims);
    // The operand's type may be more static.
    if (squeeze.getResult().getType() != op->getResult(0).getType()) {
      rewriter.eraseOp(squeeze);
      return rewriter.notifyMatchFailure(op, "its result would have another type");
    }
    rewriter.replaceOp(op, squeeze);
    return success();
  }
};

struct SqueezeReductionsPass : fuser::impl::FuserSqueezeReductionsBase<SqueezeReductionsPass> {
  void runOnOperation() override { numSqueezed += squeezeReductions(getOperation()); }
};

} // namespace

unsigned fuser::squeezeReductions(FusionOp fusion) {
  return applyCounted<SqueezeReduction>(fusion);
}
