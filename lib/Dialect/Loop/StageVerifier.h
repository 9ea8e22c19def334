//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The checks of what a stage promises (VerifyStages.cpp; of circular buffers: VerifyCopies.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_LOOP_STAGEVERIFIER_H
#define FUSER_LIB_DIALECT_LOOP_STAGEVERIFIER_H

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace fuser::loop {

/// What the ops before one have done.
struct Progress {
  llvm::SmallPtrSet<mlir::Value, 16> written;
  /// Buffers in shared memory that were written after the last barrier.
  llvm::SmallPtrSet<mlir::Value, 8> pending;
  /// Circular buffers to which copies were begun, and those whose copies are in a group.
  llvm::SmallPtrSet<mlir::Value, 4> begun, committed;
  /// Buffers in shared memory that were written after the last `fence_async`, or before a barrier
  /// that it should have preceded.
  llvm::SmallPtrSet<mlir::Value, 8> unfenced;
  /// Accumulators to which products of warp groups add, and those of them that are in no group.
  llvm::SmallPtrSet<mlir::Value, 2> underWay, uncommitted;
  /// Buffers in shared memory that bulk copies to arguments may read.
  llvm::SmallPtrSet<mlir::Value, 2> stored;
  /// Those to which producers may copy, and those whose stage the consumers do not read any more.
  llvm::SmallPtrSet<mlir::Value, 4> acquired, released;
  /// Buffers in global memory that were written after the last barrier of the grid, and whether
  /// one of the block came after that.
  llvm::SmallDenseMap<mlir::Value, bool> pendingGlobal;
  /// Between an arrival at a barrier of the cluster and its wait: what was pending at the arrival.
  std::optional<llvm::SmallPtrSet<mlir::Value, 8>> arrived;
  /// All blocks of the cluster have begun.
  bool isStarted = false;

  /// What holds if either this or the other has happened.
  void join(const Progress &other);
};

/// The checks of the ops of a kernel, in the order of the text.
class StageVerifier : Progress {
public:
  explicit StageVerifier(KernelOp kernel) : kernel(kernel), stage(kernel.getStage()) {}

  mlir::LogicalResult verify() {
    if (failed(verify(kernel.getBlock())))
      return mlir::failure();
    if (stage >= Stage::Synchronized && failed(verifyLastAccesses()))
      return mlir::failure();
    return stage < Stage::Placed ? mlir::success() : verifyPlaces();
  }

private:
  mlir::LogicalResult verify(mlir::Block &block);
  mlir::LogicalResult verify(TileOp tile);
  mlir::LogicalResult verify(IndexOp index);
  mlir::LogicalResult verify(ForOp loop);
  mlir::LogicalResult verify(IfOp branch);
  mlir::LogicalResult verifyElse(IfOp branch);
  mlir::LogicalResult verify(BufferOp buffer);
  mlir::LogicalResult verify(BarrierOp barrier);
  mlir::LogicalResult verify(ClusterBarrierOp barrier);
  mlir::LogicalResult verify(CombineOp combine);
  mlir::LogicalResult verify(LastBlockOp lastBlock);
  mlir::LogicalResult verify(IsLastOp isLast);
  mlir::LogicalResult verify(ScanOp scan);
  mlir::LogicalResult verify(OrderBlocksOp order);
  mlir::LogicalResult verify(CommitCopiesOp commit);
  mlir::LogicalResult verify(WaitCopiesOp wait);
  mlir::LogicalResult verify(FenceAsyncOp fence);
  mlir::LogicalResult verify(CommitProductsOp commit);
  mlir::LogicalResult verify(WaitProductsOp wait);
  mlir::LogicalResult verifyGroupProduct(TileOp tile);
  mlir::LogicalResult verify(InitPhasesOp init);
  mlir::LogicalResult verify(WaitPhaseOp wait);
  mlir::LogicalResult verifyArrivals(InitPhasesOp init);
  mlir::LogicalResult verify(RolesOp roles);
  mlir::LogicalResult verify(AcquireOp acquire);
  mlir::LogicalResult verify(ReleaseOp release);
  mlir::LogicalResult verifyNoRole(mlir::Operation *op);
  mlir::LogicalResult verifyBulkCopy(TileOp tile);
  mlir::LogicalResult verifyOnce(TileOp tile);
  mlir::LogicalResult verifyStore(TileOp tile);
  mlir::LogicalResult verify(WaitStoresOp wait);
  mlir::LogicalResult verifyStored(mlir::Operation *op, mlir::Value buffer);
  mlir::LogicalResult verifyCopyTo(TileOp tile, mlir::Value buffer);
  mlir::LogicalResult verifyStages(BufferOp buffer);
  mlir::LogicalResult verify(PublishOp publish);
  mlir::LogicalResult verify(AwaitOp await);
  mlir::LogicalResult verifyAccess(mlir::Operation *op, AccessAttr access);
  mlir::LogicalResult verifyDistributed(mlir::Operation *op, mlir::Value buffer);
  mlir::LogicalResult verifyLastAccesses();
  mlir::LogicalResult verifyRead(mlir::Operation *op, mlir::Value buffer, AccessAttr access = {});
  mlir::LogicalResult verifyOrder(mlir::Operation *op, mlir::Value buffer, AccessAttr read);
  mlir::LogicalResult verifyPlaces();
  /// Fails if all threads execute the op together, but a branch is around it.
  mlir::LogicalResult verifyConverged(mlir::Operation *op);

  KernelOp kernel;
  const Stage stage;
};

/// The number of an iteration of all loops around an op, in the order of execution, over its
/// operands `indices`; null if it has others.
mlir::AffineExpr getUseNumber(mlir::Operation *op, mlir::OperandRange indices, unsigned numDims);

/// Fails before stage pipelined.
mlir::LogicalResult verifyPipelined(mlir::Operation *op, Stage stage);

} // namespace fuser::loop

#endif // FUSER_LIB_DIALECT_LOOP_STAGEVERIFIER_H
