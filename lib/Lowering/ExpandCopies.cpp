//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandCopies.h"
#include "Stages.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuser;

void fuser::runOnFirstThread(loop::KernelOp kernel, ExpandedKernel &expanded,
                             function_ref<void()> build) {
  OpBuilder &builder = expanded.getBuilder();
  IndexBuilder &index = expanded.getIndex();
  Value isFirst;
  for (ParallelType type : {ParallelType::ThreadX, ParallelType::ThreadY, ParallelType::ThreadZ})
    if (kernel.isSplit(type))
      isFirst =
          index.both(isFirst, index.equal(expanded.getHardwareIndex(type), index.constant(0)));
  OpBuilder::InsertionGuard guard(builder);
  std::optional<IndexBuilder::Scope> scope;
  if (isFirst) {
    auto first = scf::IfOp::create(builder, expanded.getLoc(), isFirst, /*withElseRegion=*/false);
    builder.setInsertionPoint(first.thenBlock()->getTerminator());
    scope.emplace(index, first);
  }
  build();
}

void CopyExpander::expand(loop::CommitCopiesOp) {
  kernel_ir::CopyCommitOp::create(builder, expanded.getLoc());
}

void CopyExpander::expand(loop::WaitCopiesOp wait) {
  kernel_ir::CopyWaitOp::create(builder, expanded.getLoc(), wait.getPending());
}

/// The thread's copies since the last wait are one group.
void CopyExpander::expand(loop::WaitStoresOp) {
  kernel_ir::StoreCommitOp::create(builder, expanded.getLoc());
  kernel_ir::StoreWaitOp::create(builder, expanded.getLoc(), /*pending=*/0);
}

/// One thread initializes a barrier for each stage.
void CopyExpander::expand(loop::InitPhasesOp init) {
  Value barriers = buffers.getMemory(init.getBarriers());
  const int64_t stages = cast<loop::BufferType>(init.getBarriers().getType()).getShape().front();
  runOnFirstThread(kernel, expanded, [&] {
    for (int64_t stage = 0; stage < stages; ++stage)
      kernel_ir::MBarrierInitOp::create(builder, expanded.getLoc(), barriers, index.constant(stage),
                                        init.getArrivals());
    kernel_ir::MBarrierFenceOp::create(builder, expanded.getLoc());
  });
}

void CopyExpander::expand(loop::WaitPhaseOp wait) {
  auto evaluate = [&](AffineExpr expr) {
    return expanded.evaluate(expr, wait.getIndices(), wait.getUse().getNumDims());
  };
  Value place = evaluate(wait.getPlace());
  kernel_ir::MBarrierWaitOp::create(builder, expanded.getLoc(),
                                    buffers.getMemory(wait.getBarriers()), place,
                                    evaluate(wait.getPhase()));
}

/// All producers wait, and one of them then copies.
void CopyExpander::expand(loop::AcquireOp acquire) {
  const Location loc = expanded.getLoc();
  const std::optional<Value> isLater = expanded.evaluate(acquire.getGuard(), acquire.getIndices());
  if (!isLater)
    return;
  OpBuilder::InsertionGuard guard(builder);
  std::optional<IndexBuilder::Scope> scope;
  if (*isLater) {
    auto branch = scf::IfOp::create(builder, loc, *isLater, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    scope.emplace(index, branch);
  }
  auto evaluate = [&](AffineExpr expr) {
    return expanded.evaluate(expr, acquire.getIndices(), acquire.getUse().getNumDims());
  };
  Value place = evaluate(acquire.getPlace());
  kernel_ir::MBarrierWaitOp::create(builder, loc, buffers.getMemory(acquire.getBarriers()), place,
                                    evaluate(acquire.getPhase()));
}

void CopyExpander::expand(loop::ReleaseOp release) {
  Value place =
      expanded.evaluate(release.getPlace(), release.getIndices(), release.getUse().getNumDims());
  kernel_ir::MBarrierArriveOp::create(builder, expanded.getLoc(),
                                      buffers.getMemory(release.getBarriers()), place);
}

/// The elements of a piece, at least 0.
Value CopyExpander::countElements(loop::TileOp tile) {
  const Location loc = expanded.getLoc();
  Value zero = index.constant(0), count;
  for (AffineExpr each : tile.getRoots().getResults()) {
    Value number = expanded.evaluate(each, tile.getIndices(), tile.getNumDims());
    count = count ? arith::MinSIOp::create(builder, loc, count, number) : number;
  }
  const std::optional<int64_t> constant = index.getConstant(count);
  std::optional<Value> exists = expanded.evaluate(tile.getRead(0).getGuard(), tile.getIndices());
  if (!exists)
    return zero;
  if (*exists)
    count = arith::SelectOp::create(builder, loc, *exists, count, zero);
  else if (constant)
    return index.constant(std::max<int64_t>(*constant, 0));
  return index.define(arith::MaxSIOp::create(builder, loc, count, zero));
}

/// The thread arrives, also where there is nothing to copy.
void CopyExpander::expandBulk(loop::TileOp tile) {
  const Location loc = expanded.getLoc();
  const AccessSite site(tile);
  const int64_t bytes = tile.getOutputs().front().getDefiningOp<loop::BufferOp>().getElementBytes();
  auto evaluate = [&](loop::AccessAttr access) {
    return reads.evaluate(site, access.getMap().getResults().back());
  };
  if (tile.getTensorMap())
    return expandBox(tile);
  Value count = countElements(tile), barriers = buffers.getMemory(tile.getOutputs().back()),
        place = evaluate(tile.getWrite(1));
  kernel_ir::MBarrierExpectOp::create(builder, loc, barriers, place,
                                      index.mul(count, index.constant(bytes)));
  const std::optional<int64_t> constant = index.getConstant(count);
  if (constant == 0)
    return;
  OpBuilder::InsertionGuard guard(builder);
  std::optional<IndexBuilder::Scope> scope;
  if (!constant) {
    Value any =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, count, index.constant(0));
    auto branch = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    scope.emplace(index, branch);
  }
  Value from = evaluate(tile.getRead(0)), to = evaluate(tile.getWrite(0));
  kernel_ir::CopyBulkOp::create(builder, loc, count, expanded.getMemory(tile.getInputs().front()),
                                from, buffers.getMemory(tile.getOutputs().front()), to, barriers,
                                place);
}

SmallVector<Value> CopyExpander::getCoordinates(loop::TileOp tile) {
  return llvm::map_to_vector(tile.getRoots().getResults(), [&](AffineExpr coordinate) {
    return expanded.evaluate(coordinate, tile.getIndices(), tile.getNumDims());
  });
}

void CopyExpander::expandStore(loop::TileOp tile) {
  SmallVector<Value> coordinates = getCoordinates(tile);
  Value from = reads.evaluate(AccessSite(tile), tile.getRead(0).getMap().getResults().back());
  kernel_ir::StoreTensorOp::create(
      builder, expanded.getLoc(), buffers.getMemory(tile.getInputs().front()), from,
      expanded.getTensorMap(cast<ArrayAttr>(*tile.getInstruction())), coordinates);
}

/// The bytes of a box are copied wherever it lies.
void CopyExpander::expandBox(loop::TileOp tile) {
  const Location loc = expanded.getLoc();
  const AccessSite site(tile);
  auto evaluate = [&](loop::AccessAttr access) {
    return reads.evaluate(site, access.getMap().getResults().back());
  };
  auto instruction = cast<ArrayAttr>(*tile.getInstruction());
  auto type = cast<kernel_ir::TensorMapType>(tile.getTensorMap());
  Value barriers = buffers.getMemory(tile.getOutputs().back()), place = evaluate(tile.getWrite(1));
  kernel_ir::MBarrierExpectOp::create(builder, loc, barriers, place,
                                      index.constant(type.getBoxBytes()));
  SmallVector<Value> coordinates = getCoordinates(tile);
  Value to = evaluate(tile.getWrite(0));
  kernel_ir::CopyTensorOp::create(builder, loc, expanded.getTensorMap(instruction), coordinates,
                                  buffers.getMemory(tile.getOutputs().front()), to, barriers,
                                  place);
}

/// The widest parts of a vector that are one access on both sides.
void CopyExpander::expand(loop::TileOp tile) {
  if (tile.getStep() == loop::TileStep::Store)
    return expandStore(tile);
  if (tile.getStep() == loop::TileStep::Bulk)
    return expandBulk(tile);
  const AccessSite site(tile);
  Value source = expanded.getMemory(tile.getInputs().front()),
        target = buffers.getMemory(tile.getOutputs().front());
  const loop::AccessAttr read = tile.getRead(0), write = tile.getWrite(0);
  const int64_t count = getCopiedElements(tile);
  for (int64_t lane = 0; lane < site.width; lane += count) {
    reads.setLane(site, lane);
    Value from = reads.evaluate(site, read.getMap().getResults().back());
    Value to = reads.evaluate(site, write.getMap().getResults().back());
    // Where nothing is read, zeros are written.
    const std::optional<Value> exists = expanded.evaluate(read.getGuard(), tile.getIndices());
    Value existing;
    if (!exists)
      existing = index.constant(0);
    else if (*exists)
      existing = arith::SelectOp::create(builder, expanded.getLoc(), *exists, index.constant(count),
                                         index.constant(0));
    kernel_ir::CopyAsyncOp::create(builder, expanded.getLoc(), count, source, from, target, to,
                                   existing);
  }
  reads.setLane(site, 0);
}
