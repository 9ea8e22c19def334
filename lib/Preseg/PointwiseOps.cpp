//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PointwiseOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

/// True if dimension i of each tensor operand is read at index i of the result, or (`broadcast`) at
/// 0.
static bool readsOwnIndex(DomainMappingOpInterface mapping, bool broadcast) {
  Operation *op = mapping.getOperation();
  auto rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    SmallVector<DimMap> maps = mapping.getDimMaps(operand.getOperandNumber());
    if (type.getRank() != rank || int64_t(maps.size()) != rank)
      return false;
    for (auto [dim, map] : llvm::enumerate(maps))
      if (map.id != dim ||
          (map.kind != DimMap::Kind::Mapped && !(broadcast && map.kind == DimMap::Kind::Broadcast)))
        return false;
  }
  return true;
}

static bool isPointwise(Operation *op, bool broadcast) {
  auto element = dyn_cast<ElementwiseOpInterface>(op);
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  if (!element || !mapping || op->getNumResults() != 1 || isa<SegmentSetOp, StrideOrderOp>(op) ||
      fuser::detail::isScheduled(op) || element.dependsOnIndex())
    return false;
  bool hasTensor = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (element.mayReadOutside(operand.getOperandNumber()))
      return false;
    hasTensor |= isa<RankedTensorType>(operand.get().getType());
  }
  if (!hasTensor || llvm::is_contained(mapping.getRootKinds(), IdKind::Expanded))
    return false;
  // Dimensions that are split or merged are not root ids.
  return readsOwnIndex(mapping, broadcast) &&
         cast<TensorViewOpInterface>(op).getTrivialDomain(0).getRoot().empty();
}

bool fuser::isPointwise(Operation *op) { return ::isPointwise(op, /*broadcast=*/true); }
bool fuser::isPointwiseOnEqualShapes(Operation *op) {
  return ::isPointwise(op, /*broadcast=*/false);
}

Value fuser::getOnlyTensorOperand(Operation *op) {
  Value tensor;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (tensor && tensor != operand)
      return {};
    tensor = operand;
  }
  return tensor;
}

Value fuser::clonePointwise(RewriterBase &rewriter, Operation *op, ValueRange operands,
                            ArrayRef<int64_t> shape) {
  Operation *copy = rewriter.clone(*op);
  copy->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
  copy->setOperands(operands);
  Value result = copy->getResult(0);
  result.setType(cast<RankedTensorType>(result.getType()).clone(shape));
  return result;
}

Value fuser::castElements(OpBuilder &builder, Location loc, Value value, Type type) {
  if (getElementTypeOrSelf(value.getType()) == type)
    return value;
  return CastOp::create(builder, loc, type, value);
}

Value fuser::buildIndices(OpBuilder &builder, Location loc, RankedTensorType type, Value start,
                          Value length, int64_t dim, int64_t rank) {
  Value one = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  Value indices = IotaOp::create(builder, loc, type, start, one, length, ArrayAttr(), MemoryAttr(),
                                 IntegerAttr());
  SmallVector<int64_t> others = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  llvm::erase(others, dim);
  return others.empty() ? indices : BroadcastOp::create(builder, loc, indices, others);
}
