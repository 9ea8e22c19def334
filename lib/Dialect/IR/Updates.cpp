//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

bool fuser::isUpdated(OpOperand &use) {
  auto update = dyn_cast<UpdateOpInterface>(use.getOwner());
  return update && use.getOperandNumber() == update.getUpdatedOperand();
}

bool fuser::isOnlyPlace(BlockArgument argument) {
  return llvm::all_of(argument.getUses(), isUpdated);
}

Value fuser::getUpdatedValue(Value value) {
  auto update = value.getDefiningOp<UpdateOpInterface>();
  return update ? update->getOperand(update.getUpdatedOperand()) : Value();
}

Value fuser::getUpdateOf(Value value) {
  for (OpOperand &use : value.getUses())
    if (isUpdated(use))
      return use.getOwner()->getResult(0);
  return {};
}

static Type getElementType(UpdateOpInterface update) {
  return getElementTypeOrSelf(update->getResult(0).getType());
}

Value fuser::createIdentity(OpBuilder &builder, UpdateOpInterface update) {
  const Type element = getElementType(update);
  const ScatterReduce reduce = update.getCombination().getValue();
  TypedAttr value;
  if (reduce == ScatterReduce::Add)
    value = builder.getZeroAttr(element);
  else
    value = reduce == ScatterReduce::Min ? fuser::detail::getGreatestAttr(element)
                                         : fuser::detail::getLeastAttr(element);
  // Scalars are f64 or i64.
  if (auto integer = dyn_cast<IntegerAttr>(value))
    value = builder.getI64IntegerAttr(integer.getValue().getSExtValue());
  else
    value = builder.getF64FloatAttr(cast<FloatAttr>(value).getValueAsDouble());
  return arith::ConstantOp::create(builder, update.getLoc(), value);
}

Value fuser::createElement(OpBuilder &builder, UpdateOpInterface update, Value scalar) {
  return FullOp::create(builder, update.getLoc(), RankedTensorType::get({}, getElementType(update)),
                        scalar, /*sizes=*/ValueRange(), ArrayAttr(), MemoryAttr(), IntegerAttr());
}
