//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWTHREADS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWTHREADS_H

#include "RowFit.h"
#include "fuser/Scheduling/KernelView.h"
#include "fuser/Scheduling/SizeHints.h"

namespace fuser {

/// Fewer threads for rows of `row` elements that share a warp, with more elements each, while
/// instructions take longer than memory: what is computed of a row as a whole, its exchanges and
/// its addresses repeat in each of its threads. For kernels of a known number of rows that store
/// none of them, since the stores of a thread would be apart.
RowFit fitArithmetic(const KernelView &kernel, const SizeHints &hints,
                     const artifact::DeviceDescription &device, const RowElements &elements,
                     int64_t row, RowFit fit);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWTHREADS_H
