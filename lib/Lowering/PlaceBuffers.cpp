//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-place-buffers: the offsets of buffers in shared memory.
//
//===----------------------------------------------------------------------===//

#include "MmaOperands.h"
#include "SharedMemoryPlan.h"
#include "Stages.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/BufferLifetimes.h"
#include "fuser/Dialect/Loop/Iterations.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPLACEBUFFERS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// What a bulk copy writes begins at a line of memory.
static constexpr int64_t kBulkAlignment = 128;
/// What the product of a warp group reads begins at a group of 8 rows of up to 128 bytes.
static constexpr int64_t kRowsAlignment = 1024;

namespace {
/// Bytes of shared memory that a buffer has.
struct ByteRange {
  int64_t begin, end;
};
} // namespace

/// The lowest offset at which no obstacle has a byte in common with the buffer.
static int64_t findOffset(int64_t bytes, int64_t alignment, SmallVector<ByteRange> obstacles) {
  llvm::sort(obstacles, [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
  int64_t offset = 0;
  for (const ByteRange &obstacle : obstacles) {
    if (offset + bytes <= obstacle.begin)
      break;
    offset = std::max<int64_t>(offset, llvm::alignTo(obstacle.end, alignment));
  }
  return offset;
}

static bool isLarge(loop::BufferOp buffer) { return buffer.getNumBytes() > kNotWorthABarrier; }

/// The loop that takes the stages of a circular buffer runs once: when it ends, all copies have
/// been waited for. In another loop, they begin while other buffers are in use.
static bool isOfOneLoop(loop::BufferOp buffer) {
  return llvm::none_of(buffer->getUsers(), [](Operation *user) {
    return isa<loop::WaitCopiesOp, loop::WaitPhaseOp>(user) && loop::getIterations(user).size() > 1;
  });
}

/// True for buffers that may have the place of others. That circular ones have it costs a barrier
/// after their loop.
static bool mayShare(loop::BufferOp buffer, bool sharesStages) {
  return isLarge(buffer) && (!buffer.getStages() || (sharesStages && isOfOneLoop(buffer)));
}

static int64_t getAlignment(loop::BufferOp buffer) {
  if (isOperandOfGroup(buffer))
    return kRowsAlignment;
  int64_t alignment = buffer.getBulk() ? kBulkAlignment : loop::kSharedAlignment;
  for (Operation *user : buffer->getUsers())
    if (auto tile = dyn_cast<loop::TileOp>(user))
      if (auto map = dyn_cast_or_null<kernel_ir::TensorMapType>(tile.getTensorMap()))
        alignment = std::max(alignment, map.getBoxAlignment());
  return alignment;
}

static int64_t getSize(ArrayRef<loop::BufferOp> buffers) {
  int64_t bytes = 0;
  for (loop::BufferOp buffer : buffers)
    bytes = std::max<int64_t>(bytes, *buffer.getOffset() + buffer.getNumBytes());
  return bytes;
}

/// Returns the bytes of all.
static int64_t placeAll(const loop::BufferLifetimes &lifetimes, bool sharesStages) {
  SmallVector<loop::BufferOp> placed;
  // Those that share no place go between or after the others.
  for (bool shares : {true, false})
    for (loop::BufferOp buffer : lifetimes.getBuffers()) {
      if (mayShare(buffer, sharesStages) != shares)
        continue;
      SmallVector<ByteRange> obstacles;
      for (loop::BufferOp other : placed)
        if (!shares || lifetimes.get(buffer).meets(lifetimes.get(other)))
          obstacles.push_back(
              {int64_t(*other.getOffset()), int64_t(*other.getOffset()) + other.getNumBytes()});
      buffer.setOffset(
          findOffset(buffer.getNumBytes(), getAlignment(buffer), std::move(obstacles)));
      placed.push_back(buffer);
    }
  return getSize(placed);
}

static LogicalResult verifySize(loop::KernelOp kernel, ArrayRef<loop::BufferOp> buffers,
                                int64_t maxBytes) {
  const int64_t bytes = getSize(buffers);
  if (bytes <= maxBytes)
    return success();
  InFlightDiagnostic diagnostic = kernel.emitOpError("expected at most ")
                                  << maxBytes << " bytes of shared memory in a block, but got "
                                  << bytes;
  for (loop::BufferOp buffer : buffers)
    diagnostic.attachNote(buffer.getLoc())
        << buffer.getNumBytes() << " bytes at " << *buffer.getOffset() << " are this buffer's";
  return diagnostic;
}

LogicalResult fuser::placeBuffers(loop::KernelOp kernel, const LoweringOptions &options) {
  const loop::BufferLifetimes lifetimes(kernel);
  // Without circular buffers, nothing is to be pipelined.
  const bool isPipelined = kernel.getStage() == loop::Stage::Pipelined ||
                           (kernel.getStage() == loop::Stage::Reduced &&
                            llvm::none_of(lifetimes.getBuffers(), [](loop::BufferOp buffer) {
                              return buffer.getStages().has_value();
                            }));
  if (!isPipelined)
    return success();
  if (placeAll(lifetimes, /*sharesStages=*/false) > options.maxSharedBytes)
    placeAll(lifetimes, /*sharesStages=*/true);
  if (failed(verifySize(kernel, lifetimes.getBuffers(), options.maxSharedBytes)))
    return failure();
  kernel.setStage(loop::Stage::Placed);
  return success();
}

namespace {
struct PlaceBuffers : fuser::impl::FuserPlaceBuffersBase<PlaceBuffers> {
  using FuserPlaceBuffersBase::FuserPlaceBuffersBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    if (failed(placeBuffers(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
