//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops: syntax, verification, scalar forms.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/PointwiseOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Syntax: `a, b attr-dict : type` where all types are equal, else `: (types) -> type`.
//===----------------------------------------------------------------------===//

ParseResult fuser::detail::parsePointwiseOp(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> operandTypes;
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon())
    return failure();
  Type type;
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseTypeList(operandTypes) || parser.parseRParen() || parser.parseArrow() ||
        parser.parseType(type))
      return failure();
  } else {
    if (parser.parseType(type))
      return failure();
    operandTypes.assign(operands.size(), type);
  }
  result.addTypes(type);
  return parser.resolveOperands(operands, operandTypes, loc, result.operands);
}

void fuser::detail::printPointwiseOp(Operation *op, OpAsmPrinter &printer) {
  printer << " ";
  printer.printOperands(op->getOperands());
  printer.printOptionalAttrDict(op->getAttrs());
  Type type = op->getResult(0).getType();
  printer << " : ";
  if (llvm::all_of(op->getOperandTypes(), [&](Type operand) { return operand == type; })) {
    printer << type;
    return;
  }
  printer << "(" << op->getOperandTypes() << ") -> " << type;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult fuser::detail::verifyPointwiseOp(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  // PW1
  if (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return op->emitOpError("expected at least one tensor operand, but got only scalars");
  // PW2
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    if (type.getRank() != result.getRank())
      return op->emitOpError("expected operand ")
             << operand.getOperandNumber() << " of rank " << result.getRank()
             << " like the result, but got rank " << type.getRank();
    for (auto [dim, size, want] : llvm::enumerate(type.getShape(), result.getShape()))
      if (size != want && size != 1 && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(want))
        return op->emitOpError("expected dimension ")
               << dim << " of operand " << operand.getOperandNumber() << " to be " << want
               << " or 1, but got " << size;
  }
  return verifyTensorViewOp(op);
}

//===----------------------------------------------------------------------===//
// Scalar forms
//===----------------------------------------------------------------------===//

LogicalResult AddOp::verify() { return detail::verifyPointwiseOp(*this); }

Value AddOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  return b.binary<arith::AddFOp, arith::AddIOp>(operands);
}
