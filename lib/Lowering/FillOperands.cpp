//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operands of matrix instructions, which read elements without asking whether they exist.
//
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"
#include "MmaOperands.h"
#include "Stages.h"

using namespace mlir;
using namespace fuser;

bool fuser::isOperandOfMma(Value buffer) {
  auto type = dyn_cast<loop::BufferType>(buffer.getType());
  return type && type.getSpace() == MemoryType::Shared &&
         llvm::any_of(buffer.getUsers(), [&](Operation *user) {
           auto around = dyn_cast<loop::ForOp>(user->getParentOp());
           auto tile = dyn_cast<loop::TileOp>(user);
           return tile && llvm::is_contained(tile.getInputs(), buffer) && around &&
                  around.getType() == ParallelType::Mma;
         });
}

SmallVector<loop::ForOp, 3> fuser::findProductLoops(loop::TileOp tile) {
  SmallVector<loop::ForOp, 3> loops;
  for (auto around = dyn_cast<loop::ForOp>(tile->getParentOp());
       around && around.getType() == ParallelType::Mma;
       around = dyn_cast<loop::ForOp>(around->getParentOp()))
    loops.insert(loops.begin(), around);
  return loops.size() == 3 ? loops : SmallVector<loop::ForOp, 3>();
}

bool fuser::isProductOfGroup(loop::TileOp tile) {
  const SmallVector<loop::ForOp, 3> loops = findProductLoops(tile);
  return !loops.empty() && loop::ForOp(loops[1]).getConstantExtent() > kMmaColumns;
}

SmallVector<loop::TileOp> fuser::findProductsOfGroups(Operation *op) {
  SmallVector<loop::TileOp> products;
  op->walk([&](loop::TileOp tile) {
    if (isProductOfGroup(tile))
      products.push_back(tile);
  });
  return products;
}

bool fuser::isOperandOfGroup(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    auto tile = dyn_cast<loop::TileOp>(user);
    return tile && llvm::is_contained(tile.getInputs(), buffer) && isProductOfGroup(tile);
  });
}

/// Where there is no element to move, a zero is written.
void fuser::fillOperands(loop::KernelOp kernel) {
  SmallVector<loop::TileOp> moves;
  kernel.walk([&](loop::TileOp tile) {
    if (!tile.getElementOp() && tile.getRead(0) && isOperandOfMma(tile.getOutputs().front()))
      moves.push_back(tile);
  });
  if (moves.empty())
    return;
  LoopFacts facts(kernel);
  for (loop::TileOp tile : moves) {
    TileExprs exprs = facts.lift(tile);
    llvm::append_range(exprs.reads.front()->guard, exprs.guard);
    exprs.guard.clear();
    setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  }
}
