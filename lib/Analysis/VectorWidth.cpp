//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vector widths from facts and from concrete buffers.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/VectorWidth.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

/// The largest power of two up to `limit` that divides `value`; everything divides 0.
static int64_t getPowerOfTwo(int64_t value, int64_t limit) {
  return value == 0 ? limit : std::min<int64_t>(limit, value & -value);
}

/// What the hardware and the base address allow.
static int64_t getWidthOfBase(int64_t alignment, int64_t elementBytes) {
  int64_t limit = std::min(kMaxVectorElements, kMaxVectorBytes / elementBytes);
  // Elements wider than a vector, or an odd number of bytes wide, are accessed one by one.
  if (limit < 1 || (elementBytes & (elementBytes - 1)) != 0)
    return 1;
  return getPowerOfTwo(std::max<int64_t>(1, alignment / elementBytes), limit);
}

int64_t fuser::getMaxVectorWidth(FunctionOpInterface program, const ExtentAnalysis &extents,
                                 unsigned argOrOutput, unsigned inner) {
  unsigned numArguments = program.getNumArguments();
  bool isOutput = argOrOutput >= numArguments;
  BufferLayout layout = isOutput
                            ? BufferLayout::ofOutput(program, extents, argOrOutput - numArguments)
                            : BufferLayout::ofArgument(program, extents, argOrOutput);
  if (inner > layout.getNumContiguous())
    return 1;
  Type type = isOutput ? program.getResultTypes()[argOrOutput - numArguments]
                       : program.getArgumentTypes()[argOrOutput];
  int64_t width = getWidthOfBase(extents.getPointerAlignment(argOrOutput),
                                 getElementBytes(getElementTypeOrSelf(type)));
  width = getPowerOfTwo(extents.getKnownDivisor(layout.getInnerExtent(inner)), width);
  for (const BufferDim &dim : layout.getDims().drop_back(inner)) {
    if (extents.getConstant(dim.extent) == 1)
      continue;
    if (!dim.stride)
      return 1;
    width = getPowerOfTwo(extents.getKnownDivisor(dim.stride), width);
  }
  return width;
}

int64_t fuser::getMaxVectorWidth(const BufferHint &hint, ArrayRef<int64_t> order,
                                 int64_t elementBytes, unsigned inner) {
  if (inner > order.size())
    return 1;
  int64_t width = getWidthOfBase(hint.alignment, elementBytes), elements = 1;
  for (auto [position, dim] : llvm::enumerate(llvm::reverse(order))) {
    if (hint.sizes[dim] == 1)
      continue;
    if (position >= inner)
      width = getPowerOfTwo(hint.strides[dim], width);
    else if (hint.strides[dim] != elements)
      return 1;
    if (position < inner)
      elements *= hint.sizes[dim];
  }
  return getPowerOfTwo(elements, width);
}
