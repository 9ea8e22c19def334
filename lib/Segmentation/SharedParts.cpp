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

/// True if the op reads the operand at its own index.
static bool isReadAtOwnIndex(OpOperand &operand) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(operand.getOwner());
  return mapping &&
         llvm::all_of(mapping.getDimMaps(operand.getOperandNumber()), [](const DimMap &map) {
           return map.kind == DimMap::Kind::Mapped || map.kind == DimMap::Kind::Broadcast;
         });
}

/// The values with all dimensions of the part that it is computed from at its own index, itself
/// included.
static llvm::SmallSetVector<Value, 16> getValuesOfPart(Value part) {
  const size_t numDims = countLargeDims(cast<RankedTensorType>(part.getType()).getShape());
  llvm::SmallSetVector<Value, 16> values;
  values.insert(part);
  for (size_t next = 0; next < values.size() && next < kMostOfPart; ++next)
    if (Operation *op = values[next].getDefiningOp())
      for (OpOperand &operand : op->getOpOperands())
        if (auto type = dyn_cast<RankedTensorType>(operand.get().getType());
            type && countLargeDims(type.getShape()) == numDims && isReadAtOwnIndex(operand))
          values.insert(operand.get());
  return values;
}

bool fuser::shareReads(ValueRange parts, function_ref<bool(Value)> isRead) {
  llvm::SmallPtrSet<Value, 16> known;
  llvm::SmallPtrSet<Value, 4> seen;
  for (Value part : parts) {
    if (part.getType() != parts.front().getType())
      return false;
    if (isRead(part) || !seen.insert(part).second)
      continue;
    const auto values = getValuesOfPart(part);
    if (llvm::any_of(values, [&](Value value) { return known.contains(value); }))
      return true;
    known.insert(values.begin(), values.end());
  }
  return false;
}
