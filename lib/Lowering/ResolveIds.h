//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared loops of ops, and the resolutions of broadcasts in them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_RESOLVEIDS_H
#define FUSER_LIB_LOWERING_RESOLVEIDS_H

#include "ScheduledOp.h"

namespace fuser {

/// Writes `fuser_gpu.ids` on all ops of a kernel. Fails with a diagnostic if inline positions
/// contradict each other, or if no index of a shared loop is legal for a broadcast.
mlir::LogicalResult resolveIds(KernelOp kernel, const ExtentAnalysis &extents);

/// True if all ops of the kernel have `fuser_gpu.ids`.
bool hasResolvedIds(KernelOp kernel);

/// Reads `fuser_gpu.ids` of an op. Returns the number of the loop of each loop id; fails with a
/// diagnostic if the attribute does not match the op's domain.
mlir::FailureOr<llvm::ArrayRef<int64_t>> readResolvedIds(ScheduledOp &scheduled,
                                                         const ExtentAnalysis &extents);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_RESOLVEIDS_H
