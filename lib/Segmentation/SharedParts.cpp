//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parts of a join that are computed from one value.
//
//===----------------------------------------------------------------------===//

#include "SharedParts.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// The most values of a part that are searched for those that another part has as well.
static constexpr size_t kMostOfPart = 64;

/// The ops that compute a part element by element from several values, none of which has fewer
/// dimensions.
static llvm::SmallSetVector<Operation *, 16> getOpsOfPart(Value part) {
  const size_t numDims = countLargeDims(cast<RankedTensorType>(part.getType()).getShape());
  llvm::SmallSetVector<Operation *, 16> ops;
  llvm::SmallSetVector<Value, 16> values;
  values.insert(part);
  for (size_t next = 0; next < values.size() && next < kMostOfPart; ++next) {
    Operation *op = values[next].getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(values[next].getType());
    if (!op || !type || countLargeDims(type.getShape()) < numDims)
      continue;
    if (op->getNumOperands() > 1)
      ops.insert(op);
    values.insert(op->operand_begin(), op->operand_end());
  }
  return ops;
}

bool fuser::shareWork(ValueRange parts) {
  llvm::SmallPtrSet<Operation *, 16> known;
  llvm::SmallPtrSet<Value, 4> seen;
  for (Value part : parts) {
    if (!seen.insert(part).second)
      continue;
    const auto ops = getOpsOfPart(part);
    if (llvm::any_of(ops, [&](Operation *op) { return known.contains(op); }))
      return true;
    known.insert(ops.begin(), ops.end());
  }
  return false;
}
