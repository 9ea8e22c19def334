//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-multiply-outer-products.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERMULTIPLYOUTERPRODUCTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Broadcasts `value` to `rank` by prepending dimensions of size 1.
static Value broadcastInFront(PatternRewriter &rewriter, Location loc, Value value, int64_t rank) {
  int64_t missing = rank - cast<RankedTensorType>(value.getType()).getRank();
  if (missing == 0)
    return value;
  return BroadcastOp::create(rewriter, loc, value, llvm::to_vector(llvm::seq<int64_t>(0, missing)));
}

static Value castTo(PatternRewriter &rewriter, Location loc, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  return CastOp::create(rewriter, loc, element, value);
}

/// Replaces `op` by lhs * rhs + bias (of the result's rank; null: none), computed in the
/// accumulation type of the contraction, and rounded once.
static void replaceByProduct(PatternRewriter &rewriter, Operation *op, Value lhs, Value rhs,
                             Value bias) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  // A product of the result's type computes and rounds as the contraction does.
  bool direct = !bias && getElementTypeOrSelf(lhs.getType()) == element;
  Type compute = direct ? element : ElementBuilder::getComputeType(element);
  Value value = MulOp::create(rewriter, loc, castTo(rewriter, loc, lhs, compute),
                              castTo(rewriter, loc, rhs, compute));
  if (bias)
    value = AddOp::create(rewriter, loc, value, castTo(rewriter, loc, bias, compute));
  value = castTo(rewriter, loc, value, element);
  // The contraction's type may be more static than its operands.
  value.setType(type);
  rewriter.replaceOp(op, value);
}

namespace {

struct MultiplyMatmul : CountedPattern<MatmulOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
    if (lhs.getShape().back() != 1 || rhs.getDimSize(rhs.getRank() - 2) != 1)
      return rewriter.notifyMatchFailure(op, "k is not statically 1 in both operands");
    int64_t rank = op.getResult().getType().getRank();
    replaceByProduct(rewriter, op, broadcastInFront(rewriter, op.getLoc(), op.getLhs(), rank),
                     broadcastInFront(rewriter, op.getLoc(), op.getRhs(), rank), Value());
    return success();
  }
};

struct MultiplyLinear : CountedPattern<LinearOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(LinearOp op, PatternRewriter &rewriter) const override {
    if (op.getInput().getType().getShape().back() != 1 ||
        op.getWeight().getType().getDimSize(1) != 1)
      return rewriter.notifyMatchFailure(op, "k is not statically 1 in both operands");
    Location loc = op.getLoc();
    int64_t rank = op.getResult().getType().getRank();
    // [n, 1] -> [1..., n]
    Value weight = SqueezeOp::create(rewriter, loc, op.getWeight(), ArrayRef<int64_t>{1});
    Value bias = op.getBias();
    replaceByProduct(rewriter, op, op.getInput(), broadcastInFront(rewriter, loc, weight, rank),
                     bias ? broadcastInFront(rewriter, loc, bias, rank) : Value());
    return success();
  }
};

struct MultiplyOuterProductsPass
    : fuser::impl::FuserMultiplyOuterProductsBase<MultiplyOuterProductsPass> {
  void runOnOperation() override { numProducts += multiplyOuterProducts(getOperation()); }
};

} // namespace

unsigned fuser::multiplyOuterProducts(FusionOp fusion) {
  return applyCounted<MultiplyMatmul, MultiplyLinear>(fusion);
}
