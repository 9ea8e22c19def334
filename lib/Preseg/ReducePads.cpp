//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-reduce-pads.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "SliceShapes.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERREDUCEPADS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// True if the reduction of a tensor of type `element` ignores elements of this value.
static bool isNeutral(Operation *op, Value value, Type element) {
  if (matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()))
    return isa<SumOp>(op);
  if (matchPattern(value, m_OneFloat()) || matchPattern(value, m_One()))
    return isa<ProdOp>(op);
  APInt integer;
  if (auto type = dyn_cast<IntegerType>(element);
      type && matchPattern(value, m_ConstantInt(&integer)) &&
      integer.getBitWidth() == type.getWidth() && type.getWidth() > 1)
    return (isa<MaxOp>(op) && integer.isMinSignedValue()) ||
           (isa<MinOp>(op) && integer.isMaxSignedValue());
  return (isa<MaxOp>(op) && matchPattern(value, m_NegInfFloat())) ||
         (isa<MinOp>(op) && matchPattern(value, m_PosInfFloat()));
}

namespace {

/// reduce(pad(x)) = pad(reduce(x))
struct ReducePad
    : CountedPattern<CombinerOpInterface, OpInterfaceRewritePattern<CombinerOpInterface>> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CombinerOpInterface op, PatternRewriter &rewriter) const override {
    auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
    auto pad = op->getNumOperands() == 1 ? getDefiningOp<PadOp>(op->getOperand(0)) : PadOp();
    if (!dims || !pad)
      return rewriter.notifyMatchFailure(op, "its operand is no pad");
    auto type = pad.getInput().getType();
    if (!isNeutral(op, pad.getValue(), type.getElementType()))
      return rewriter.notifyMatchFailure(op, "the border is not neutral");
    SmallVector<OpFoldResult> low, high;
    for (auto [dim, lowAmount, highAmount] :
         llvm::enumerate(getMixedValues(pad.getStaticLow(), pad.getLow(), rewriter),
                         getMixedValues(pad.getStaticHigh(), pad.getHigh(), rewriter))) {
      if (!llvm::is_contained(dims.asArrayRef(), int64_t(dim))) {
        low.push_back(lowAmount);
        high.push_back(highAmount);
      } else if (getConstantIntValue(lowAmount).value_or(-1) < 0 ||
                 getConstantIntValue(highAmount).value_or(-1) < 0) {
        return rewriter.notifyMatchFailure(op, "elements that it reduces may be cropped");
      }
    }
    SmallVector<int64_t> kept;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(dims.asArrayRef(), int64_t(dim)))
        kept.push_back(size);
    auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
    auto isZero = [](OpFoldResult amount) { return isZeroInteger(amount); };
    const bool isWhole = llvm::all_of(low, isZero) && llvm::all_of(high, isZero);
    if (isWhole && resultType.getShape() != ArrayRef(kept))
      return rewriter.notifyMatchFailure(op, "its result would have another type");
    OperationState state(op.getLoc(), op->getName(), pad.getInput(), resultType.clone(kept),
                         op->getAttrs());
    Value reduced = rewriter.create(state)->getResult(0);
    if (!isWhole)
      reduced = createPad(rewriter, pad.getLoc(), resultType, reduced, low, high, pad.getValue());
    rewriter.replaceOp(op, reduced);
    return success();
  }
};

struct ReducePadsPass : fuser::impl::FuserReducePadsBase<ReducePadsPass> {
  void runOnOperation() override { numMoved += reducePads(getOperation()); }
};

} // namespace

unsigned fuser::reducePads(FusionOp fusion) { return applyCounted<ReducePad>(fusion); }
