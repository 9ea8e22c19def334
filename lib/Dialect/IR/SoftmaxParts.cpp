//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/SoftmaxParts.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;

SoftmaxPart fuser::getSoftmaxPart(Operation *op) {
  if (!op)
    return SoftmaxPart::None;
  return llvm::TypeSwitch<Operation *, SoftmaxPart>(op)
      .Case([](MaxOp) { return SoftmaxPart::Maximum; })
      .Case([](SumOp) { return SoftmaxPart::Sum; })
      .Case([](MaxSumExpOp) { return SoftmaxPart::MaximumAndSum; })
      .Case([](BroadcastOp) { return SoftmaxPart::Broadcast; })
      .Case([](SubOp) { return SoftmaxPart::Difference; })
      .Case([](ExpOp) { return SoftmaxPart::Exponential; })
      .Case([](DivOp) { return SoftmaxPart::Quotient; })
      .Case([](CastOp) { return SoftmaxPart::Conversion; })
      .Default([](Operation *) { return SoftmaxPart::None; });
}
