//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlining: a fusion becomes kernels and the host function that launches them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_OUTLINEKERNELS_H
#define FUSER_SEGMENTATION_OUTLINEKERNELS_H

#include "fuser/Segmentation/Partition.h"

namespace fuser {

/// What one fusion became.
struct OutlinedFusion {
  HostOp host;
  /// One for each segment that computes something, in the order in which they run.
  llvm::SmallVector<KernelOp> kernels;
  /// Outputs that had to be copied: arguments, and what no kernel could write in place.
  unsigned numCopies = 0;
};

/// Replaces `fusion` by one kernel for each segment and a host function that takes over its name;
/// see `fuser-segment-fusions` for what goes where. `symbols` is the table of the module around it,
/// `analysis` that of the fusion. Known `hints` become those of the kernels. Fails with a
/// diagnostic at the fusion or at one of its ops, and leaves the fusion as it was.
mlir::FailureOr<OutlinedFusion> outlineFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                              const Partition &partition, const SizeHints &hints,
                                              mlir::SymbolTable &symbols);

/// Decides which ops of a fusion run together.
using PartitionFunction = llvm::function_ref<mlir::FailureOr<Partition>(
    FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints)>;

/// Asks `partition` what runs together, then outlines. In a fusion that runs over streams it is
/// asked about each group of ops with one stream, of which each iteration of a `fuser.for` computes
/// a part (spec S4.8). Fails also at an op that is spread over several devices.
mlir::FailureOr<OutlinedFusion> outlineFusion(FusionOp fusion, const SizeHints &hints,
                                              PartitionFunction partition,
                                              mlir::SymbolTable &symbols);

} // namespace fuser

#endif // FUSER_SEGMENTATION_OUTLINEKERNELS_H
