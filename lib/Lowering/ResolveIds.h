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

/// The ops of a kernel with what `fuser_gpu.ids` says of them.
struct ResolvedOps {
  ScheduledOps ops;
  /// True if it is known that all shared loops correspond (verifyInlinePositions).
  bool loopsCorrespond;
};

/// Reads `fuser_gpu.ids`; where ops have no such attribute, it is computed as `resolveIds` does,
/// and not written. Fails with a diagnostic.
mlir::FailureOr<ResolvedOps> getResolvedOps(KernelOp kernel, const ExtentAnalysis &extents);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_RESOLVEIDS_H
