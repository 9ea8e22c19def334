//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts layout facts and requirements to types of buffers.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/CallBuffers.h"

using namespace mlir;
using namespace fuser;

/// A buffer with its dimensions in `order`, slowest first; `isDense(position)` is true if the
/// stride there is the product of the faster sizes.
static MemRefType getBufferType(RankedTensorType type, ArrayRef<int64_t> order,
                                llvm::function_ref<bool(int64_t)> isDense) {
  SmallVector<int64_t> strides(type.getRank());
  int64_t dense = 1;
  bool rowMajor = llvm::is_sorted(order);
  for (int64_t position = type.getRank(); position-- > 0;) {
    int64_t dim = order[position];
    strides[dim] = isDense(position) ? dense : ShapedType::kDynamic;
    rowMajor &= isDense(position);
    if (ShapedType::isDynamic(dense) || type.isDynamicDim(dim))
      dense = ShapedType::kDynamic;
    else
      dense *= type.getDimSize(dim);
  }
  if (rowMajor)
    return MemRefType::get(type.getShape(), type.getElementType());
  return MemRefType::get(type.getShape(), type.getElementType(),
                         StridedLayoutAttr::get(type.getContext(), 0, strides));
}

MemRefType fuser::getArgumentBufferType(FusionOp fusion, unsigned argument) {
  LayoutAttr layout = fusion.getArgLayout(argument);
  return getBufferType(cast<RankedTensorType>(fusion.getArgumentTypes()[argument]),
                       layout.getOrder(),
                       [&](int64_t position) { return layout.isContiguousAt(position); });
}

MemRefType fuser::getOutputBufferType(FusionOp fusion, unsigned output) {
  if (fusion.getAliases())
    for (auto alias : fusion.getAliases()->getAsRange<AliasAttr>())
      if (alias.getOutput() == output)
        return getArgumentBufferType(fusion, alias.getInput());
  auto type = cast<RankedTensorType>(fusion.getResultTypes()[output]);
  if (std::optional<ArrayRef<int64_t>> order = fusion.getOutputStrideOrder(output))
    return getBufferType(type, *order, [](int64_t) { return true; });
  if (type.getRank() == 0)
    return MemRefType::get({}, type.getElementType());
  SmallVector<int64_t> unknown(type.getRank(), ShapedType::kDynamic);
  return MemRefType::get(type.getShape(), type.getElementType(),
                         StridedLayoutAttr::get(type.getContext(), 0, unknown));
}
