//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops: syntax, verification. Their scalar forms are in PointwiseElements.cpp.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/PointwiseOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Syntax: `a, b attr-dict : type` where all types are equal, else `: (types) -> type`.
//===----------------------------------------------------------------------===//

ParseResult fuser::detail::verifyParsedAttributes(OpAsmParser &parser, SMLoc loc,
                                                  OperationState &result) {
  return result.name.verifyInherentAttrs(result.attributes, [&] {
    return parser.emitError(loc) << "'" << result.name.getStringRef() << "' op ";
  });
}

ParseResult fuser::detail::parsePointwiseOp(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> operandTypes;
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      verifyParsedAttributes(parser, loc, result) || parser.parseColon())
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

/// PW1, PW2
static LogicalResult verifyShapes(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  // PW1
  if (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return op->emitOpError("expected at least one tensor operand, but got only scalars");
  // PW2
  llvm::SmallBitVector found(result.getRank());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    if (type.getRank() != result.getRank())
      return op->emitOpError("expected operand ")
             << operand.getOperandNumber() << " of rank " << result.getRank()
             << " like the result, but got rank " << type.getRank();
    for (auto [dim, size, want] : llvm::enumerate(type.getShape(), result.getShape())) {
      if (size != want && size != 1 && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(want))
        return op->emitOpError("expected dimension ")
               << dim << " of operand " << operand.getOperandNumber() << " to be " << want
               << " or 1, but got " << size;
      if (size != 1 || want == 1)
        found.set(dim);
    }
  }
  int missing = found.find_first_unset();
  if (missing >= 0)
    return op->emitOpError("expected an operand with the size of dimension ")
           << missing << " of the result (" << result << "), but all are of size 1";
  return success();
}

bool fuser::detail::computesInComplex(Operation *op) {
  auto isComplex = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && isa<ComplexType>(tensor.getElementType());
  };
  return llvm::any_of(op->getResultTypes(), isComplex) ||
         llvm::any_of(op->getOperandTypes(), isComplex);
}

Type fuser::detail::getPartType(Type element) {
  auto complexType = dyn_cast<ComplexType>(element);
  return complexType ? complexType.getElementType() : element;
}

static bool isOfClass(Type element, fuser::detail::ElementClass elements) {
  switch (elements) {
  case fuser::detail::ElementClass::Float:
    return isa<FloatType>(element);
  case fuser::detail::ElementClass::FloatOrComplex:
    return isa<FloatType, ComplexType>(element);
  case fuser::detail::ElementClass::Integer:
    return isa<IntegerType>(element);
  case fuser::detail::ElementClass::Number:
    return isa<FloatType, IntegerType>(element) && !element.isInteger(1);
  case fuser::detail::ElementClass::NumberOrComplex:
    return isa<FloatType, IntegerType, ComplexType>(element) && !element.isInteger(1);
  case fuser::detail::ElementClass::NumberOrBool:
    return isa<FloatType, IntegerType>(element);
  case fuser::detail::ElementClass::NumberOrBoolOrComplex:
    return isa<FloatType, IntegerType, ComplexType>(element);
  case fuser::detail::ElementClass::Complex:
    return isa<ComplexType>(element);
  case fuser::detail::ElementClass::ComplexPart:
    return element.isF32() || element.isF64();
  }
  llvm_unreachable("unknown class of elements");
}

static StringRef describe(fuser::detail::ElementClass elements) {
  switch (elements) {
  case fuser::detail::ElementClass::Float:
    return "a float";
  case fuser::detail::ElementClass::FloatOrComplex:
    return "a float or a complex number";
  case fuser::detail::ElementClass::Integer:
    return "an integer or bool";
  case fuser::detail::ElementClass::Number:
    return "a float or an integer that is no bool";
  case fuser::detail::ElementClass::NumberOrComplex:
    return "a float, a complex number or an integer that is no bool";
  case fuser::detail::ElementClass::NumberOrBool:
    return "a float or an integer";
  case fuser::detail::ElementClass::NumberOrBoolOrComplex:
    return "a float, a complex number or an integer";
  case fuser::detail::ElementClass::Complex:
    return "a complex number";
  case fuser::detail::ElementClass::ComplexPart:
    return "a float of 32 or 64 bits";
  }
  llvm_unreachable("unknown class of elements");
}

LogicalResult fuser::detail::verifyElementClass(Operation *op, Type element,
                                                ElementClass elements) {
  if (isOfClass(element, elements))
    return success();
  return op->emitOpError("expected ")
         << describe(elements) << " as element type, but got " << element;
}

/// PW3 of operands: one element type among `operands` (the first tensor's), which is `element` on
/// success; scalars convert to it.
static LogicalResult verifyOperandElements(Operation *op, MutableArrayRef<OpOperand> operands,
                                           Type &element) {
  for (OpOperand &operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    if (!element)
      element = type.getElementType();
    else if (element != type.getElementType())
      return op->emitOpError("expected operand ")
             << operand.getOperandNumber() << " with element type " << element << ", but got "
             << type.getElementType();
  }
  for (OpOperand &operand : operands) {
    Type type = operand.get().getType();
    if (isa<RankedTensorType>(type))
      continue;
    if (!element || isa<ComplexType>(element))
      continue;
    if (isa<ComplexType>(type) || (isa<FloatType>(type) && !isa<FloatType>(element)))
      return op->emitOpError("expected scalar operand ")
             << operand.getOperandNumber() << " to convert to " << element << ", but got " << type;
  }
  return success();
}

/// PW1 to PW4 for a result of the element type that `getResultElement` makes of the operands'.
static LogicalResult verifyElementwise(Operation *op, fuser::detail::ElementClass elements,
                                       function_ref<Type(Type)> getResultElement) {
  Type element, result = getElementTypeOrSelf(op->getResult(0).getType());
  if (failed(verifyShapes(op)) || failed(verifyOperandElements(op, op->getOpOperands(), element)))
    return failure();
  // PW4 comes first, because the result type may only exist for that class.
  if (failed(fuser::detail::verifyElementClass(op, element, elements)))
    return failure();
  // PW3
  if (Type expected = getResultElement(element); result != expected)
    return op->emitOpError("expected a result with element type ")
           << expected << ", but got " << result;
  return fuser::detail::verifyTensorViewOp(op);
}

LogicalResult fuser::detail::verifyPointwiseOp(Operation *op, ElementClass elements) {
  return verifyElementwise(op, elements, [](Type element) { return element; });
}

LogicalResult fuser::detail::verifyTestOp(Operation *op, ElementClass elements) {
  return verifyElementwise(op, elements,
                           [](Type element) { return IntegerType::get(element.getContext(), 1); });
}

LogicalResult fuser::detail::verifyPartOp(Operation *op, ElementClass elements) {
  return verifyElementwise(op, elements, getPartType);
}

LogicalResult fuser::detail::verifyMakeComplexOp(Operation *op) {
  return verifyElementwise(op, ElementClass::ComplexPart,
                           [](Type element) { return ComplexType::get(element); });
}

/// PW1, PW2, and PW4 for operand and result separately.
static LogicalResult verifyConversion(Operation *op, fuser::detail::ElementClass elements) {
  for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()})
    if (failed(fuser::detail::verifyElementClass(op, getElementTypeOrSelf(type), elements)))
      return failure();
  return verifyShapes(op);
}

LogicalResult fuser::detail::verifyCastOp(Operation *op) {
  if (failed(verifyConversion(op, ElementClass::NumberOrBoolOrComplex)))
    return failure();
  return verifyTensorViewOp(op);
}

LogicalResult fuser::detail::verifyBitcastOp(Operation *op) {
  if (failed(verifyConversion(op, ElementClass::NumberOrBool)))
    return failure();
  // PW7
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()),
       to = getElementTypeOrSelf(op->getResult(0).getType());
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return op->emitOpError("expected element types of one width, but got ")
           << from << " and " << to;
  return verifyTensorViewOp(op);
}

LogicalResult fuser::detail::verifyWhereOp(Operation *op) {
  // PW5
  Type condition = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!condition.isInteger(1))
    return op->emitOpError("expected a condition with element type i1, but got ") << condition;
  // PW3: if both choices are scalars, the result has their type.
  Type element, result = getElementTypeOrSelf(op->getResult(0).getType());
  if (llvm::none_of(op->getOperands().drop_front().getTypes(), llvm::IsaPred<RankedTensorType>))
    element = result;
  if (failed(verifyShapes(op)) ||
      failed(verifyOperandElements(op, op->getOpOperands().drop_front(), element)))
    return failure();
  if (result != element)
    return op->emitOpError("expected a result with element type ")
           << element << ", but got " << result;
  // PW4
  if (failed(verifyElementClass(op, element, ElementClass::NumberOrBoolOrComplex)))
    return failure();
  return verifyTensorViewOp(op);
}

RankedTensorType fuser::detail::inferPointwiseType(ValueRange operands, Type element) {
  RankedTensorType first;
  SmallVector<int64_t> shape;
  for (Value operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue;
    if (!first) {
      first = type;
      shape.assign(type.getShape().begin(), type.getShape().end());
      continue;
    }
    if (type.getRank() != first.getRank())
      continue; // the verifier refuses it
    for (auto [size, other] : llvm::zip(shape, type.getShape()))
      if (size == 1 || (ShapedType::isDynamic(size) && other != 1))
        size = other;
  }
  assert(first && "expected at least one tensor operand");
  return RankedTensorType::get(shape, element ? element : first.getElementType());
}
