//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlining: a fusion becomes a kernel and the host function that launches it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_OUTLINEKERNELS_H
#define FUSER_SEGMENTATION_OUTLINEKERNELS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// What one fusion became.
struct OutlinedFusion {
  HostOp host;
  /// Null where every output is an argument.
  KernelOp kernel;
  /// Outputs that are arguments and had to be copied.
  unsigned numCopies = 0;
};

/// Replaces `fusion` by one kernel and a host function that takes over its name; see
/// `fuser-outline-kernels` for what goes where. `symbols` is the table of the module around it.
/// Fails with a diagnostic at the fusion or at one of its ops, and leaves the fusion as it was.
mlir::FailureOr<OutlinedFusion> outlineFusion(FusionOp fusion, mlir::SymbolTable &symbols);

} // namespace fuser

#endif // FUSER_SEGMENTATION_OUTLINEKERNELS_H
