//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads at an offset in kernels whose loops are those of one output.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "fuser/Scheduling/Requirements.h"

#include <numeric>

using namespace mlir;
using namespace fuser;

std::optional<Refusal> fuser::checkReads(const KernelView &kernel, ArrayRef<unsigned> reference) {
  auto refuse = [](TensorViewOpInterface op, const std::string &sentence) {
    return Refusal{RefusalCategory::Structure,
                   kUnsupportedOp,
                   {op},
                   sentence + ", but '" + op->getName().getStringRef().str() + "' does not"};
  };
  auto refuseAlone = [&](TensorViewOpInterface op) {
    Refusal refusal = refuse(op, "expected ops that compute each element from one of each operand");
    cutBefore(op, refusal.cuts);
    cutBehind(op, refusal.cuts);
    return refusal;
  };
  auto refuseOperand = [&](OpOperand &operand, const std::string &sentence) {
    Refusal refusal = refuse(cast<TensorViewOpInterface>(operand.getOwner()), sentence);
    refusal.cuts.push_back(&operand);
    return refusal;
  };
  if (std::optional<Refusal> refusal = checkReshapes(kernel))
    return refusal;
  for (TensorViewOpInterface op : kernel.getOps()) {
    if (!isa<ElementwiseOpInterface>(op.getOperation()))
      return refuseAlone(op);
    if (kernel.isSimple(op))
      continue;
    if (overwritesReadArgument(kernel.getKernel()))
      return refuse(op, "expected ops that read at their own index where an input is overwritten");
    auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
    for (OpOperand &operand : op->getOpOperands())
      for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
        bool moved = map.kind == DimMap::Kind::Resized || map.kind == DimMap::Kind::Indirect;
        if (moved && !isa<BlockArgument>(operand.get()) &&
            !isMovedAlong(kernel, reference, op, operand, dim, map))
          return refuseOperand(
              operand, "expected ops that read computed operands at one constant offset, in "
                       "dimensions of more than one element");
      }
  }
  return std::nullopt;
}

std::optional<Refusal> fuser::checkOutputs(const KernelView &kernel, ArrayRef<unsigned> reference) {
  for (const GlobalTensor &tensor : kernel.getTensors())
    for (unsigned dimClass : tensor.order)
      for (size_t steps = 0; tensor.isOutput && steps < kernel.getResizes().size(); ++steps) {
        const ClassResize *resize = kernel.getResize(dimClass);
        if (!resize || llvm::is_contained(reference, dimClass))
          break;
        if (resize->before < 0 || resize->after < 0) {
          Refusal refusal{RefusalCategory::Structure,
                          kUncoveredDimension,
                          {tensor.value.getDefiningOp()},
                          "expected outputs that are read completely, but only a part of output " +
                              std::to_string(tensor.position) + " is"};
          cutBehind(tensor.value.getDefiningOp(), refusal.cuts);
          return refusal;
        }
        dimClass = resize->to;
      }
  return std::nullopt;
}

/// True where the output lacks a dimension of the reference, or a part of it.
static bool lacks(const KernelView &kernel, const GlobalTensor &output, unsigned dimClass,
                  ArrayRef<unsigned> reference) {
  return llvm::none_of(output.order, [&](unsigned own) {
    return findInReference(kernel, own, reference) == dimClass &&
           kernel.hasLoops(output.value, own);
  });
}

SmallVector<LackedDim> fuser::getLacked(const KernelView &kernel, ArrayRef<unsigned> reference) {
  SmallVector<LackedDim> lacked;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (Operation *op = tensor.isOutput ? tensor.value.getDefiningOp() : nullptr)
      for (unsigned dimClass : reference)
        if (lacks(kernel, tensor, dimClass, reference))
          lacked.push_back({dimClass, kernel.getNumber(cast<TensorViewOpInterface>(op))});
  return lacked;
}

void fuser::forEachResizedColumns(
    const KernelView &kernel, ArrayRef<unsigned> columns,
    function_ref<void(ArrayRef<unsigned>, const ClassResize &)> visit) {
  for (const ClassResize &resize : kernel.getResizes()) {
    unsigned target = findInReference(kernel, resize.from, columns);
    if (target == IdRelations::kNone || target == resize.from)
      continue;
    SmallVector<unsigned> resized(columns);
    std::replace(resized.begin(), resized.end(), target, resize.from);
    visit(resized, resize);
  }
}

std::optional<int64_t> fuser::getDistanceOfParts(const KernelView &kernel,
                                                 ArrayRef<unsigned> columns) {
  int64_t distance = 0;
  bool isSliced = false, isJoined = false;
  for (const IdRelations::Offset &offset : kernel.getClasses().getOffsets()) {
    const bool isColumn = llvm::is_contained(columns, offset.from);
    if (offset.before == 0 || offset.from == offset.to ||
        (!isColumn && findInReference(kernel, offset.from, columns) == IdRelations::kNone))
      continue;
    distance = std::gcd(distance, std::abs(offset.before));
    isSliced |= isColumn && offset.before < 0;
    isJoined |= !isColumn && offset.before > 0;
  }
  return isSliced && isJoined ? std::optional(distance) : std::nullopt;
}

SmallVector<OpOperand *> fuser::getMovedReads(const KernelView &kernel,
                                              ArrayRef<unsigned> reference) {
  SmallVector<OpOperand *> reads;
  for (TensorViewOpInterface op : kernel.getOps()) {
    auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BlockArgument>(operand.get()) || !isReadInPlace(operand))
        continue;
      bool isMoved = true;
      for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
        if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
          isMoved &= map.kind == DimMap::Kind::Resized &&
                     isMovedAlong(kernel, reference, op, operand, dim, map);
      if (isMoved)
        reads.push_back(&operand);
    }
  }
  return reads;
}
