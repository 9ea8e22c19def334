//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which blocks see the results of reductions over blocks.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_GRIDRESULTS_H
#define FUSER_LIB_LOWERING_GRIDRESULTS_H

#include "LoopNest.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {

/// A reduction over blocks is finished by the last block to arrive, and what is computed from its
/// result in registers or shared memory is valid in that block only. Nobody has to wait for that.
/// Where it is not enough, every block gets the result, and all blocks wait for each other:
///
/// - its id runs over those blocks in a consumer too;
/// - a consumer combines results whose last blocks may differ;
/// - a consumer lies outside of a loop that the reduction is finished in, as each iteration has a
///   last block of its own.
class GridResults {
public:
  /// `isSplit` tells which types of block the grid has more than one of.
  GridResults(const LoopNest &nest, llvm::function_ref<bool(ParallelType)> isSplit);

  /// The types of block that an op reduces over, in ascending order; none where it does not.
  llvm::ArrayRef<ParallelType> getReducedTypes(mlir::Operation *op) const;
  /// True where every block needs the result of a reduction over blocks.
  bool isWantedEverywhere(mlir::Operation *reduction) const { return wanted.contains(reduction); }
  /// The reduction in whose last block the op's value is valid; null where it is in all.
  mlir::Operation *getSource(mlir::Operation *op) const { return sources.lookup(op); }

private:
  bool propagate(const LoopNest &nest, const ScheduledOp &scheduled);

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ParallelType>> reduced;
  llvm::SmallPtrSet<mlir::Operation *, 4> wanted;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> sources;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_GRIDRESULTS_H
