//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaneAccesses.h"
#include "GroupOperands.h"
#include "Warps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;

loop::ForOp fuser::findThreadLoop(Operation *op) {
  for (auto loop = op->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (loop.getType() == ParallelType::ThreadX)
      return loop;
  return {};
}

loop::ForOp fuser::openLoop(OpBuilder &builder, Location loc, int64_t extent, ParallelType type) {
  auto loop = createFor(builder, loc, getAffineConstantExpr(extent, builder.getContext()), type,
                        std::nullopt, [](AffineExpr) { return Value(); });
  builder.setInsertionPointToEnd(&loop.getBlock());
  return loop;
}

void fuser::eraseUnusedIndices(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<loop::XorOp>(op) && op.use_empty())
      op.erase();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Lane 8 * q + r names row r of matrix q. Matrices are along the rows (columns) of the result
/// first, then along the sum.
LaneAccesses::Address LaneAccesses::getAddress(const MmaLoops &mma, unsigned operand,
                                               bool isTransposed) {
  const AffineExpr lane = rows.getLane(mma.thread), element = rows.getElement();
  auto getIndex = [&](unsigned number) {
    return facts.getExpr(loop::ForOp(mma.loops[number]).getInductionVar());
  };
  const int64_t outer = operand == 0 ? kMmaRows : kMmaColumns;
  const int64_t steps = *loop::ForOp(mma.loops[2]).getConstantExtent() / kMatrix;
  // The index of the first row of matrix q, and of its step of the sum.
  const AffineExpr first = (lane.floorDiv(kMatrix) % (outer / kMatrix)) * kMatrix;
  const AffineExpr step = (lane.floorDiv(outer) % steps) * kMatrix;
  if (!isTransposed)
    return {{getIndex(operand), lane % outer}, {getIndex(2), step + element}};
  return {{getIndex(operand), first + element},
          {getIndex(2), outer == kMatrix ? lane % (kMatrix * steps) : step + lane % kMatrix}};
}

/// True if 8 elements are next to each other, at multiples of 16 bytes.
bool LaneAccesses::findAddress(const MmaLoops &mma, unsigned operand, bool isTransposed,
                               AccessExprs &access) {
  OpBuilder builder(mma.tile);
  return rows.findRow(builder, loop::TileOp(mma.tile).getInputs()[operand],
                      getAddress(mma, operand, isTransposed), access);
}

/// True if all elements of the buffer are written, zeros where there is nothing to copy.
bool LaneAccesses::isWhole(Value buffer) const {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    auto tile = dyn_cast<loop::TileOp>(user);
    return !tile || !llvm::is_contained(tile.getOutputs(), buffer) ||
           // A box is whole in each iteration that exists.
           tile.getTensorMap() || (tile.getGuard().empty() && !tile.getElementOp());
  });
}

/// Products with zeros add nothing, and what is added to results that do not exist is not read.
LogicalResult LaneAccesses::dropGuard(const MmaLoops &mma, TileExprs &exprs) const {
  loop::TileOp tile = mma.tile;
  llvm::erase_if(exprs.guard, [&](const Constraint &each) { return facts.isProved(each); });
  if (!exprs.guard.empty() &&
      !llvm::all_of(tile.getInputs(), [&](Value input) { return isWhole(input); }))
    return tile.emitOpError(
        "expected the operands of loops on mma to be copies of arguments, which are zeros where "
        "there is no element, or all elements to exist (a fact 'divisible' would say so)");
  exprs.guard.clear();
  return success();
}

LogicalResult LaneAccesses::useInstruction(const MmaLoops &mma) {
  loop::TileOp tile = mma.tile;
  TileExprs exprs = facts.lift(tile);
  bool transposed[2] = {};
  for (unsigned operand = 0; operand < 2; ++operand) {
    transposed[operand] = !findAddress(mma, operand, /*isTransposed=*/false, *exprs.reads[operand]);
    if (transposed[operand] &&
        !findAddress(mma, operand, /*isTransposed=*/true, *exprs.reads[operand]))
      return tile.emitOpError("expected 8 elements of operand ")
             << operand << " next to each other in shared memory, at a multiple of 16 bytes, along "
             << (operand == 0 ? "the rows" : "the columns")
             << " or along the sum of loops on mma, as ldmatrix loads them";
  }
  if (failed(dropGuard(mma, exprs)))
    return failure();
  setBegin(mma, exprs);
  const Type element = cast<loop::BufferType>(tile.getInputs()[0].getType()).getElementType();
  tile.setInstructionAttr(kernel_ir::MmaAttr::get(tile.getContext(), mma.getExtent(0),
                                                  mma.getExtent(1), mma.getExtent(2), element,
                                                  transposed[0], transposed[1]));
  set(tile, exprs);
  return success();
}

/// The write names the first element that a lane has.
void LaneAccesses::setBegin(const MmaLoops &mma, TileExprs &exprs) {
  AccessExprs &write = exprs.writes.front();
  const Fragment fragment = fragments.lookup(loop::TileOp(mma.tile).getOutputs().front());
  write.results[fragment.row] = write.results[fragment.column] = constant(0);
}

/// The first element of an operand is in row 0 of the first warp of the group.
LogicalResult LaneAccesses::useGroupInstruction(const MmaLoops &mma, loop::ForOp warps) {
  loop::TileOp tile = mma.tile;
  TileExprs exprs = facts.lift(tile);
  const AffineExpr warp = facts.getExpr(warps.getInductionVar());
  auto getIndex = [&](unsigned number) {
    return facts.getExpr(loop::ForOp(mma.loops[number]).getInductionVar());
  };
  OpBuilder builder(tile);
  kernel_ir::RowsAttr rowsOf[2];
  for (unsigned operand = 0; operand < 2; ++operand) {
    AccessExprs &access = *exprs.reads[operand];
    const GroupOperand group = {rows.getOffset(tile.getInputs()[operand], access.results),
                                operand == 0 ? kernel_ir::WgmmaOp::kRows : mma.getNumColumns(),
                                mma.getExtent(2),
                                getIndex(operand),
                                getIndex(2),
                                warp,
                                operand == 0 ? kMmaRows : 0};
    rowsOf[operand] = findRows(group, facts);
    if (!rowsOf[operand])
      return tile.emitOpError("expected operand ")
             << operand << " of loops on mma of a warp group in rows of 128, 64 or 32 bytes, along "
             << "the sum or along the "
             << (operand == 0 ? "rows, 16 for each of 4 warps," : "columns")
             << " of the result, whose chunks of 16 bytes are permuted: chunk c of row r of 128 "
                "bytes is at place c xor r mod 8";
    Address address = {{getIndex(operand), constant(0)},
                       {getIndex(2), constant(0)},
                       {warp, warp.floorDiv(kGroupWarps) * kGroupWarps}};
    for (AffineExpr &result : access.results)
      result = rows.simplify(rows.substitute(builder, result, address));
  }
  if (failed(dropGuard(mma, exprs)))
    return failure();
  setBegin(mma, exprs);
  const Type element = cast<loop::BufferType>(tile.getInputs()[0].getType()).getElementType();
  tile.setInstructionAttr(kernel_ir::WgmmaAttr::get(tile.getContext(), kernel_ir::WgmmaOp::kRows,
                                                    mma.getNumColumns(), mma.getExtent(2), element,
                                                    rowsOf[0], rowsOf[1]));
  set(tile, exprs);
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Lane t has rows t floordiv 4 + 8 * i, and columns 2 * (t mod 4) + j of each 8.
void LaneAccesses::distribute(const MmaLoops &mma, Value row, Value column) {
  auto getIndex = [&](unsigned number) {
    return facts.getExpr(loop::ForOp(mma.loops[number]).getInductionVar());
  };
  const AffineExpr lane = rows.getLane(mma.thread);
  TileExprs exprs = facts.lift(mma.tile);
  const AffineExpr ofLane = facts.getExpr(column);
  const AffineExpr inTile = (lane % 4) * kOfMmaLane;
  replaceAll(exprs, {{getIndex(0), facts.getExpr(row) * kMatrix + lane.floorDiv(4)},
                     {getIndex(1), mma.getNumColumns() == kMmaColumns
                                       ? inTile + ofLane
                                       : ofLane.floorDiv(kOfMmaLane) * kMmaColumns + inTile +
                                             ofLane % kOfMmaLane}});
  set(mma.tile, exprs);
}

/// Indices of few iterations are compared one by one where the expressions differ.
bool LaneAccesses::isEqual(AffineExpr a, AffineExpr b) {
  if (a == b || facts.get().isEqual(a, b))
    return true;
  static constexpr int64_t kMaxCases = 1 << 16;
  const AffineExpr difference = a - b;
  llvm::MapVector<AffineExpr, int64_t> extents;
  int64_t cases = 1;
  bool isBounded = true;
  difference.walk([&](AffineExpr leaf) {
    isBounded &= !isa<AffineSymbolExpr>(leaf);
    if (!isBounded || !isa<AffineDimExpr>(leaf) || extents.contains(leaf))
      return;
    const IntegerRange range = facts.getRange(leaf);
    isBounded = range.lower == 0 && range.upper < kMaxCases;
    extents.insert({leaf, range.upper + 1});
    cases = isBounded ? std::min(cases * (range.upper + 1), kMaxCases + 1) : cases;
  });
  if (!isBounded || cases > kMaxCases)
    return false;
  llvm::DenseMap<AffineExpr, int64_t> at;
  for (int64_t number = 0; number < cases; ++number) {
    int64_t rest = number;
    for (auto [dim, extent] : extents) {
      at[dim] = rest % extent;
      rest /= extent;
    }
    if (rows.evaluate(difference, at) != 0)
      return false;
  }
  return true;
}

LogicalResult LaneAccesses::distribute(loop::TileOp tile, const Fragment &fragment,
                                       AccessExprs &access) {
  AffineExpr &row = access.results[fragment.row], &column = access.results[fragment.column];
  loop::ForOp threads = findThreadLoop(tile);
  const AffineExpr lane = threads ? rows.getLane(threads.getInductionVar()) : AffineExpr();
  // The columns of a row are in 4 lanes.
  if (lane && isEqual(rows.getFolded(row % kMatrix), rows.getFolded(lane.floorDiv(4))) &&
      isEqual(rows.getFolded((column % kMmaColumns).floorDiv(kOfMmaLane)),
              rows.getFolded(lane % 4))) {
    row = rows.getFolded(row.floorDiv(kMatrix));
    column = rows.getFolded(column.floorDiv(kMmaColumns) * kOfMmaLane + column % kOfMmaLane);
    return success();
  }
  InFlightDiagnostic diagnostic = tile.emitOpError(
      "expected to read the result of a matrix instruction in the lanes that have it: lane t of a "
      "warp, along thread_x, has rows t floordiv 4 + 8 * i and columns 2 * (t mod 4) + j of 16 x 8 "
      "(splits by 8 and by 2, and a merge of what is left on thread_x)");
  if (!threads)
    diagnostic.attachNote(tile.getLoc()) << "there is no loop on thread_x around the tile";
  return diagnostic;
}

/// A lane accesses its own part of fragments.
LogicalResult LaneAccesses::distributeReads(loop::TileOp tile) {
  auto isFragment = [&](Value buffer) { return fragments.contains(buffer); };
  if (tile.getInstruction() ||
      (llvm::none_of(tile.getInputs(), isFragment) && llvm::none_of(tile.getOutputs(), isFragment)))
    return success();
  TileExprs exprs = facts.lift(tile);
  for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
    if (isFragment(input) && failed(distribute(tile, fragments.lookup(input), *access)))
      return failure();
  for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), exprs.writes))
    if (isFragment(output) && failed(distribute(tile, fragments.lookup(output), access)))
      return failure();
  set(tile, exprs);
  return success();
}
