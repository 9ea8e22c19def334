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
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

/// The operand that the op is equal to where it is of the result's type, else nothing.
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
  auto isNeutral = [](Attribute constant) {
    return isIntegerConstant(constant, 0) || isFloatConstant(constant, -0.0, /*negative=*/true);
  };
  if (isNeutral(adaptor.getRhs()))
    return foldToOperand(*this, getLhs());
  if (isNeutral(adaptor.getLhs()))
    return foldToOperand(*this, getRhs());
  return {};
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  auto isNeutral = [](Attribute constant) {
    return isIntegerConstant(constant, 1) || isFloatConstant(constant, 1.0, /*negative=*/false);
  };
  if (isNeutral(adaptor.getRhs()))
    return foldToOperand(*this, getLhs());
  if (isNeutral(adaptor.getLhs()))
    return foldToOperand(*this, getRhs());
  return {};
}
