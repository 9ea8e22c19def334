//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vectors of rows of which ops read parts.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWPARTS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWPARTS_H

#include "fuser/Scheduling/Requirements.h"

namespace fuser {

/// The widest vectors along the columns. A vector is either entirely in a part that an op reads or
/// entirely outside.
int64_t getVectorOfParts(const KernelView &kernel, const Requirements &requirements,
                         llvm::ArrayRef<unsigned> columns, int64_t bytes = 16);

/// Requires vectors along the columns, and along parts of them.
void requireVectorOfParts(const KernelView &kernel, Requirements &requirements,
                          llvm::ArrayRef<unsigned> columns, int64_t vector);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWPARTS_H
