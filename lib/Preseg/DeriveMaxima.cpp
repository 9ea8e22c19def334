//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-derive-maxima.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERDERIVEMAXIMA
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The value that is broadcast along `dims` again, after a reduction over them; null for others.
static Value getReduced(Value value, ArrayRef<int64_t> dims) {
  auto wide = value.getDefiningOp<BroadcastOp>();
  return wide && wide.getDims() == dims ? wide.getInput() : Value();
}

/// True for x - max(x).
static bool isShifted(SubOp op, ArrayRef<int64_t> dims) {
  Value reduced = getReduced(op->getOperand(1), dims);
  auto max = reduced ? reduced.getDefiningOp<MaxOp>() : MaxOp();
  return max && max.getDims() == dims && max.getInput() == op->getOperand(0);
}

/// True for e / sum(e) with e = exp(x - max(x)): the sum is at least 1, or NaN as all of the row.
static bool isSoftmax(DivOp op, ArrayRef<int64_t> dims) {
  Value reduced = getReduced(op->getOperand(1), dims);
  auto sum = reduced ? reduced.getDefiningOp<SumOp>() : SumOp();
  auto exp = op->getOperand(0).getDefiningOp<ExpOp>();
  auto difference = exp ? exp->getOperand(0).getDefiningOp<SubOp>() : SubOp();
  return sum && sum.getDims() == dims && sum.getInput() == op->getOperand(0) && difference &&
         isShifted(difference, dims);
}

/// True for a positive number that no floating-point type of a kernel rounds to 0 or infinity.
static bool isPositiveScalar(Value value) {
  APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return false;
  const double factor = number.convertToDouble();
  return factor > 0x1p-100 && factor < 0x1p100;
}

/// The operand that increases where the result does, in each row along `dims`; infinities and NaN
/// included. Null if none is known.
static Value getOrdered(Operation *op, ArrayRef<int64_t> dims) {
  if (!op || !isPointwise(op) || !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return Value();
  Value first = op->getOperand(0);
  if (isa<CastOp>(op))
    return isa<FloatType>(getElementTypeOrSelf(first.getType())) ? first : Value();
  if (isa<ExpOp>(op))
    return first;
  if (isa<MulOp, DivOp>(op) && isPositiveScalar(op->getOperand(1)))
    return first;
  if (auto division = dyn_cast<DivOp>(op))
    return isSoftmax(division, dims) ? first : Value();
  auto difference = dyn_cast<SubOp>(op);
  return difference && isShifted(difference, dims) ? first : Value();
}

namespace {

struct DeriveMaximum : CountedPattern<MaxOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(MaxOp op, PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> dims = op.getDims();
    SmallVector<int64_t> shape(cast<RankedTensorType>(op.getInput().getType()).getShape());
    for (int64_t dim : dims) {
      // No elements have a maximum that no function of them has.
      if (ShapedType::isDynamic(shape[dim]) || shape[dim] == 0)
        return rewriter.notifyMatchFailure(op, "it may reduce no elements");
      shape[dim] = 1;
    }
    // From the operand up to the difference, which knows the maximum.
    SmallVector<Operation *> chain;
    Value value = op.getInput();
    while (chain.empty() || !isa<SubOp>(chain.back())) {
      Operation *producer = value.getDefiningOp();
      value = getOrdered(producer, dims);
      if (!value)
        return rewriter.notifyMatchFailure(op, "no known maximum determines it");
      chain.push_back(producer);
    }
    Value maximum = chain.back()->getOperand(1);
    for (Operation *step : llvm::reverse(chain)) {
      SmallVector<Value> operands(step->getOperands());
      operands.front() = maximum;
      maximum = clonePointwise(rewriter, step, operands, shape);
    }
    Value result = SqueezeOp::create(rewriter, op.getLoc(), maximum, dims);
    // The op's type may be more static than its operand.
    result.setType(op.getType());
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// The greatest (least) element that a reduction with an index of the same elements has too, also
/// before they are converted to a type that has all their values.
template <typename OpT, typename IndexedOpT> struct TakeIndexed : CountedPattern<OpT> {
  using CountedPattern<OpT>::CountedPattern;

  LogicalResult rewrite(OpT op, PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    if (auto cast = this->template getDefiningOp<CastOp>(input);
        cast && keepsOrder(cast.getInput().getType().getElementType(),
                           cast.getResult().getType().getElementType()))
      input = cast.getInput();
    for (Value value : {Value(op.getInput()), input})
      for (Operation *user : value.getUsers()) {
        auto indexed = dyn_cast<IndexedOpT>(user);
        if (!indexed || fuser::detail::isScheduled(user) || indexed.getInput() != value ||
            indexed.getDims() != op.getDims() || !moveBefore(indexed, op))
          continue;
        rewriter.setInsertionPoint(op);
        Value result = castElements(rewriter, op.getLoc(), indexed->getResult(0),
                                    getElementTypeOrSelf(op.getType()));
        result.setType(op.getType());
        rewriter.replaceOp(op, result);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "no reduction with an index has its elements");
  }

private:
  /// True for casts of floats that give every number back.
  static bool keepsOrder(Type from, Type to) {
    return isa<FloatType>(from) && isa<FloatType>(to) && isRedundantCast(from, to, from);
  }

  /// Moves an op and its operands before another one. False if it depends on that.
  static bool moveBefore(Operation *op, Operation *before) {
    if (op->isBeforeInBlock(before))
      return true;
    llvm::SetVector<Operation *> needed;
    needed.insert(op);
    for (size_t i = 0; i < needed.size(); ++i)
      for (Value operand : needed[i]->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && !producer->isBeforeInBlock(before)) {
          if (producer == before)
            return false;
          needed.insert(producer);
        }
    // All of them come after the other op, so that they keep their order.
    SmallVector<Operation *> inOrder(needed.begin(), needed.end());
    llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *moved : inOrder)
      moved->moveBefore(before);
    return true;
  }
};

struct DeriveMaximaPass : fuser::impl::FuserDeriveMaximaBase<DeriveMaximaPass> {
  void runOnOperation() override { numDerived += deriveMaxima(getOperation()); }
};

} // namespace

unsigned fuser::deriveMaxima(FusionOp fusion) {
  return applyCounted<TakeIndexed<MaxOp, MaxWithIndexOp>, TakeIndexed<MinOp, MinWithIndexOp>,
                      DeriveMaximum>(fusion);
}
