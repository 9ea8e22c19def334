//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The accessors of fuser.layout_hints, and the verifiers of it and of fuser.default_order.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/HostShapeOps.h"

using namespace mlir;
using namespace fuser;

bool fuser::isStrideOrder(ArrayRef<int64_t> order, int64_t rank) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, rank));
}

LayoutHintAttr fuser::getLayoutHint(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  auto hints = result.getOwner()->getAttrOfType<ArrayAttr>(kLayoutHintsName);
  return hints ? dyn_cast<LayoutHintAttr>(hints[result.getResultNumber()]) : LayoutHintAttr();
}

void fuser::setLayoutHint(OpResult result, LayoutHintAttr hint) {
  Operation *op = result.getOwner();
  Attribute unit = UnitAttr::get(op->getContext());
  SmallVector<Attribute> hints(op->getNumResults(), unit);
  if (auto old = op->getAttrOfType<ArrayAttr>(kLayoutHintsName))
    hints.assign(old.begin(), old.end());
  hints[result.getResultNumber()] = hint ? Attribute(hint) : unit;
  if (llvm::all_of(hints, [&](Attribute element) { return element == unit; }))
    op->removeDiscardableAttr(kLayoutHintsName);
  else
    op->setDiscardableAttr(kLayoutHintsName, ArrayAttr::get(op->getContext(), hints));
}

void fuser::dropLayoutHint(OpResult result) {
  auto op = cast<TensorViewOpInterface>(result.getOwner());
  setLayoutHint(result, {});
  op.setDomain(op.getTrivialDomain(result.getResultNumber()), result.getResultNumber());
}

LogicalResult fuser::detail::verifyLayoutHints(Operation *op, Attribute attribute) {
  // HT1
  auto hints = dyn_cast<ArrayAttr>(attribute);
  if (!hints || hints.size() != op->getNumResults() ||
      llvm::any_of(hints, [](Attribute hint) { return !isa<LayoutHintAttr, UnitAttr>(hint); }))
    return op->emitOpError("expected '")
           << kLayoutHintsName << "' to hold one #fuser.layout_hint or unit for each of "
           << op->getNumResults() << " results, but got " << attribute;
  // HT2
  for (auto [index, element, type] : llvm::enumerate(hints, op->getResultTypes())) {
    auto hint = dyn_cast<LayoutHintAttr>(element);
    if (!hint)
      continue;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !isStrideOrder(hint.getOrder(), tensor.getRank()))
      return op->emitOpError("expected the layout hint of result ")
             << index << " to be a permutation of the dimensions of " << type << ", but got ["
             << hint.getOrder() << "]";
  }
  return success();
}

LogicalResult fuser::detail::verifyDefaultOrder(Operation *op, Attribute attribute) {
  // DO1
  if (!isa<AllocOp>(op))
    return op->emitOpError("expected '")
           << kDefaultOrderName << "' on a 'fuser.alloc', but got it on '" << op->getName() << "'";
  if (!isa<UnitAttr>(attribute))
    return op->emitOpError("expected '")
           << kDefaultOrderName << "' to be a unit attribute, but got " << attribute;
  return success();
}
