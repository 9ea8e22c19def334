//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// When products of warp groups and bulk copies to arguments are waited for, and how they see what
// threads have written.
//
//===----------------------------------------------------------------------===//

#include "MmaOperands.h"
#include "Stages.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The op around a product, in the block in which it is waited for: its loops that are written out
/// or run by threads, unless something else in them uses the accumulators.
static Operation *findGroup(loop::TileOp tile) {
  Value accumulator = tile.getOutputs().front();
  Operation *group = findProductLoops(tile).front();
  for (auto around = dyn_cast<loop::ForOp>(group->getParentOp());
       around && (around.isWrittenOut() || isThreadType(around.getType()));
       around = dyn_cast<loop::ForOp>(around->getParentOp())) {
    if (llvm::any_of(accumulator.getUsers(),
                     [&](Operation *user) { return user != tile && around->isAncestor(user); }) ||
        around->isAncestor(accumulator.getDefiningOp()))
      break;
    group = around;
  }
  return group;
}

/// True if the products of an iteration are waited for in the next one.
static bool isCommitted(Operation *group) {
  for (Operation *next = group->getNextNode(); next; next = next->getNextNode())
    if (isa<loop::CommitProductsOp>(next))
      return true;
  return false;
}

/// Makes the products of each group visible at once after it.
static void waitForProducts(ArrayRef<loop::TileOp> products) {
  llvm::SmallSetVector<Operation *, 2> groups;
  llvm::DenseMap<Operation *, llvm::SmallSetVector<Value, 2>> accumulators;
  for (loop::TileOp tile : products) {
    Operation *group = findGroup(tile);
    groups.insert(group);
    accumulators[group].insert(tile.getOutputs().front());
  }
  for (Operation *group : groups) {
    if (isCommitted(group))
      continue;
    OpBuilder builder(group->getContext());
    builder.setInsertionPointAfter(group);
    loop::CommitProductsOp::create(builder, group->getLoc());
    loop::WaitProductsOp::create(builder, group->getLoc(), /*pending=*/0,
                                 accumulators[group].getArrayRef());
  }
}

static void fenceAfter(Operation *op) {
  if (isa_and_present<loop::FenceAsyncOp>(op->getNextNode()))
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  loop::FenceAsyncOp::create(builder, op->getLoc());
}

/// After what writes an operand: the op in the innermost block that also has the product, or the
/// copy.
static void fenceWrites(loop::TileOp product, Value operand) {
  for (Operation *user : llvm::make_early_inc_range(operand.getUsers())) {
    auto tile = dyn_cast<loop::TileOp>(user);
    const bool isCopy = loop::BufferOp::isCircular(operand);
    const bool writes = isCopy ? isa<loop::WaitCopiesOp>(user)
                               : tile && llvm::is_contained(tile.getOutputs(), operand);
    if (!writes)
      continue;
    Block *common = user->getBlock();
    while (!common->findAncestorOpInBlock(*product))
      common = common->getParentOp()->getBlock();
    Operation *around = common->findAncestorOpInBlock(*user);
    // After a loop of copies, nothing reads them.
    if (!isCopy || around->isBeforeInBlock(common->findAncestorOpInBlock(*product)))
      fenceAfter(around);
  }
}

/// After the loops that are written out around the copies of a tile.
static void waitForStores(loop::TileOp store) {
  Operation *group = store;
  for (auto around = dyn_cast<loop::ForOp>(group->getParentOp());
       around && around.isWrittenOut() && around.getBlock().getOperations().size() == 1;
       around = dyn_cast<loop::ForOp>(around->getParentOp()))
    group = around;
  OpBuilder builder(group->getContext());
  builder.setInsertionPointAfter(group);
  loop::WaitStoresOp::create(builder, store.getLoc());
}

void fuser::synchronizeProducts(loop::KernelOp kernel) {
  SmallVector<loop::TileOp> stores;
  kernel.walk([&](loop::TileOp tile) {
    if (tile.getStep() == loop::TileStep::Store)
      stores.push_back(tile);
  });
  for (loop::TileOp store : stores) {
    fenceWrites(store, store.getInputs().front());
    waitForStores(store);
  }
  const SmallVector<loop::TileOp> products = findProductsOfGroups(kernel);
  waitForProducts(products);
  for (loop::TileOp product : products)
    for (Value operand : product.getInputs())
      if (!loop::BufferOp::isBulk(operand))
        fenceWrites(product, operand);
}
