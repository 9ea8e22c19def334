//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans: verification. Their scalar forms are in ScanOps.td.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ScanOps.cpp.inc"

LogicalResult fuser::detail::verifyScanOp(Operation *op, int64_t dim, ReductionTypes types) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  // SC1
  if (dim < 0 || dim >= input.getRank())
    return op->emitOpError("expected 'dim' to be a dimension of ") << input << ", but got " << dim;
  // SC2
  if (failed(verifyCompatibleShape(input, result)))
    return op->emitOpError("expected a result of shape [")
           << input.getShape() << "], but got " << result;
  // SC3
  if (failed(verifyReductionTypes(op, input.getElementType(), result.getElementType(), types)))
    return failure();
  return verifyTensorViewOp(op);
}
