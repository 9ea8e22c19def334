//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inherent attributes of functions; return, call, set, segment_set, stride_order, library.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/CallBuffers.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/StructureOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Inherent attributes of functions
//===----------------------------------------------------------------------===//

LayoutAttr fuser::detail::getArgLayout(Operation *function, unsigned arg) {
  if (auto layouts = function->getAttrOfType<ArrayAttr>("arg_layouts"))
    if (auto layout = dyn_cast<LayoutAttr>(layouts[arg]))
      return layout;
  auto type =
      dyn_cast<RankedTensorType>(cast<FunctionOpInterface>(function).getArgument(arg).getType());
  return LayoutAttr::getRowMajor(function->getContext(), type ? type.getRank() : 0);
}

/// Replaces element `index` of an array attribute of `size` elements; the attribute is removed once
/// all elements are unit.
static void setElement(Operation *op, StringRef name, unsigned size, unsigned index,
                       Attribute value) {
  Attribute unit = UnitAttr::get(op->getContext());
  SmallVector<Attribute> elements(size, unit);
  if (auto old = op->getAttrOfType<ArrayAttr>(name))
    elements.assign(old.begin(), old.end());
  elements[index] = value ? value : unit;
  if (llvm::all_of(elements, [&](Attribute element) { return element == unit; }))
    op->removeAttr(name);
  else
    op->setAttr(name, ArrayAttr::get(op->getContext(), elements));
}

void fuser::detail::setArgLayout(Operation *function, unsigned arg, LayoutAttr layout) {
  setElement(function, "arg_layouts", cast<FunctionOpInterface>(function).getNumArguments(), arg,
             layout && layout.isRowMajorContiguous() ? Attribute() : Attribute(layout));
}

std::optional<ArrayRef<int64_t>> fuser::detail::getOutputStrideOrder(Operation *function,
                                                                     unsigned output) {
  if (auto orders = function->getAttrOfType<ArrayAttr>("output_orders"))
    if (auto order = dyn_cast<DenseI64ArrayAttr>(orders[output]))
      return order.asArrayRef();
  return std::nullopt;
}

void fuser::detail::setOutputStrideOrder(Operation *function, unsigned output,
                                         std::optional<ArrayRef<int64_t>> order) {
  Attribute value = order ? DenseI64ArrayAttr::get(function->getContext(), *order) : Attribute();
  setElement(function, "output_orders", cast<FunctionOpInterface>(function).getNumResults(), output,
             value);
}

DomainAttr fuser::detail::getArgDomain(Operation *function, unsigned arg) {
  if (auto domains = function->getAttrOfType<ArrayAttr>("arg_domains"))
    if (auto domain = dyn_cast<DomainAttr>(domains[arg]))
      return domain;
  auto type =
      cast<RankedTensorType>(cast<FunctionOpInterface>(function).getArgument(arg).getType());
  SmallVector<IdKind> kinds = llvm::map_to_vector(type.getShape(), [](int64_t size) {
    return size == 1 ? IdKind::Broadcast : IdKind::Iteration;
  });
  return DomainAttr::get(function->getContext(), kinds);
}

void fuser::detail::setArgDomain(Operation *function, unsigned arg, DomainAttr domain) {
  setElement(function, "arg_domains", cast<FunctionOpInterface>(function).getNumArguments(), arg,
             domain);
}

//===----------------------------------------------------------------------===//
// return, call
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto function = cast<FunctionOpInterface>((*this)->getParentOp());
  if (getValues().size() != function.getNumResults())
    return emitOpError("expected ")
           << function.getNumResults() << " outputs, but got " << getValues().size();
  for (auto [index, value, type] : llvm::enumerate(getValues(), function.getResultTypes()))
    if (value.getType() != type)
      return emitOpError("expected output ")
             << index << " of type " << type << ", but got " << value.getType();
  return success();
}

/// The host function that a fusion became has its types. The layout of its buffers follows from its
/// body, so that a call on buffers states their shapes.
static LogicalResult verifyCallOfHost(CallOp call, HostOp host) {
  auto check = [&](StringRef what, TypeRange have, TypeRange want) -> LogicalResult {
    if (have.size() != want.size())
      return call.emitOpError("expected ") << want.size() << " " << what << "s for @"
                                           << host.getSymName() << ", but got " << have.size();
    for (auto [index, a, b] : llvm::enumerate(have, want)) {
      auto buffer = dyn_cast<MemRefType>(a);
      auto tensor = dyn_cast<RankedTensorType>(b);
      bool same = buffer && tensor && buffer.getShape() == tensor.getShape() &&
                  buffer.getElementType() == tensor.getElementType();
      if (a != b && !same)
        return call.emitOpError("expected ")
               << what << " " << index << " of type " << b << ", but got " << a;
    }
    return success();
  };
  if (failed(check("operand", call.getOperandTypes(), host.getArgumentTypes())))
    return failure();
  return check("result", call.getResultTypes(), host.getResultTypes());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // ST9
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (auto host = dyn_cast_or_null<HostOp>(callee))
    return verifyCallOfHost(*this, host);
  auto fusion = dyn_cast_or_null<FusionOp>(callee);
  if (!fusion)
    return emitOpError("expected a fusion named ") << getCalleeAttr() << ", but there is none";
  // On buffers, with the types that facts and requirements determine.
  auto check = [&](StringRef what, TypeRange have, TypeRange want,
                   MemRefType (*getBufferType)(FusionOp, unsigned)) -> LogicalResult {
    if (have.size() != want.size())
      return emitOpError("expected ") << want.size() << " " << what << "s for " << getCalleeAttr()
                                      << ", but got " << have.size();
    for (auto [index, a, b] : llvm::enumerate(have, want))
      if (a != b) {
        MemRefType buffer = isa<MemRefType>(a) && isa<RankedTensorType>(b)
                                ? getBufferType(fusion, index)
                                : MemRefType();
        if (buffer && a == buffer)
          continue;
        auto error = emitOpError("expected ") << what << " " << index << " of type " << b;
        if (buffer)
          error << " or " << buffer;
        return error << ", but got " << a;
      }
    return success();
  };
  if (failed(check("operand", getOperandTypes(), fusion.getArgumentTypes(), getArgumentBufferType)))
    return failure();
  return check("result", getResultTypes(), fusion.getResultTypes(), getOutputBufferType);
}

//===----------------------------------------------------------------------===//
// set, segment_set, stride_order
//===----------------------------------------------------------------------===//

SmallVector<IdKind> SetOp::getRootKinds() { return detail::getKindsOfResult(*this); }
SmallVector<DimMap> SetOp::getDimMaps(unsigned operandNumber) {
  return detail::getIdentityDimMaps(*this, operandNumber);
}
Value SetOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

SmallVector<IdKind> SegmentSetOp::getRootKinds() { return detail::getKindsOfResult(*this); }
SmallVector<DimMap> SegmentSetOp::getDimMaps(unsigned operandNumber) {
  return detail::getIdentityDimMaps(*this, operandNumber);
}
Value SegmentSetOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

SmallVector<IdKind> StrideOrderOp::getRootKinds() { return detail::getKindsOfResult(*this); }
SmallVector<DimMap> StrideOrderOp::getDimMaps(unsigned operandNumber) {
  return detail::getIdentityDimMaps(*this, operandNumber);
}
Value StrideOrderOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

LogicalResult StrideOrderOp::verify() {
  // ST10
  if (!isStrideOrder(getOrder(), getType().getRank()))
    return emitOpError("expected 'order' to be a permutation of ")
           << getType().getRank() << " dimensions, but got [" << getOrder() << "]";
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// library
//===----------------------------------------------------------------------===//

SmallVector<IdKind> LibraryOp::getRootKinds() { return detail::getKindsOfResult(*this); }

/// The access pattern of the routine is unknown.
SmallVector<DimMap> LibraryOp::getDimMaps(unsigned operandNumber) {
  auto type = dyn_cast<RankedTensorType>(getOperand(operandNumber).getType());
  return SmallVector<DimMap>(type ? type.getRank() : 0, DimMap::whole());
}

SmallVector<AffineExpr> LibraryOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>>,
                                                    function_ref<AffineExpr(Value)> symbolOf) {
  auto type = cast<RankedTensorType>(getResult(0).getType());
  return detail::getExtentsFromSizes(type.getShape(), getSizes(), symbolOf, getContext());
}

DictionaryAttr LibraryOp::getRoutineOptions() { return getOptionsAttr(); }

LogicalResult LibraryOp::verify() {
  // ST11
  if (getNumResults() == 0)
    return emitOpError("expected at least one result, but got none");
  auto first = cast<RankedTensorType>(getResult(0).getType());
  for (Value result : getResults())
    if (cast<RankedTensorType>(result.getType()).getShape() != first.getShape())
      return emitOpError("expected results of the shape of ")
             << first << ", but got " << result.getType();
  if (failed(detail::verifyDynamicSizes(*this, getSizes(), first.getShape(), "sizes")))
    return failure();
  return detail::verifyTensorViewOp(*this);
}

LogicalResult SetOp::verify() { return fuser::detail::verifyTensorViewOp(*this); }
LogicalResult SegmentSetOp::verify() { return fuser::detail::verifyTensorViewOp(*this); }

void SegmentSetOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // The effect is unconditional: two boundaries at one value must not be merged, and an unused one
  // still requests a boundary.
  effects.emplace_back(MemoryEffects::Write::get(), ScheduleResource::get());
}
