//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Guards that all parts of a thread have in common.
//
//===----------------------------------------------------------------------===//

#include "CommonGuards.h"
#include "KnownComparisons.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

void fuser::addConjuncts(Value condition, llvm::SmallPtrSetImpl<Value> &conjuncts) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    addConjuncts(both.getLhs(), conjuncts);
    addConjuncts(both.getRhs(), conjuncts);
    return;
  }
  if (getConstantIntValue(condition) != 1)
    conjuncts.insert(condition);
}

using Conditions = llvm::SmallPtrSet<Value, 4>;

/// The conditions of the branches around the op that have to hold.
static Conditions getConditions(Operation *op) {
  Conditions conditions;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (branch && branch.getThenRegion().isAncestor(op->getParentRegion()))
      addConjuncts(branch.getCondition(), conditions);
  }
  return conditions;
}

/// The memory that an op stores in, unless it is a buffer of the thread; null for other ops.
static Value getStoredMemory(Operation *op) {
  Value memory;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    memory = store.getMemRef();
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    memory = store.getBase();
  return memory && !memory.getDefiningOp<memref::AllocaOp>() ? memory : Value();
}

/// The conditions that all stores of the function have.
static Conditions getCommonConditions(gpu::GPUFuncOp function) {
  std::optional<Conditions> common;
  function.walk([&](Operation *op) {
    if (!getStoredMemory(op))
      return;
    Conditions conditions = getConditions(op);
    if (common)
      conditions.remove_if([&](Value each) { return !common->contains(each); });
    common = std::move(conditions);
  });
  return common.value_or(Conditions());
}

std::optional<llvm::SmallSetVector<Operation *, 16>>
fuser::getPureOpsOf(llvm::ArrayRef<Value> values, Block &block) {
  llvm::SmallSetVector<Operation *, 16> ops;
  auto add = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || (op->getBlock() != &block && op->getParentRegion()->isAncestor(block.getParent())))
      return true;
    ops.insert(op);
    return op->getBlock() == &block && isPure(op) && op->getNumRegions() == 0;
  };
  if (!llvm::all_of(values, add))
    return std::nullopt;
  for (size_t next = 0; next < ops.size(); ++next)
    if (!llvm::all_of(ops[next]->getOperands(), add))
      return std::nullopt;
  return ops;
}

bool fuser::isBeforeBranches(Operation &op, Block &block) {
  return isa<memref::AllocaOp>(op) || op.hasTrait<OpTrait::ConstantLike>() ||
         (isa<ViewLikeOpInterface>(op) && llvm::all_of(op.getOperands(), [&](Value operand) {
            Operation *source = operand.getDefiningOp();
            return !source || (source->getBlock() == &block && isBeforeBranches(*source, block));
          }));
}

void fuser::inlineKnownBranches(Region &region) {
  IRRewriter rewriter(region.getContext());
  region.walk([&](scf::IfOp branch) {
    const std::optional<int64_t> condition = getConstantIntValue(branch.getCondition());
    if (!condition)
      return;
    Block *block = *condition != 0 ? branch.thenBlock() : branch.elseBlock();
    if (!block) {
      rewriter.eraseOp(branch);
      return;
    }
    auto yield = cast<scf::YieldOp>(block->getTerminator());
    const SmallVector<Value> yielded(yield.getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(block, branch);
    rewriter.replaceOp(branch, yielded);
  });
}

void fuser::branchOnCommonGuard(gpu::GPUFuncOp function) {
  Block &block = function.getBody().front();
  const Conditions common = getCommonConditions(function);
  const auto guarded = llvm::count_if(block.getOps<scf::IfOp>(), [&](scf::IfOp branch) {
    Conditions conditions;
    addConjuncts(branch.getCondition(), conditions);
    return llvm::any_of(conditions, [&](Value each) { return common.contains(each); });
  });
  auto conditionOps = getPureOpsOf(SmallVector<Value>(common.begin(), common.end()), block);
  // All threads execute a wait.
  const bool waits = !block.getOps<kernel_ir::WaitDependenciesOp>().empty();
  if (guarded < 2 || !conditionOps || waits)
    return;
  SmallVector<Operation *> moved;
  // In the order of the block, not of addresses.
  SmallVector<Value> ordered;
  for (Operation &op : block.without_terminator()) {
    if (!conditionOps->contains(&op) && !isBeforeBranches(op, block))
      moved.push_back(&op);
    for (Value result : op.getResults())
      if (common.contains(result))
        ordered.push_back(result);
  }
  // An argument of the kernel is the same for all threads.
  if (ordered.size() != common.size())
    return;
  OpBuilder builder(block.getTerminator());
  const Location loc = function.getLoc();
  Value condition;
  for (Value each : ordered)
    condition = condition ? arith::AndIOp::create(builder, loc, condition, each).getResult() : each;
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  for (Operation *op : moved)
    op->moveBefore(branch.thenYield());
  OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
  Value always = arith::ConstantOp::create(inside, loc, inside.getBoolAttr(true));
  for (Value each : ordered)
    each.replaceUsesWithIf(always, [&](OpOperand &use) {
      return branch.getThenRegion().isAncestor(use.getOwner()->getParentRegion());
    });
  shareEqualValues(function);
  inlineKnownBranches(branch.getThenRegion());
}
