//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dimensions of buffers between the ops of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BUFFERIDS_H
#define FUSER_LIB_LOWERING_BUFFERIDS_H

#include "ScheduledOp.h"

namespace fuser {

/// The ids whose indices lead to an element of a value's buffer: its own loops right of the inline
/// position (registers: without those of blocks and threads; shared memory: without those of
/// blocks), or, in shared memory, an explicit allocation domain without what is fixed there.
llvm::SmallVector<unsigned> getBufferIds(const ScheduledOp &scheduled);

/// The ids that index a value that ops of a kernel share through global memory. It has one element
/// for all indices of a broadcast.
llvm::SmallVector<unsigned> getWorkspaceIds(const ScheduledOp &scheduled);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BUFFERIDS_H
