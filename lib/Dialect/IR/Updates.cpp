//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Updates.h"

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
