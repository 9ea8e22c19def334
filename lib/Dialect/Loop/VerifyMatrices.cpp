//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verifiers of tiles that use a matrix instruction.
//
//===----------------------------------------------------------------------===//

#include "VerifyScans.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using fuser::MemoryType;
using namespace fuser::loop;

/// A matrix instruction reads rows of 8 elements in shared memory, and adds to what a lane has.
LogicalResult fuser::loop::verifyMatrixInstruction(TileOp tile) {
  auto mma = dyn_cast<fuser::kernel_ir::MmaAttr>(*tile.getInstruction());
  if (!mma)
    return tile.emitOpError("expected a matrix instruction, #fuser_gpu.mma, but got ")
           << *tile.getInstruction();
  if (tile.getStep() != TileStep::Accumulate || tile.getInputs().size() != 2 ||
      tile.getOutputs().size() != 1)
    return tile.emitOpError("expected a matrix instruction to accumulate products of two operands");
  if (tile.getVectorLoop())
    return tile.emitOpError("expected no vectorize loop around a matrix instruction");
  for (auto [number, input] : llvm::enumerate(tile.getInputs())) {
    auto type = dyn_cast<BufferType>(input.getType());
    if (!type || type.getSpace() != MemoryType::Shared || BufferOp::isDistributed(input) ||
        type.getElementType() != mma.getElement())
      return tile.emitOpError("expected operands of a matrix instruction in shared memory, of ")
             << mma.getElement() << ", but operand " << number << " is " << input.getType();
    if (AccessAttr read = tile.getRead(number);
        read.getChunk() != 8 || read.getAlignment() != 16 || !read.getGuard().empty())
      return tile.emitOpError("expected reads of a matrix instruction by 8, align 16, without a "
                              "guard");
  }
  auto type = cast<BufferType>(tile.getOutputs().front().getType());
  if (type.getSpace() != MemoryType::Register || !type.getElementType().isF32() ||
      tile.getWrite(0).getChunk() != mma.getM() * mma.getN() / 32)
    return tile.emitOpError(
               "expected an accumulator of a matrix instruction in registers, of f32, by ")
           << mma.getM() * mma.getN() / 32 << ", but got " << type;
  return success();
}

/// All lanes of a warp execute a matrix instruction.
LogicalResult fuser::loop::verifyMatrixInstruction(TileOp tile, Stage stage) {
  if (stage < Stage::Accessed)
    return tile.emitOpError("expected matrix instructions from stage accessed on, but got ")
           << stringifyStage(stage);
  auto kernel = tile->getParentOfType<KernelOp>();
  ArrayRef<int64_t> threads = *kernel.getThreads();
  if (threads[0] % 32 != 0)
    return tile.emitOpError("expected a multiple of 32 threads along thread_x, the lanes of warps, "
                            "but got ")
           << threads[0];
  for (auto loop = tile->getParentOfType<ForOp>(); loop; loop = loop->getParentOfType<ForOp>()) {
    const unsigned axis = unsigned(loop.getType()) - unsigned(fuser::ParallelType::ThreadX);
    if (fuser::isThreadType(loop.getType()) && loop.getConstantExtent() != threads[axis])
      return tile.emitOpError("expected a loop over all ")
             << threads[axis] << " threads along " << fuser::stringifyParallelType(loop.getType())
             << " around a matrix instruction";
  }
  if (!tile.getGuard().empty() || !tile.getOnce().getTypes().empty())
    return tile.emitOpError("expected no guard of a matrix instruction");
  return success();
}
