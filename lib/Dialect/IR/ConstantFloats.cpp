//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ConstantFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuser;

std::optional<APFloat> fuser::getConstantFloat(Value value) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<vector::BroadcastOp, arith::TruncFOp, arith::ExtFOp>(op))
    return std::nullopt;
  std::optional<APFloat> converted = getConstantFloat(op->getOperand(0));
  bool losesInfo = false;
  if (converted)
    converted->convert(cast<FloatType>(getElementTypeOrSelf(value.getType())).getFloatSemantics(),
                       APFloat::rmNearestTiesToEven, &losesInfo);
  return converted;
}
