//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix instructions: kernel IR of the tiles that use them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDMATRICES_H
#define FUSER_LIB_LOWERING_EXPANDMATRICES_H

#include "ExpandReads.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

namespace fuser {

class ExpandedMatrices {
public:
  ExpandedMatrices(ExpandedKernel &expanded, ExpandedBuffers &buffers, ExpandedReads &reads)
      : expanded(expanded), buffers(buffers), reads(reads), builder(expanded.getBuilder()) {}

  void expand(loop::TileOp tile);
  void expand(loop::CommitProductsOp commit);
  void expand(loop::WaitProductsOp wait);
  void expand(loop::FenceAsyncOp fence);
  /// Shared memory may change, or the scope of the builder.
  void forget() {
    loaded.clear();
    hasFence = false;
  }

private:
  mlir::Value load(loop::TileOp tile, unsigned operand, int64_t count, bool isTransposed);
  void expandGroup(loop::TileOp tile, kernel_ir::WgmmaAttr wgmma);
  void expandStore(loop::TileOp tile, kernel_ir::StMatrixAttr store);

  ExpandedKernel &expanded;
  ExpandedBuffers &buffers;
  ExpandedReads &reads;
  mlir::OpBuilder &builder;
  /// Products of warp groups see what was in their accumulators.
  bool hasFence = false;
  /// What several instructions use, by operand, memory and offset.
  struct Key {
    unsigned operand;
    mlir::Value memory, offset;
  };
  llvm::SmallVector<std::pair<Key, mlir::Value>> loaded;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDMATRICES_H
