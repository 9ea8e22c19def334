//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlining of fusions whose values run over streams: host loops (spec S4.8).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STREAMLOOPS_H
#define FUSER_LIB_SEGMENTATION_STREAMLOOPS_H

#include "fuser/Segmentation/OutlineKernels.h"

namespace fuser {

/// As `outlineFusion`, for a fusion that is distributed over streams (or over meshes of one
/// device): ops with one stream share a `fuser.for`, in whose body each kernel is launched on the
/// part of each buffer that belongs to the iteration. A value that only the same iteration reads is
/// allocated in the loop, every other one before it, whole. Loops run one after the other.
///
/// Where nobody knows that the streams divide an argument's size, that becomes a fact of the
/// fusion, which calls are checked for. Fails with a diagnostic at an op that is spread over
/// several devices, or cannot run over its stream; then kernels of earlier groups may be in the
/// module already.
mlir::FailureOr<OutlinedFusion> outlineOverStreams(FusionOp fusion, const SizeHints &hints,
                                                   PartitionFunction partition,
                                                   mlir::SymbolTable &symbols);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STREAMLOOPS_H
