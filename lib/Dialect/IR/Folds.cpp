//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Folds. An op with a schedule (`domains`, `memory` or `inline_at`) never folds, and a fold is
// exact for every element: x + 0 is none (-0 + 0 = 0), x + -0 is one.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

/// The operand that the op is equal to, if it has the result's type; else null.
static OpFoldResult foldToOperand(Operation *op, Value operand) {
  if (fuser::detail::isScheduled(op) || operand.getType() != op->getResult(0).getType())
    return {};
  return operand;
}

static bool isFloatConstant(Attribute attribute, double value, bool negative) {
  auto constant = dyn_cast_or_null<FloatAttr>(attribute);
  return constant && constant.getValue().isExactlyValue(value) &&
         constant.getValue().isNegative() == negative;
}

static bool isIntegerConstant(Attribute attribute, int64_t value) {
  auto constant = dyn_cast_or_null<IntegerAttr>(attribute);
  return constant && !constant.getType().isInteger(1) && constant.getValue() == value;
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) { return foldToOperand(*this, getInput()); }

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // A real operand has an imaginary part of 0, so that it is neutral in neither op.
  if (isa<ComplexType>(getResult().getType().getElementType()))
    return {};
  // An integer 0 would be added to a float as 0.0, which is not neutral.
  bool integer = isa<IntegerType>(getResult().getType().getElementType());
  auto isNeutral = [&](Attribute constant) {
    return (integer && isIntegerConstant(constant, 0)) ||
           isFloatConstant(constant, -0.0, /*negative=*/true);
  };
  if (isNeutral(adaptor.getRhs()))
    return foldToOperand(*this, getLhs());
  if (isNeutral(adaptor.getLhs()))
    return foldToOperand(*this, getRhs());
  return {};
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isa<ComplexType>(getResult().getType().getElementType()))
    return {};
  auto isNeutral = [](Attribute constant) {
    return isIntegerConstant(constant, 1) || isFloatConstant(constant, 1.0, /*negative=*/false);
  };
  if (isNeutral(adaptor.getRhs()))
    return foldToOperand(*this, getLhs());
  if (isNeutral(adaptor.getLhs()))
    return foldToOperand(*this, getRhs());
  return {};
}

//===----------------------------------------------------------------------===//
// Shape ops
//===----------------------------------------------------------------------===//

OpFoldResult SetOp::fold(FoldAdaptor adaptor) { return foldToOperand(*this, getInput()); }
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  // With more than one dynamic dimension, equal types do not imply that the op is the identity.
  auto isOne = [](const ReshapeGroup &group) { return group.from == 1 && group.to == 1; };
  SmallVector<ReshapeGroup> groups = getStatedGroups(*this);
  bool isIdentity = !groups.empty() && llvm::all_of(groups, isOne);
  if (getResult().getType().getNumDynamicDims() > 1 && !isIdentity)
    return {};
  return foldToOperand(*this, getInput());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  return getDims().empty() ? foldToOperand(*this, getInput()) : OpFoldResult();
}

OpFoldResult SqueezeOp::fold(FoldAdaptor adaptor) {
  return getDims().empty() ? foldToOperand(*this, getInput()) : OpFoldResult();
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) {
  for (int64_t dim = 0, rank = getResult().getType().getRank(); dim < rank; ++dim)
    if (isExpanded(dim))
      return {};
  return foldToOperand(*this, getInput());
}

OpFoldResult RepeatOp::fold(FoldAdaptor adaptor) {
  bool once = llvm::all_of(getRepeats(), [](int64_t repeats) { return repeats == 1; });
  return once ? foldToOperand(*this, getInput()) : OpFoldResult();
}

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  if (fuser::detail::isScheduled(*this))
    return {};
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getPermutation().size())))
    return foldToOperand(*this, getInput());
  // permute of permute: this op reads the first one's operand.
  auto first = getInput().getDefiningOp<PermuteOp>();
  if (!first || fuser::detail::isScheduled(first))
    return {};
  SmallVector<int64_t> composed = llvm::map_to_vector(
      getPermutation(), [&](int64_t dim) { return first.getPermutation()[dim]; });
  getInputMutable().assign(first.getInput());
  setPermutation(composed);
  return getResult();
}
