//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowParts.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/MovedDims.h"

using namespace mlir;
using namespace fuser;

/// Visits the parts of rows that ops read: the columns with the dimension of the part in place of
/// the whole.
static void
forEachPart(const KernelView &kernel, ArrayRef<unsigned> columns,
            function_ref<void(ArrayRef<unsigned> columns, const ClassResize &resize)> visit) {
  for (const ClassResize &resize : kernel.getResizes()) {
    if (!llvm::is_contained(columns, resize.from) || findWhole(kernel, resize.to) != resize.from)
      continue;
    SmallVector<unsigned> own(columns);
    std::replace(own.begin(), own.end(), resize.from, resize.to);
    visit(own, resize);
  }
}

/// True if vectors of `width` columns are stored to the output, which is a value that is joined
/// with others to the columns. Where its end may be within a vector, elements are stored one by
/// one.
static bool isJoinedInVectors(const KernelView &kernel, const GlobalTensor &tensor,
                              ArrayRef<unsigned> columns, int64_t width) {
  if (!tensor.isOutput || tensor.order.empty() || columns.empty() || !tensor.contiguous.back())
    return false;
  const unsigned own = tensor.order.back();
  return own != columns.back() && findInReference(kernel, own, columns) == columns.back() &&
         kernel.getExtents().getKnownDivisor(kernel.getExtent(own)) % width == 0;
}

int64_t fuser::getVectorOfParts(const KernelView &kernel, const Requirements &requirements,
                                ArrayRef<unsigned> columns, int64_t bytes) {
  int64_t vector = requirements.getVectorWidth(columns, bytes);
  forEachPart(kernel, columns, [&](ArrayRef<unsigned> own, const ClassResize &resize) {
    vector = std::min(vector, requirements.getVectorWidth(own, bytes));
    if (resize.before != 0)
      vector = std::min<int64_t>(vector, resize.before & -resize.before);
  });
  for (const GlobalTensor &tensor : kernel.getTensors())
    while (vector > 1 && isJoinedInVectors(kernel, tensor, columns, vector) &&
           !requirements.mayBeAligned(tensor, vector))
      vector /= 2;
  return vector;
}

void fuser::requireVectorOfParts(const KernelView &kernel, Requirements &requirements,
                                 ArrayRef<unsigned> columns, int64_t vector) {
  requirements.requireVectorWidth(columns, vector);
  forEachPart(kernel, columns, [&](ArrayRef<unsigned> own, const ClassResize &) {
    requirements.requireVectorWidth(own, vector);
  });
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (vector > 1 && isJoinedInVectors(kernel, tensor, columns, vector))
      requirements.requireAlignment(tensor, vector);
}
