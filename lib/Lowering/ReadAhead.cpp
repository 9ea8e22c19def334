//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A block that reduces one row after the other waits for each row: the next one is read while it
// computes. Rows that are read ahead are in registers (fuser-plan-reductions).
//
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"
#include "Stages.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// Bytes that a thread may read ahead: they take its registers during the whole iteration.
static constexpr int64_t kMaxBytesAhead = 96;

namespace {
/// Reads the rows of one loop ahead.
class RowReader {
public:
  RowReader(loop::KernelOp kernel, LoopFacts &facts, loop::ForOp rows)
      : kernel(kernel), facts(facts), rows(rows), row(facts.getExpr(rows.getInductionVar())) {}
  void run();

private:
  bool isLoad(loop::TileOp tile);
  bool isLoads(Operation &item);
  bool dependsOnRow(loop::TileOp tile);
  void clone(Operation *item, OpBuilder &builder, AffineExpr newRow, Constraint within);
  void makeMoves(Operation *item);

  loop::KernelOp kernel;
  LoopFacts &facts;
  loop::ForOp rows;
  const AffineExpr row;
  /// For each buffer of a row, the one of the next row.
  IRMapping nextOf;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is read ahead
//===----------------------------------------------------------------------===//

/// Tiles that write the buffer.
static int64_t countWriters(loop::KernelOp kernel, Value buffer) {
  int64_t writers = 0;
  for (Operation *user : buffer.getUsers())
    if (auto tile = dyn_cast<loop::TileOp>(user))
      writers += llvm::is_contained(tile.getOutputs(), buffer);
    else
      writers += !isa<loop::TileOp>(user);
  return writers;
}

/// True if the tile moves an element of an argument that the kernel does not write to a buffer of
/// the iteration, at indices that no data determine.
bool RowReader::isLoad(loop::TileOp tile) {
  if (tile.getStep() != loop::TileStep::Element || tile.getElementOp() ||
      tile.getInputs().size() != 1)
    return false;
  Value from = tile.getInputs().front(), to = tile.getOutputs().front();
  auto buffer = to.getDefiningOp<loop::BufferOp>();
  return isa<BlockArgument>(from) && isa<loop::BufferType>(from.getType()) &&
         countWriters(kernel, from) == 0 && buffer && buffer->getBlock() == &rows.getBlock() &&
         buffer.getType().getSpace() == MemoryType::Register && countWriters(kernel, to) == 1 &&
         llvm::all_of(tile.getIndices(), llvm::IsaPred<BlockArgument>);
}

bool RowReader::isLoads(Operation &item) {
  bool any = false;
  WalkResult result = item.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto tile = dyn_cast<loop::TileOp>(op)) {
      any = true;
      return isLoad(tile) && dependsOnRow(tile) ? WalkResult::skip() : WalkResult::interrupt();
    }
    return isa<loop::ForOp>(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return any && !result.wasInterrupted();
}

bool RowReader::dependsOnRow(loop::TileOp tile) {
  return llvm::is_contained(tile.getIndices(), rows.getInductionVar());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The loads of `item` for another row, into the buffers of the next row, where that row exists.
void RowReader::clone(Operation *item, OpBuilder &builder, AffineExpr newRow, Constraint within) {
  IRMapping mapping = nextOf;
  Operation *copy = builder.clone(*item, mapping);
  // Expressions are those of the loops of the item.
  ExprReplacement replacement = {{row, newRow}};
  item->walk([&](loop::ForOp loop) {
    Value variable = loop.getInductionVar();
    replacement[facts.getExpr(variable)] = facts.getExpr(mapping.lookup(variable));
  });
  SmallVector<loop::TileOp> tiles, copies;
  item->walk([&](loop::TileOp tile) { tiles.push_back(tile); });
  copy->walk([&](loop::TileOp tile) { copies.push_back(tile); });
  for (auto [tile, other] : llvm::zip_equal(tiles, copies)) {
    TileExprs exprs = facts.lift(tile);
    replaceAll(exprs, replacement);
    exprs.guard.insert(exprs.guard.begin(), within);
    setTileExprs(other, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  }
}

/// The loads of `item` become moves from the buffers of the next row.
void RowReader::makeMoves(Operation *item) {
  item->walk([&](loop::TileOp tile) {
    Value to = tile.getOutputs().front(), from = nextOf.lookup(to);
    TileExprs exprs = facts.lift(tile);
    exprs.reads.front() = exprs.writes.front();
    exprs.guard.clear();
    tile.getInputsMutable().assign(from);
    setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  });
}

void RowReader::run() {
  // The loads before anything else is computed.
  SmallVector<Operation *> items;
  llvm::SmallSetVector<Value, 4> buffers;
  for (Operation &op : rows.getBlock()) {
    if (op.walk([](loop::CombineOp) { return WalkResult::interrupt(); }).wasInterrupted())
      break;
    if (!isLoads(op))
      continue;
    items.push_back(&op);
    op.walk([&](loop::TileOp tile) { buffers.insert(tile.getOutputs().front()); });
  }
  int64_t bytes = 0;
  for (Value buffer : buffers) {
    auto type = cast<loop::BufferType>(buffer.getType());
    if (!type.getElementType().isIntOrFloat())
      return;
    bytes +=
        type.getNumElements() * llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  }
  if (items.empty() || bytes > kMaxBytesAhead)
    return;
  OpBuilder builder(rows);
  for (Value buffer : buffers)
    nextOf.map(buffer, builder.clone(*buffer.getDefiningOp())->getResult(0));
  const AffineExpr zero = getAffineConstantExpr(0, kernel.getContext());
  const AffineExpr extent = facts.getExtent(rows);
  for (Operation *item : items)
    clone(item, builder, zero, Constraint::less(zero, extent));
  for (Operation *item : items) {
    OpBuilder after(kernel.getContext());
    after.setInsertionPointAfter(item);
    clone(item, after, row + 1, Constraint::less(row + 1, extent));
    makeMoves(item);
  }
}

void fuser::readRowsAhead(loop::KernelOp kernel, LoopFacts &facts) {
  SmallVector<loop::ForOp> loops;
  kernel.walk([&](loop::ForOp loop) {
    bool combines = false;
    loop.walk([&](loop::CombineOp combine) { combines = true; });
    if (combines && !loop.isWrittenOut() && loop.getType() == ParallelType::Serial)
      loops.push_back(loop);
  });
  for (loop::ForOp loop : loops)
    RowReader(kernel, facts, loop).run();
}
