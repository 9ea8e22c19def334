//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values that few elements select, read or computed in a branch.
//
//===----------------------------------------------------------------------===//

#include "ExpandRareValues.h"
#include "fuser/Dialect/IR/RareOps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

/// The condition of all lanes, if it holds at one place; null for others.
static Value getConditionOfPlace(arith::SelectOp select) {
  auto lanes = select.getCondition().getDefiningOp<vector::BroadcastOp>();
  if (!lanes || !lanes.getSource().getType().isInteger(1))
    return {};
  Value condition = lanes.getSource();
  if (auto lane = condition.getDefiningOp<vector::ExtractOp>())
    condition = lane.getSource();
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  return comparison && comparison.getPredicate() == arith::CmpIPredicate::eq ? lanes.getSource()
                                                                             : Value();
}

/// True if a lane of the condition, which may be a scalar, is.
static Value isAny(OpBuilder &builder, Location loc, Value condition) {
  auto type = dyn_cast<VectorType>(condition.getType());
  if (!type)
    return condition;
  Value any;
  for (Value lane : vector::ToElementsOp::create(builder, loc, condition).getResults())
    any = any ? arith::OrIOp::create(builder, loc, any, lane).getResult() : lane;
  return any;
}

bool fuser::readsOnlyArguments(Operation &op) {
  Value memory;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    memory = load.getMemRef();
  else if (auto load = dyn_cast<vector::LoadOp>(op))
    memory = load.getBase();
  while (auto view = memory ? memory.getDefiningOp<ViewLikeOpInterface>() : ViewLikeOpInterface())
    memory = view.getViewSource();
  auto argument = dyn_cast_if_present<BlockArgument>(memory);
  auto function =
      argument ? dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) : gpu::GPUFuncOp();
  return function && argument.getArgNumber() < function.getFunctionType().getNumInputs() &&
         function.getArgAttr(argument.getArgNumber(), FuserGPUDialect::kReadonly);
}

namespace {
/// Collects the ops of a block from which one operand alone is computed.
class OpsOfOperand {
public:
  explicit OpsOfOperand(OpOperand &operand)
      : operand(operand), block(operand.getOwner()->getBlock()) {
    visit(operand.get());
    while (!pending.empty())
      visit(pending.pop_back_val());
  }

  /// True if one of them reads memory in a branch of its own.
  bool hasBranches() const {
    return llvm::any_of(ops, [](Operation *op) { return isa<scf::IfOp>(op); });
  }

  /// The ops in order.
  SmallVector<Operation *> get() const {
    SmallVector<Operation *> sorted(ops.getArrayRef());
    llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return sorted;
  }

private:
  void visit(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != block || ops.contains(op) ||
        op->hasTrait<OpTrait::ConstantLike>() || !isMovable(*op) ||
        !llvm::all_of(op->getUses(), [&](OpOperand &use) { return isOwn(use); }))
      return;
    ops.insert(op);
    // Visited again after each of their users.
    op->walk([&](Operation *inner) { llvm::append_range(pending, inner->getOperands()); });
  }

  bool isOwn(OpOperand &use) const {
    Operation *user = block->findAncestorOpInBlock(*use.getOwner());
    return &use == &operand || ops.contains(user);
  }

  /// True for what may run anywhere: without side effects, or a branch that reads what the kernel
  /// does not write.
  static bool isMovable(Operation &op) {
    if (!isa<scf::IfOp>(op))
      return isPure(&op);
    return !op.walk([&](Operation *inner) {
                return isa<scf::IfOp>(inner) || isPure(inner) || readsOnlyArguments(*inner)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              }).wasInterrupted();
  }

  OpOperand &operand;
  Block *block;
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> pending;
};
} // namespace

/// Replaces the select by a branch, in which `ops` are computed and `onTrue` is its value.
static void replaceByBranch(arith::SelectOp select, Value condition, ArrayRef<Operation *> ops,
                            function_ref<Value(OpBuilder &)> onTrue) {
  OpBuilder builder(select);
  const Location loc = select.getLoc();
  auto vector = dyn_cast<VectorType>(select.getType());
  // A vector of narrow elements would be packed at the end of each region, and unpacked again.
  const SmallVector<Type> types(vector ? vector.getNumElements() : 1,
                                getElementTypeOrSelf(select.getType()));
  auto branch = scf::IfOp::create(builder, loc, types, condition, /*withElseRegion=*/true);
  for (Operation *op : ops)
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  auto yield = [&](OpBuilder end, Value value) {
    SmallVector<Value> elements = {value};
    if (vector)
      llvm::append_range(elements = {}, vector::ToElementsOp::create(end, loc, value).getResults());
    scf::YieldOp::create(end, loc, elements);
  };
  auto inside = OpBuilder::atBlockEnd(branch.thenBlock());
  yield(inside, onTrue(inside));
  yield(OpBuilder::atBlockEnd(branch.elseBlock()), select.getFalseValue());
  Value result = branch.getResult(0);
  if (vector)
    result = vector::FromElementsOp::create(builder, loc, vector, branch.getResults());
  select.replaceAllUsesWith(result);
  select.erase();
}

void fuser::branchToRareValues(gpu::GPUFuncOp function) {
  SmallVector<arith::SelectOp> selects;
  function.walk([&](arith::SelectOp select) {
    if (select->hasAttr(kRareAttrName) || getConditionOfPlace(select))
      selects.push_back(select);
  });
  for (arith::SelectOp select : selects) {
    const OpsOfOperand ops(select.getTrueValueMutable());
    if (select->hasAttr(kRareAttrName)) {
      // Lanes for which the condition does not hold select in the branch.
      OpBuilder builder(select);
      Value any = isAny(builder, select.getLoc(), select.getCondition());
      replaceByBranch(select, any, ops.get(), [&](OpBuilder &inside) -> Value {
        return arith::SelectOp::create(inside, select.getLoc(), select.getCondition(),
                                       select.getTrueValue(), select.getFalseValue());
      });
    } else if (ops.hasBranches()) {
      replaceByBranch(select, getConditionOfPlace(select), ops.get(),
                      [&](OpBuilder &) { return select.getTrueValue(); });
    }
  }
}
