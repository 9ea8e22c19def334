//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowParts.h"
#include "fuser/Scheduling/KernelSchedule.h"

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

int64_t fuser::getVectorOfParts(const KernelView &kernel, const Requirements &requirements,
                                ArrayRef<unsigned> columns, int64_t bytes) {
  int64_t vector = requirements.getVectorWidth(columns, bytes);
  forEachPart(kernel, columns, [&](ArrayRef<unsigned> own, const ClassResize &resize) {
    vector = std::min(vector, requirements.getVectorWidth(own, bytes));
    if (resize.before != 0)
      vector = std::min<int64_t>(vector, resize.before & -resize.before);
  });
  return vector;
}

void fuser::requireVectorOfParts(const KernelView &kernel, Requirements &requirements,
                                 ArrayRef<unsigned> columns, int64_t vector) {
  requirements.requireVectorWidth(columns, vector);
  forEachPart(kernel, columns, [&](ArrayRef<unsigned> own, const ClassResize &) {
    requirements.requireVectorWidth(own, vector);
  });
}
