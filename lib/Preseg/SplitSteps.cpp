//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SplitSteps.h"
#include "PointwiseOps.h"

using namespace mlir;
using namespace fuser;

/// The most values that are searched.
static constexpr size_t kMostValues = 64;

ArrayRef<int64_t> fuser::getReducedDims(Operation *reduction) {
  return reduction->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
}

bool fuser::isExactInSteps(Operation *op) {
  if (!isa<SumOp, MeanOp, MaxOp, MinOp>(op) || fuser::detail::isScheduled(op))
    return false;
  const Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 32 &&
         element == getElementTypeOrSelf(op->getResult(0).getType());
}

llvm::SmallSetVector<Value, 16> fuser::getValuesOfShape(Value value) {
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  const ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  for (size_t next = 0; next < values.size() && next < kMostValues; ++next) {
    Operation *producer = values[next].getDefiningOp();
    if (!producer || !isPointwise(producer))
      continue;
    for (Value operand : producer->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.getType());
          type && type.getShape() == shape)
        values.insert(operand);
  }
  return values;
}
