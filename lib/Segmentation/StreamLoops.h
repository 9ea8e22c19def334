//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlining of fusions whose values are distributed over streams: host loops (S4.8).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STREAMLOOPS_H
#define FUSER_LIB_SEGMENTATION_STREAMLOOPS_H

#include "fuser/Segmentation/OutlineKernels.h"

namespace fuser {

/// As `outlineFusion`, for a fusion that is distributed over streams (or over meshes of one
/// device): ops with the same stream share a `fuser.for`, whose body launches each kernel on the
/// iteration's part of each buffer. A value that only the same iteration reads is allocated in the
/// loop, every other value as a whole before it. Loops run one after the other.
///
/// If it is unknown whether the streams divide an argument's size, this becomes a fact of the
/// fusion, against which calls are checked. Fails with a diagnostic at an op that is distributed
/// over several devices, or cannot be distributed over its stream; then the module may already
/// contain kernels of earlier groups.
mlir::FailureOr<OutlinedFusion> outlineOverStreams(FusionOp fusion, const SizeHints &hints,
                                                   PartitionFunction partition,
                                                   mlir::SymbolTable &symbols);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STREAMLOOPS_H
