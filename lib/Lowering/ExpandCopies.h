//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernel IR of copies to circular buffers, and of the waits for them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDCOPIES_H
#define FUSER_LIB_LOWERING_EXPANDCOPIES_H

#include "ExpandReads.h"

namespace fuser {

/// Calls `build` where one thread of the block runs alone.
void runOnFirstThread(loop::KernelOp kernel, ExpandedKernel &expanded,
                      llvm::function_ref<void()> build);

class CopyExpander {
public:
  CopyExpander(loop::KernelOp kernel, ExpandedKernel &expanded, ExpandedBuffers &buffers,
               ExpandedReads &reads)
      : kernel(kernel), expanded(expanded), buffers(buffers), reads(reads),
        builder(expanded.getBuilder()), index(expanded.getIndex()) {}

  /// Of step `copy`, `bulk` or `store`.
  void expand(loop::TileOp tile);
  void expand(loop::CommitCopiesOp commit);
  void expand(loop::WaitCopiesOp wait);
  void expand(loop::WaitStoresOp wait);
  void expand(loop::InitPhasesOp init);
  void expand(loop::WaitPhaseOp wait);
  void expand(loop::AcquireOp acquire);
  void expand(loop::ReleaseOp release);

private:
  void expandBulk(loop::TileOp tile);
  void expandBox(loop::TileOp tile);
  void expandStore(loop::TileOp tile);
  llvm::SmallVector<mlir::Value> getCoordinates(loop::TileOp tile);
  mlir::Value countElements(loop::TileOp tile);

  loop::KernelOp kernel;
  ExpandedKernel &expanded;
  ExpandedBuffers &buffers;
  ExpandedReads &reads;
  mlir::OpBuilder &builder;
  IndexBuilder &index;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDCOPIES_H
