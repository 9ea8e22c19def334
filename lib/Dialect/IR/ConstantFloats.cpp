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

/// The number that a signed integer is after its conversion; nullopt if it is no constant.
static std::optional<APFloat> convertConstant(arith::SIToFPOp op) {
  Value integer = op.getIn();
  if (auto cast = integer.getDefiningOp<arith::IndexCastOp>())
    integer = cast.getIn();
  APInt constant;
  auto type = dyn_cast<FloatType>(op.getType());
  if (!type || !matchPattern(integer, m_ConstantInt(&constant)))
    return std::nullopt;
  APFloat converted(type.getFloatSemantics());
  converted.convertFromAPInt(constant, /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  return converted;
}

std::optional<APFloat> fuser::getConstantFloat(Value value) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (auto conversion = dyn_cast_or_null<arith::SIToFPOp>(op))
    return convertConstant(conversion);
  if (!isa_and_nonnull<vector::BroadcastOp, arith::TruncFOp, arith::ExtFOp>(op))
    return std::nullopt;
  std::optional<APFloat> converted = getConstantFloat(op->getOperand(0));
  bool losesInfo = false;
  if (converted)
    converted->convert(cast<FloatType>(getElementTypeOrSelf(value.getType())).getFloatSemantics(),
                       APFloat::rmNearestTiesToEven, &losesInfo);
  return converted;
}
