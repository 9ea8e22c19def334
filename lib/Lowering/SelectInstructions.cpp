//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix instructions in place of loops on mma. Until then, each thread has all elements of these
// loops; afterwards, a lane has its fragment of them.
//
//===----------------------------------------------------------------------===//

#include "LaneAccesses.h"
#include "Stages.h"
#include "Warps.h"
#include "fuser/Dialect/IR/Products.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;

/// The columns of a warp group's product.
static constexpr int64_t kMaxColumns = 256;

/// Of the columns of a row, those that a lane has.
static int64_t getColumnsOfLane(int64_t columns) { return columns / kMmaColumns * kOfMmaLane; }

namespace {
class InstructionSelector {
public:
  InstructionSelector(loop::KernelOp kernel, const LoweringOptions &options)
      : kernel(kernel), options(options) {}
  LogicalResult run();

private:
  LogicalResult collect(loop::ForOp outermost);
  LogicalResult verify(const MmaLoops &mma) const;
  LogicalResult verifyGroup(const MmaLoops &mma) const;
  LogicalResult verifyOperand(const MmaLoops &mma, unsigned operand) const;
  LogicalResult addFragments(const MmaLoops &mma);
  void addLaneLoops(MmaLoops &mma);
  void replaceLoops(MmaLoops &mma);

  loop::KernelOp kernel;
  const LoweringOptions &options;
  SmallVector<MmaLoops> all;
  llvm::MapVector<Value, Fragment> fragments;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops on mma
//===----------------------------------------------------------------------===//

LogicalResult InstructionSelector::collect(loop::ForOp outermost) {
  MmaLoops mma;
  for (loop::ForOp loop = outermost; loop;) {
    mma.loops.push_back(loop);
    loop::ForOp inner;
    for (Operation &op : loop.getBlock()) {
      auto tile = dyn_cast<loop::TileOp>(op);
      auto next = dyn_cast<loop::ForOp>(op);
      const bool isOnly =
          (tile || (next && next.getType() == ParallelType::Mma)) && !mma.tile && !inner;
      if (!isOnly && !isa<loop::XorOp>(op))
        return op.emitOpError("expected one tile in loops on mma that are directly inside each "
                              "other");
      mma.tile = tile ? tile : mma.tile;
      inner = next ? next : inner;
    }
    loop = inner;
  }
  if (!mma.tile)
    return outermost.emitOpError("expected a tile in loops on mma");
  const bool accumulates = mma.tile.getStep() == loop::TileStep::Accumulate;
  if (mma.loops.size() != (accumulates ? 3 : 2))
    return mma.tile.emitOpError("expected ")
           << (accumulates ? "3 loops on mma, over rows, columns and the sum of a product"
                           : "2 loops on mma, over rows and columns of a product,")
           << " around the tile, but got " << mma.loops.size();
  all.push_back(mma);
  return success();
}

/// True if an access of the tile differs between the threads along thread_x.
static bool dependsOnThread(loop::TileOp tile) {
  loop::ForOp threads = findThreadLoop(tile);
  SmallVector<Value> used(tile.getIndices());
  for (unsigned each = 0; each < used.size(); ++each)
    if (auto swizzled = used[each].getDefiningOp<loop::XorOp>())
      llvm::append_range(used, swizzled.getIndices());
  return threads && llvm::is_contained(used, threads.getInductionVar());
}

LogicalResult InstructionSelector::verify(const MmaLoops &mma) const {
  loop::TileOp tile = mma.tile;
  if (int64_t threads = (*loop::KernelOp(kernel).getThreads())[0]; threads % kWarp != 0)
    return tile.emitOpError("expected a multiple of 32 threads along thread_x, the lanes of a "
                            "warp, for loops on mma, but got ")
           << threads;
  if (dependsOnThread(tile))
    return tile.emitOpError("expected the tile in loops on mma not to use the index of the loop on "
                            "thread_x around it: the lanes of a warp execute an instruction "
                            "together");
  if (!mma.isProduct()) {
    if (mma.getExtent(0) == kMmaRows && mma.getExtent(1) % kMmaColumns == 0 &&
        mma.getExtent(1) > 0 && mma.getExtent(1) <= kMaxColumns)
      return success();
    return tile.emitOpError("expected 16 x 8 elements of loops on mma, but got ")
           << mma.getExtent(0) << " x " << mma.getExtent(1)
           << " (of a warp group, the columns are a multiple of 8 up to 256)";
  }
  auto product = dyn_cast<ProductOpInterface>(tile.getElementOp());
  if (!product || product.getFactors() != std::pair(0u, 1u))
    return tile.emitOpError("expected loops on mma of a product of two operands, but got '")
           << tile.getElementOp()->getName() << "'"
           << (product ? " with a third one (which can be added afterwards)" : "");
  const Type element = cast<loop::BufferType>(tile.getInputs()[0].getType()).getElementType();
  // A warp has 16 of the 64 rows of its group.
  const bool exists =
      mma.isOfGroup() ? kernel_ir::WgmmaAttr::exists(mma.getExtent(0) * kGroupWarps,
                                                     mma.getExtent(1), mma.getExtent(2), element)
                      : kernel_ir::MmaAttr::exists(mma.getExtent(0), mma.getExtent(1),
                                                   mma.getExtent(2), element);
  if (!exists)
    return tile.emitOpError("expected loops on mma of a matrix instruction, ")
           << (mma.isOfGroup() ? "16 x n x 16, with n a multiple of 8 up to 256,"
                               : "16 x 8 x 16 or 16 x 8 x 8")
           << " of f16 or bf16, but got " << mma.getExtent(0) << " x " << mma.getExtent(1) << " x "
           << mma.getExtent(2) << " of " << element;
  Type sum = cast<loop::BufferType>(tile.getOutputs().front().getType()).getElementType();
  if (!sum.isF32())
    return tile.emitOpError("expected a matrix instruction to sum in f32, but got ") << sum;
  if (mma.isOfGroup() && failed(verifyGroup(mma)))
    return failure();
  return success(succeeded(verifyOperand(mma, 0)) && succeeded(verifyOperand(mma, 1)));
}

static loop::ForOp findWarpLoop(loop::TileOp tile) {
  auto loop = tile->getParentOfType<loop::ForOp>();
  while (loop && loop.getType() != ParallelType::ThreadY)
    loop = loop->getParentOfType<loop::ForOp>();
  return loop;
}

/// The target has the instruction, and a thread_y loop has the warps of groups.
LogicalResult InstructionSelector::verifyGroup(const MmaLoops &mma) const {
  loop::TileOp tile = mma.tile;
  if (!options.warpGroups)
    return tile.emitOpError("expected a target with products of warp groups (sm_90a) for loops on "
                            "mma of ")
           << mma.getExtent(0) << " x " << mma.getExtent(1) << " x " << mma.getExtent(2)
           << " (16 x 8 x 16 is an instruction of a warp)";
  ArrayRef<int64_t> threads = *loop::KernelOp(kernel).getThreads();
  loop::ForOp warps = findWarpLoop(tile);
  if (threads[0] == kWarp && threads[1] % kGroupWarps == 0 && warps &&
      warps.getConstantExtent() == threads[1])
    return success();
  InFlightDiagnostic diagnostic =
      tile.emitOpError("expected 32 threads along thread_x, and a loop over a multiple of 4 warps "
                       "along thread_y around loops on mma of a warp group, but the block has ")
      << threads[0] << " x " << threads[1] << " threads";
  if (!warps)
    diagnostic.attachNote(tile.getLoc()) << "there is no loop on thread_y around the tile";
  return diagnostic;
}

/// In shared memory, and indexed by the sum and by the rows (columns) of the result.
LogicalResult InstructionSelector::verifyOperand(const MmaLoops &mma, unsigned operand) const {
  loop::TileOp tile = mma.tile;
  Value buffer = tile.getInputs()[operand];
  auto type = cast<loop::BufferType>(buffer.getType());
  if (type.getSpace() != MemoryType::Shared || loop::BufferOp::isDistributed(buffer))
    return tile.emitOpError("expected operand ")
           << operand << " of loops on mma in shared memory of the block, from which ldmatrix "
           << "loads, but it is " << type;
  const loop::AccessAttr access = tile.getRead(operand);
  if (!access.getGuard().empty())
    return tile.emitOpError("expected operand ")
           << operand << " of loops on mma to be read without a guard";
  SmallVector<Value> used;
  for (unsigned dim = 0; dim < tile.getNumDims(); ++dim)
    if (access.getMap().isFunctionOfDim(dim))
      used.push_back(tile.getIndices()[dim]);
  // Swizzled indices depend on others.
  for (unsigned each = 0; each < used.size(); ++each)
    if (auto swizzled = used[each].getDefiningOp<loop::XorOp>())
      llvm::append_range(used, swizzled.getIndices());
  for (unsigned number = 0; number < 3; ++number) {
    const bool isUsed = llvm::is_contained(used, loop::ForOp(mma.loops[number]).getInductionVar());
    if (isUsed == (number != 1 - operand))
      continue;
    static constexpr StringLiteral names[] = {"outermost (rows)", "second (columns)",
                                              "innermost (sum)"};
    return tile.emitOpError("expected operand ")
           << operand << (isUsed ? " not" : "") << " to be indexed by the " << names[number]
           << " loop on mma";
  }
  return success();
}

/// Buffers in registers that the loops index by row and column.
LogicalResult InstructionSelector::addFragments(const MmaLoops &mma) {
  loop::TileOp tile = mma.tile;
  auto find = [&](loop::AccessAttr access, unsigned number) -> std::optional<unsigned> {
    for (auto [position, expr] : llvm::enumerate(access.getMap().getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim &&
          tile.getIndices()[dim.getPosition()] == loop::ForOp(mma.loops[number]).getInductionVar())
        return position;
    return std::nullopt;
  };
  auto add = [&](Value buffer, loop::AccessAttr access) -> LogicalResult {
    auto type = cast<loop::BufferType>(buffer.getType());
    const std::optional<unsigned> row = find(access, 0), column = find(access, 1);
    if (type.getSpace() != MemoryType::Register || !row || !column ||
        type.getShape()[*row] != kMmaRows || type.getShape()[*column] != mma.getNumColumns())
      return tile.emitOpError("expected results of loops on mma in registers, indexed by row and "
                              "column, but got ")
             << type;
    // The elements of a lane are next to each other.
    if (mma.getNumColumns() > kMmaColumns &&
        (*row + 2 != type.getRank() || *column + 1 != type.getRank()))
      return tile.emitOpError("expected results of loops on mma of a warp group with row and "
                              "column as the last dimensions, but got ")
             << type;
    auto [it, isNew] = fragments.insert({buffer, {*row, *column}});
    if (!isNew && (it->second.row != *row || it->second.column != *column))
      return tile.emitOpError("expected loops on mma to index ")
             << type << " by row and column in one order";
    return success();
  };
  for (auto [number, output] : llvm::enumerate(tile.getOutputs()))
    if (failed(add(output, tile.getWrite(number))))
      return failure();
  if (mma.isProduct())
    return success();
  for (auto [number, input] : llvm::enumerate(tile.getInputs()))
    if (auto type = dyn_cast<loop::BufferType>(input.getType());
        type && type.getSpace() == MemoryType::Register && failed(add(input, tile.getRead(number))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Loops of lanes
//===----------------------------------------------------------------------===//

/// Around the tile: a loop over the threads, unless there is one, and of what is no product one
/// over the rows and one over the columns that a lane has.
void InstructionSelector::addLaneLoops(MmaLoops &mma) {
  OpBuilder builder(mma.tile);
  const Location loc = mma.tile.getLoc();
  loop::ForOp threads = findThreadLoop(mma.tile);
  if (!threads)
    threads = openLoop(builder, loc, (*kernel.getThreads())[0], ParallelType::ThreadX);
  mma.thread = threads.getInductionVar();
  if (!mma.isProduct())
    for (int64_t extent : {kOfMmaLane, getColumnsOfLane(mma.getNumColumns())})
      openLoop(builder, loc, extent, ParallelType::Unroll);
  mma.tile->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
}

/// What is in the loops on mma comes before them.
void InstructionSelector::replaceLoops(MmaLoops &mma) {
  loop::ForOp outermost = mma.loops.front();
  eraseUnusedIndices(*mma.tile->getBlock());
  for (loop::ForOp loop : llvm::reverse(mma.loops))
    eraseUnusedIndices(loop.getBlock());
  for (loop::ForOp loop : mma.loops)
    for (Operation &op : llvm::make_early_inc_range(loop.getBlock()))
      if (auto inner = dyn_cast<loop::ForOp>(op); !inner || inner.getType() != ParallelType::Mma)
        op.moveBefore(outermost);
  outermost.erase();
}

LogicalResult InstructionSelector::run() {
  WalkResult walked = kernel.walk<WalkOrder::PreOrder>([&](loop::ForOp loop) {
    if (loop.getType() != ParallelType::Mma)
      return WalkResult::advance();
    return succeeded(collect(loop)) ? WalkResult::skip() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  if (all.empty())
    return success();
  for (const MmaLoops &mma : all)
    if (failed(verify(mma)) || failed(addFragments(mma)))
      return failure();
  for (MmaLoops &mma : all)
    addLaneLoops(mma);
  LaneAccesses accesses(kernel, fragments);
  for (const MmaLoops &mma : all) {
    if (!mma.isProduct()) {
      auto columns = cast<loop::ForOp>(mma.tile->getParentOp());
      accesses.distribute(mma, cast<loop::ForOp>(columns->getParentOp()).getInductionVar(),
                          columns.getInductionVar());
    } else if (failed(mma.isOfGroup() ? accesses.useGroupInstruction(mma, findWarpLoop(mma.tile))
                                      : accesses.useInstruction(mma))) {
      return failure();
    }
  }
  walked = kernel.walk([&](loop::TileOp tile) {
    return failed(accesses.distributeReads(tile)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto [buffer, fragment] : fragments) {
    auto type = cast<loop::BufferType>(buffer.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[fragment.row] = kOfMmaLane;
    shape[fragment.column] = getColumnsOfLane(shape[fragment.column]);
    buffer.setType(
        loop::BufferType::get(kernel.getContext(), shape, type.getElementType(), type.getSpace()));
  }
  for (MmaLoops &mma : all)
    replaceLoops(mma);
  if (options.matrixStores)
    storeMatrices(kernel);
  return success();
}

LogicalResult fuser::selectInstructions(loop::KernelOp kernel, const LoweringOptions &options) {
  return InstructionSelector(kernel, options).run();
}
