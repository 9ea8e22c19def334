//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

bool fuser::hasOwnLoops(Operation *op) {
  if (auto permute = dyn_cast<PermuteOp>(op)) {
    ArrayRef<int64_t> permutation = permute.getPermutation();
    return !permutation.empty() && permutation.back() + 1 != int64_t(permutation.size());
  }
  return !isa<ElementwiseOpInterface>(op);
}

bool fuser::isAfterOwnLoops(Value value) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !isa<RankedTensorType>(op->getResult(0).getType()) || !seen.insert(op).second)
      continue;
    if (hasOwnLoops(op))
      return true;
    llvm::append_range(stack, op->getOperands());
  }
  return false;
}
