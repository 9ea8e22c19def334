//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where an update of a kernel stores elements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_UPDATESHAPE_H
#define FUSER_SCHEDULING_UPDATESHAPE_H

#include "fuser/Scheduling/KernelView.h"

namespace fuser {

/// Next to dimensions of what is stored, from slowest to fastest.
struct UpdateShape {
  /// The position of the dimension along which indices are data; their number if it is none of
  /// them.
  unsigned position;
  /// The dimensions of the updated value along this one and faster ones: elements with one index
  /// along all slower ones are stored in them.
  llvm::SmallVector<unsigned> dims;
};

UpdateShape getUpdateShape(const KernelView &kernel, UpdateOpInterface update,
                           llvm::ArrayRef<unsigned> order);

} // namespace fuser

#endif // FUSER_SCHEDULING_UPDATESHAPE_H
