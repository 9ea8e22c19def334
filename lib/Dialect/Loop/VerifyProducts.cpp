//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for products of warp groups, which are under way until they are waited for.
//
//===----------------------------------------------------------------------===//

#include "StageVerifier.h"
#include "VerifyScans.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using fuser::MemoryType;
using namespace fuser::loop;

bool fuser::loop::isOfWarpGroup(TileOp tile) {
  return isa_and_present<fuser::kernel_ir::WgmmaAttr>(tile.getInstructionAttr());
}

/// A group that may be under way in the next iteration reads the stage of this one.
static LogicalResult verifyPending(WaitProductsOp wait) {
  auto loop = wait->getParentOfType<ForOp>();
  while (loop && fuser::isThreadType(loop.getType()))
    loop = loop->getParentOfType<ForOp>();
  if (!loop || loop.getType() != fuser::ParallelType::Serial)
    return wait.emitOpError("expected a serial loop around a wait for all but the last groups");
  WalkResult walked = loop.getBody().walk([&](TileOp copy) {
    if (copy.getStep() != TileStep::Copy || copy.getWrite(0).hasOffset())
      return WalkResult::advance();
    const int64_t stages = *copy.getOutputs().front().getDefiningOp<BufferOp>().getStages();
    // The stage that is filled where all indices are 0: so many iterations later it is read.
    const AffineMap place = copy.getWrite(0).getMap().getSubMap({0});
    const SmallVector<Attribute> zeros(place.getNumInputs(),
                                       IntegerAttr::get(IndexType::get(copy.getContext()), 0));
    SmallVector<Attribute> places;
    if (failed(place.constantFold(zeros, places)))
      return WalkResult::advance();
    const int64_t ahead = cast<IntegerAttr>(places.front()).getInt();
    if (ahead + int64_t(wait.getPending()) < stages)
      return WalkResult::advance();
    InFlightDiagnostic diagnostic =
        copy.emitOpError("expected a copy to a stage that no product under way reads: less than ")
        << stages - int64_t(wait.getPending()) << " iterations later, but got " << ahead;
    diagnostic.attachNote(wait.getLoc()) << "the wait for products is here";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult WaitProductsOp::verify() {
  if (int64_t(getPending()) < 0 || int64_t(getPending()) > 7)
    return emitOpError("expected 0 to 7 groups that may be under way, but got ")
           << int64_t(getPending());
  if (getPending() > 0 && !getProducts().empty())
    return emitOpError("expected a wait for all groups before accumulators are read");
  for (Value product : getProducts())
    if (auto type = cast<BufferType>(product.getType());
        type.getSpace() != MemoryType::Register || !type.getElementType().isF32())
      return emitOpError("expected accumulators in registers, of f32, but got ") << type;
  return getPending() > 0 ? verifyPending(*this) : success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// A fence comes between what threads wrote and a barrier.
LogicalResult StageVerifier::verify(FenceAsyncOp fence) {
  if (stage < Stage::Synchronized)
    return fence.emitOpError("expected fences from stage synchronized on, but got ")
           << stringifyStage(stage);
  unfenced.remove_if([&](Value buffer) { return pending.contains(buffer); });
  return success();
}

static LogicalResult verifyStage(Operation *op, Stage stage) {
  if (stage >= Stage::Pipelined)
    return success();
  return op->emitOpError("expected products that are under way from stage pipelined on, but got ")
         << stringifyStage(stage);
}

LogicalResult StageVerifier::verify(CommitProductsOp commit) {
  uncommitted.clear();
  return failed(verifyStage(commit, stage)) ? failure() : verifyConverged(commit);
}

LogicalResult StageVerifier::verify(WaitProductsOp wait) {
  if (failed(verifyStage(wait, stage)) || failed(verifyConverged(wait)))
    return failure();
  for (Value product : wait.getProducts()) {
    if (uncommitted.contains(product))
      return wait.emitOpError("expected a commit of products before they are waited for");
    underWay.erase(product);
  }
  return success();
}

LogicalResult StageVerifier::verifyGroupProduct(TileOp tile) {
  for (Value input : tile.getInputs()) {
    if (!unfenced.contains(input) || BufferOp::isBulk(input))
      continue;
    InFlightDiagnostic diagnostic = tile.emitOpError(
        "expected a 'fuser_loop.fence_async' and a barrier between the write of a buffer in shared "
        "memory and a product of warp groups");
    diagnostic.attachNote(input.getLoc()) << "the buffer is here";
    return diagnostic;
  }
  underWay.insert(tile.getOutputs().begin(), tile.getOutputs().end());
  uncommitted.insert(tile.getOutputs().begin(), tile.getOutputs().end());
  return success();
}
