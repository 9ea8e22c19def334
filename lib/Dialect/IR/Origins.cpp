//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Origins.h"

using namespace mlir;
using namespace fuser;

static void set(Operation *op, ArrayRef<int64_t> numbers) {
  op->setAttr(kOriginName, DenseI64ArrayAttr::get(op->getContext(), numbers));
}

int64_t fuser::numberOrigins(FusionOp fusion, int64_t first) {
  for (Operation &op : fusion.getBody().front().without_terminator())
    set(&op, first++);
  return first;
}

ArrayRef<int64_t> fuser::getOrigins(Operation *op) {
  auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(kOriginName);
  return numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
}

void fuser::copyOrigins(Operation *op, ArrayRef<Operation *> sources) {
  SmallVector<int64_t> numbers;
  for (Operation *source : sources)
    llvm::append_range(numbers, getOrigins(source));
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  if (!numbers.empty())
    set(op, numbers);
}
