//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which blocks need the results of reductions over blocks.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BLOCKRESULTS_H
#define FUSER_LIB_LOWERING_BLOCKRESULTS_H

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {

/// The last block to arrive finishes a reduction over blocks, and what is computed from its result
/// in registers or shared memory is valid in that block alone, so that no block waits. If this is
/// not sufficient, all blocks wait for each other, and each gets the result:
///
/// - a tile that reads it is in a loop over those blocks;
/// - a tile reads results whose last blocks may differ;
/// - a tile that reads it is outside of a loop in which the reduction is finished, as each
///   iteration has a last block of its own.
///
/// Combinations that stand next to each other have one last block, unless one of them is needed in
/// all blocks.
class BlockResults {
public:
  /// For a kernel of stage launched. `groups`: combinations that stand next to each other.
  BlockResults(loop::KernelOp kernel, llvm::ArrayRef<llvm::ArrayRef<loop::CombineOp>> groups);

  /// The types along which the launch has several blocks that a reduction combines.
  static llvm::SmallVector<ParallelType> getSplitBlocks(loop::CombineOp combine);
  /// True if each block needs the result.
  bool isWantedEverywhere(loop::CombineOp combine) const {
    return wanted.contains(getFirst(combine));
  }
  /// True if one last block finishes the group of combinations.
  bool haveOneLastBlock(llvm::ArrayRef<loop::CombineOp> group) const {
    return shared.contains(group.front());
  }
  /// The tiles that store to global memory what is valid in the last block of the combination
  /// alone.
  llvm::ArrayRef<loop::TileOp> getStores(loop::CombineOp combine) const;

private:
  using Sources = llvm::SmallSetVector<mlir::Operation *, 2>;
  /// The first of the combinations with the same last block.
  mlir::Operation *getFirst(loop::CombineOp combine) const;
  void findWanted(loop::KernelOp kernel);
  void propagate(loop::CombineOp combine);
  void propagate(loop::TileOp tile);
  bool needsAll(loop::CombineOp source, loop::TileOp reader) const;

  /// Groups with one last block, by their first combination.
  llvm::MapVector<mlir::Operation *, llvm::ArrayRef<loop::CombineOp>> shared;
  llvm::SmallPtrSet<mlir::Operation *, 4> wanted;
  /// The reductions in whose last blocks the elements of a buffer are valid.
  llvm::DenseMap<mlir::Value, Sources> sources;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<loop::TileOp>> stores;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BLOCKRESULTS_H
