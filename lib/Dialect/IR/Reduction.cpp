//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions: verification and combiners.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ReductionOps.cpp.inc"

LogicalResult fuser::detail::verifyReductionOp(Operation *op) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
  // RD1
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= type.getRank())
      return op->emitOpError("expected 'dims' between 0 and ")
             << type.getRank() - 1 << ", but got " << dim;
    if (index && dim <= dims[index - 1])
      return op->emitOpError("expected 'dims' in ascending order, but got [") << dims << "]";
  }
  // RD2: a domain (rfactor) may say otherwise, then the domain is checked against the type.
  if (!op->hasAttr("domains")) {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(dims, int64_t(dim)))
        shape.push_back(size);
    for (Value result : op->getResults()) {
      auto resultType = cast<RankedTensorType>(result.getType());
      if (failed(verifyCompatibleShape(shape, resultType.getShape())))
        return op->emitOpError("expected a result of shape [")
               << shape << "], but got " << resultType;
    }
  }
  return verifyTensorViewOp(op);
}

LogicalResult SumOp::verify() { return detail::verifyReductionOp(*this); }

SmallVector<Type> SumOp::getAccumulatorTypes() {
  return {ElementBuilder::getComputeType(getResult().getType().getElementType())};
}

SmallVector<Value> SumOp::buildIdentity(OpBuilder &builder, Location loc) {
  return {arith::ConstantOp::create(builder, loc, builder.getZeroAttr(getAccumulatorTypes()[0]))};
}

SmallVector<Value> SumOp::buildLift(OpBuilder &builder, Location loc, ValueRange operands) {
  return {ElementBuilder(builder, loc, getResult().getType())
              .convertTo(operands[0], getAccumulatorTypes()[0])};
}

SmallVector<Value> SumOp::buildCombine(OpBuilder &builder, Location loc, ValueRange lhs,
                                       ValueRange rhs) {
  return {ElementBuilder(builder, loc, getResult().getType())
              .apply<arith::AddFOp, arith::AddIOp>({lhs[0], rhs[0]})};
}

SmallVector<Value> SumOp::buildFinalize(OpBuilder &builder, Location loc, ValueRange accumulators,
                                        Value count) {
  return {ElementBuilder(builder, loc, getResult().getType())
              .convertTo(accumulators[0], getResult().getType().getElementType())};
}
