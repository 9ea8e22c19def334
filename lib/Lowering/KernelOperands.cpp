//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Ids/LargeValues.h"

using namespace mlir;
using namespace fuser;

LayoutAttr fuser::getOutputLayout(KernelOp kernel, unsigned output) {
  LayoutInfo info(kernel);
  if (std::optional<unsigned> alias = info.getAlias(output))
    return kernel.getArgLayout(*alias);
  return LayoutAttr::get(kernel.getContext(), info.getOutputOrder(output).order,
                         ArrayRef<int64_t>());
}

llvm::SmallDenseSet<int64_t> fuser::getWrittenInputs(KernelOp kernel) {
  llvm::SmallDenseSet<int64_t> written;
  if (auto aliases = kernel.getAliases())
    for (AliasAttr alias : aliases->getAsRange<AliasAttr>())
      if (!isOnlyPlace(kernel.getArgument(alias.getInput())))
        written.insert(alias.getInput());
  return written;
}

Type fuser::getStorageType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return ElementBuilder::getRegisterType(element);
}

//===----------------------------------------------------------------------===//
// Width of indices
//===----------------------------------------------------------------------===//

/// What 32 bits address, with room for the last tiles.
static constexpr int64_t kMax32BitElements =
    std::numeric_limits<int32_t>::max() - (int64_t(1) << 24);

bool fuser::fitsIn32Bits(KernelOp kernel, const ExtentAnalysis &extents) {
  SmallVector<Value> ends(kernel.getArguments());
  llvm::append_range(ends, kernel.getBody().front().getTerminator()->getOperands());
  for (auto [number, value] : llvm::enumerate(ends)) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    // An argument that nothing reads is but a place for an output.
    auto argument = dyn_cast<BlockArgument>(value);
    if (!tensor || (argument && isOnlyPlace(argument)))
      continue;
    std::optional<int64_t> bound = extents.getElementsAtMost(number);
    // The strides of an output in a part of a buffer are those of the buffer.
    const bool isStrided =
        number >= kernel.getNumArguments() &&
        !getOutputLayout(kernel, number - kernel.getNumArguments()).getStrided().empty();
    if (!bound && !isStrided && tensor.hasStaticShape())
      bound = tensor.getNumElements();
    if (!bound || *bound > kMax32BitElements)
      return false;
  }
  return findLargeValues(kernel, extents, kMax32BitElements).empty();
}
