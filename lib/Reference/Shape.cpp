//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that only move elements.
//
//===----------------------------------------------------------------------===//

#include "Iteration.h"
#include "OpContext.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

static LogicalResult evaluateIdentity(OpContext &context) {
  return context.setResult(context.sharedOperand(0));
}

static LogicalResult evaluateBroadcast(OpContext &context) {
  SmallVector<int64_t> shape(context.operand(0).getShape());
  for (int64_t dim : context.getIntegers("dims"))
    shape.insert(shape.begin() + dim, 1);
  return context.setResult(context.operand(0).reshaped(shape));
}

void fuser::reference::addShapeOps(OpTable &table) {
  table["fuser.set"] = evaluateIdentity;
  table["fuser.segment_set"] = evaluateIdentity;
  table["fuser.broadcast"] = evaluateBroadcast;
}
