//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-sink-repeats.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSINKREPEATS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

static bool grows(Operation *spread, unsigned dim) {
  if (auto repeat = dyn_cast<RepeatOp>(spread))
    return repeat.getRepeats()[dim] != 1;
  return cast<ExpandOp>(spread).isExpanded(dim);
}

/// The repeat or expand that defines `value`, if `user` is its only user. One that enlarges no
/// dimension is itself pointwise: two of them would be sunk past each other forever.
static Operation *getSpread(Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<RepeatOp, ExpandOp>(op) || fuser::detail::isScheduled(op) ||
      llvm::any_of(op->getUsers(), [&](Operation *other) { return other != user; }))
    return nullptr;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (llvm::none_of(llvm::seq<int64_t>(0, rank), [&](int64_t dim) { return grows(op, dim); }))
    return nullptr;
  return op;
}

/// True if `value` is constant along each dimension that `spread` enlarges.
static bool isConstantAlong(Value value, Operation *spread) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  for (unsigned dim = 0, rank = type ? type.getRank() : 0; dim < rank; ++dim)
    if (grows(spread, dim) && type.getDimSize(dim) != 1)
      return false;
  return true;
}

namespace {

/// f(repeat(x)) = repeat(f(x)) for any pointwise op; likewise for expand.
struct SinkRepeat
    : CountedPattern<ElementwiseOpInterface, OpInterfaceRewritePattern<ElementwiseOpInterface>> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(ElementwiseOpInterface op, PatternRewriter &rewriter) const override {
    if (!isPointwise(op))
      return rewriter.notifyMatchFailure(op, "it is not pointwise");
    Operation *spread = nullptr;
    for (Value operand : op->getOperands())
      if ((spread = getSpread(operand, op)))
        break;
    if (!spread)
      return rewriter.notifyMatchFailure(op, "no operand is a repeat that it alone uses");
    Value wide = spread->getResult(0), narrow = spread->getOperand(0);
    for (Value operand : op->getOperands())
      if (operand != wide && !isConstantAlong(operand, spread))
        return rewriter.notifyMatchFailure(op,
                                           "another operand differs along a repeated dimension");

    SmallVector<Value> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return operand == wide ? narrow : operand; });
    // Another operand may make dimensions that do not grow larger than those of the repeat.
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    auto from = cast<RankedTensorType>(narrow.getType());
    auto to = cast<RankedTensorType>(wide.getType());
    SmallVector<int64_t> shape(result.getShape());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (!grows(spread, dim))
        continue;
      // The spread has sizes for the dynamic dimensions of its own type.
      if (size != to.getDimSize(dim))
        return rewriter.notifyMatchFailure(op, "its type differs in a repeated dimension");
      size = from.getDimSize(dim);
    }
    Value small = clonePointwise(rewriter, op, operands, shape);
    Operation *last = rewriter.clone(*spread);
    last->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
    last->setOperand(0, small);
    last->getResult(0).setType(result);
    rewriter.replaceOp(op, last->getResults());
    rewriter.eraseOp(spread);
    return success();
  }
};

struct SinkRepeatsPass : fuser::impl::FuserSinkRepeatsBase<SinkRepeatsPass> {
  void runOnOperation() override { numSunk += sinkRepeats(getOperation()); }
};

} // namespace

unsigned fuser::sinkRepeats(FusionOp fusion) {
  unsigned count = 0;
  // The pattern is one of every pointwise op.
  if (llvm::none_of(fusion.getBody().front(), llvm::IsaPred<RepeatOp, ExpandOp>)) {
    eraseDeadOps(fusion);
    return count;
  }
  return count + applyCounted<SinkRepeat>(fusion);
}
