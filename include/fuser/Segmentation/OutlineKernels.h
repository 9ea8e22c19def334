//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlining of a fusion to kernels and the host function that launches them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_OUTLINEKERNELS_H
#define FUSER_SEGMENTATION_OUTLINEKERNELS_H

#include "fuser/Scheduling/LaunchBatch.h"
#include "fuser/Segmentation/Partition.h"

namespace fuser {

/// The result of outlining one fusion.
struct OutlinedFusion {
  HostOp host;
  /// One for each segment that has computation, in execution order.
  llvm::SmallVector<KernelOp> kernels;
  /// What was predicted of each kernel; nullopt: its segment was not queried.
  llvm::SmallVector<std::optional<KernelEstimate>> estimates;
  /// Outputs that had to be copied: arguments, and outputs that no kernel could write in place.
  unsigned numCopies = 0;
};

/// Replaces `fusion` by one kernel for each segment and a host function that takes over its name;
/// `fuser-segment-fusions` describes the host function. `symbols` is the table of the module around
/// it, `analysis` that of the fusion. Known `hints` become those of the kernels. Fails with a
/// diagnostic at the fusion or at one of its ops, and leaves the fusion unchanged.
mlir::FailureOr<OutlinedFusion> outlineFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                              const Partition &partition, const SizeHints &hints,
                                              mlir::SymbolTable &symbols);

/// Partitions the ops of a fusion into segments.
using PartitionFunction = llvm::function_ref<mlir::FailureOr<Partition>(
    FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints)>;

/// Calls `partition`, then outlines. For a fusion that is distributed over streams, `partition` is
/// called for each group of ops with the same stream; each iteration of a `fuser.for` computes a
/// part of the group (S4.8). Also fails at an op that is distributed over several devices.
mlir::FailureOr<OutlinedFusion> outlineFusion(FusionOp fusion, const SizeHints &hints,
                                              PartitionFunction partition,
                                              mlir::SymbolTable &symbols);

} // namespace fuser

#endif // FUSER_SEGMENTATION_OUTLINEKERNELS_H
