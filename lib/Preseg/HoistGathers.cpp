//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-gathers.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Analysis/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTGATHERS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// True where types show that `gathered` has no more elements than `table`.
static bool isNotLarger(RankedTensorType gathered, RankedTensorType table) {
  return gathered.hasStaticShape() && table.hasStaticShape() &&
         gathered.getNumElements() <= table.getNumElements();
}

namespace {

/// gather(f(x), i) = f(gather(x, i)) where f keeps the 0 that is read outside of x.
template <typename GatherOpT> struct HoistGather : CountedPattern<GatherOpT> {
  using CountedPattern<GatherOpT>::CountedPattern;

  LogicalResult rewrite(GatherOpT op, PatternRewriter &rewriter) const override {
    Operation *function = op.getInput().getDefiningOp();
    if (!function || !isPointwiseOnEqualShapes(function) ||
        !function->hasTrait<fuser::KeepsZero>() || function->getNumOperands() != 1)
      return rewriter.notifyMatchFailure(op,
                                         "its operand is no function of one tensor with f(0) = 0");
    if (!function->hasOneUse())
      return rewriter.notifyMatchFailure(op, "all elements of its operand are needed elsewhere");
    Value table = function->getOperand(0);
    RankedTensorType result = op.getResult().getType(), from = op.getInput().getType(),
                     to = cast<RankedTensorType>(table.getType());
    bool narrower =
        to.getElementType().getIntOrFloatBitWidth() < from.getElementType().getIntOrFloatBitWidth();
    if (!narrower && !isNotLarger(result, from))
      return rewriter.notifyMatchFailure(op, "it would gather as much, and compute no less");
    auto gathered =
        GatherOpT::create(rewriter, op.getLoc(), result.clone(to.getElementType()), table,
                          op.getIndex(), op.getDimAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
    Value value =
        clonePointwise(rewriter, function, ValueRange{gathered.getResult()}, result.getShape());
    rewriter.replaceOp(op, value);
    rewriter.eraseOp(function);
    return success();
  }
};

struct HoistGathersPass : fuser::impl::FuserHoistGathersBase<HoistGathersPass> {
  void runOnOperation() override { numHoisted += hoistGathers(getOperation()); }
};

} // namespace

unsigned fuser::hoistGathers(FusionOp fusion) {
  unsigned count = 0;
  RewritePatternSet patterns(fusion.getContext());
  patterns.add<HoistGather<GatherOp>, HoistGather<TakeAlongAxisOp>, HoistGather<IndexSelectOp>>(
      fusion.getContext(), count);
  applyPatterns(fusion, std::move(patterns));
  return count;
}
