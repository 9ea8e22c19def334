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

namespace {
/// What both kinds of instructions have.
struct Instruction {
  Type element;
  /// Of the accumulator: all that a lane has, or a pair of columns.
  int64_t chunk;
};
} // namespace

static std::optional<Instruction> describe(Attribute attribute) {
  if (auto mma = dyn_cast<fuser::kernel_ir::MmaAttr>(attribute))
    return Instruction{mma.getElement(), mma.getM() * mma.getN() / 32};
  if (auto wgmma = dyn_cast<fuser::kernel_ir::WgmmaAttr>(attribute))
    return Instruction{wgmma.getElement(), 2};
  return std::nullopt;
}

/// Matrices are stored from what a lane has of them to rows of 8 elements in shared memory.
static LogicalResult verifyMatrixStore(TileOp tile, fuser::kernel_ir::StMatrixAttr instruction) {
  if (tile.getStep() != TileStep::Element || tile.getElementOp() || tile.getInputs().size() != 1 ||
      tile.getOutputs().size() != 1 || tile.getVectorLoop())
    return tile.emitOpError("expected a store of matrices to move elements, in no vectorize loop");
  auto from = dyn_cast<BufferType>(tile.getInputs().front().getType());
  Value target = tile.getOutputs().front();
  auto to = cast<BufferType>(target.getType());
  if (!from || from.getSpace() != MemoryType::Register || to.getSpace() != MemoryType::Shared ||
      BufferOp::isDistributed(target) || BufferOp::isCircular(target) ||
      from.getElementType() != instruction.getElement() ||
      to.getElementType() != instruction.getElement())
    return tile.emitOpError("expected a store of matrices from registers to shared memory, of ")
           << instruction.getElement() << ", but got " << tile.getInputs().front().getType()
           << " and " << to;
  AccessAttr read = tile.getRead(0), write = tile.getWrite(0);
  if (read.getChunk() != instruction.getOfLane() || !read.getGuard().empty())
    return tile.emitOpError("expected a store of matrices to read what a lane has, by ")
           << instruction.getOfLane() << " without a guard, but got by " << read.getChunk();
  if (write.getChunk() != 8 || write.getAlignment() != 16 || !write.getGuard().empty())
    return tile.emitOpError("expected writes of a store of matrices by 8, align 16, without a "
                            "guard");
  return success();
}

/// A matrix instruction reads rows of 8 elements in shared memory, and adds to what a lane has.
LogicalResult fuser::loop::verifyMatrixInstruction(TileOp tile) {
  if (auto store = dyn_cast<fuser::kernel_ir::StMatrixAttr>(*tile.getInstruction()))
    return verifyMatrixStore(tile, store);
  const std::optional<Instruction> mma = describe(*tile.getInstruction());
  if (!mma)
    return tile.emitOpError("expected a matrix instruction, #fuser_gpu.mma, #fuser_gpu.wgmma or "
                            "#fuser_gpu.stmatrix, but got ")
           << *tile.getInstruction();
  if (tile.getStep() != TileStep::Accumulate || tile.getInputs().size() != 2 ||
      tile.getOutputs().size() != 1)
    return tile.emitOpError("expected a matrix instruction to accumulate products of two operands");
  if (tile.getVectorLoop())
    return tile.emitOpError("expected no vectorize loop around a matrix instruction");
  for (auto [number, input] : llvm::enumerate(tile.getInputs())) {
    auto type = dyn_cast<BufferType>(input.getType());
    if (!type || type.getSpace() != MemoryType::Shared || BufferOp::isDistributed(input) ||
        type.getElementType() != mma->element)
      return tile.emitOpError("expected operands of a matrix instruction in shared memory, of ")
             << mma->element << ", but operand " << number << " is " << input.getType();
    if (AccessAttr read = tile.getRead(number);
        read.getChunk() != 8 || read.getAlignment() != 16 || !read.getGuard().empty())
      return tile.emitOpError("expected reads of a matrix instruction by 8, align 16, without a "
                              "guard");
  }
  auto type = cast<BufferType>(tile.getOutputs().front().getType());
  if (type.getSpace() != MemoryType::Register || !type.getElementType().isF32() ||
      tile.getWrite(0).getChunk() != mma->chunk)
    return tile.emitOpError(
               "expected an accumulator of a matrix instruction in registers, of f32, by ")
           << mma->chunk << ", but got " << type;
  return success();
}

/// The warps of a group are along thread_y, and its operands at the begin of groups of rows.
static LogicalResult verifyWarpGroup(TileOp tile, ArrayRef<int64_t> threads) {
  if (threads[0] != 32 || threads[1] % 4 != 0)
    return tile.emitOpError("expected 32 threads along thread_x and a multiple of 4 warps along "
                            "thread_y for warp groups, but got ")
           << threads[0] << " and " << threads[1];
  auto wgmma = cast<fuser::kernel_ir::WgmmaAttr>(*tile.getInstruction());
  const fuser::kernel_ir::RowsAttr rowsOf[] = {wgmma.getLhs(), wgmma.getRhs()};
  for (auto [input, rows] : llvm::zip_equal(tile.getInputs(), rowsOf))
    if (auto buffer = input.getDefiningOp<BufferOp>();
        buffer && *buffer.getOffset() % (8 * rows.getBytes()) != 0)
      return tile.emitOpError("expected operands of a warp group at multiples of ")
             << 8 * rows.getBytes() << " bytes in shared memory, but got " << *buffer.getOffset();
  return success();
}

/// All lanes of a warp execute a matrix instruction.
LogicalResult fuser::loop::verifyMatrixThreads(TileOp tile) {
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
  if (isOfWarpGroup(tile) && failed(verifyWarpGroup(tile, threads)))
    return failure();
  if (!tile.getGuard().empty() || !tile.getOnce().getTypes().empty())
    return tile.emitOpError("expected no guard of a matrix instruction");
  return success();
}
