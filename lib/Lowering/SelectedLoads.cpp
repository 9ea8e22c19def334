//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Selections between two elements of one argument, as one load at a selected index.
//
//===----------------------------------------------------------------------===//

#include "SelectedLoads.h"
#include "ExpandRareValues.h"
#include "KnownComparisons.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

namespace {
/// An element that is loaded where `guard` holds, and a number where it does not; null: always; not
/// known.
struct GuardedLoad {
  memref::LoadOp load;
  Value guard, otherwise;
};
} // namespace

/// The op of the block of `load` that stores last before it in the buffer of one element that it
/// reads, or has a branch that does; null if there is none.
static Operation *getLastStore(memref::LoadOp load) {
  auto buffer = load.getMemRef().getDefiningOp<memref::AllocaOp>();
  if (!buffer || !buffer.getType().hasStaticShape() || buffer.getType().getNumElements() != 1)
    return nullptr;
  Operation *last = nullptr;
  for (Operation *user : buffer->getUsers()) {
    Operation *op = load->getBlock()->findAncestorOpInBlock(*user);
    if (isa<memref::LoadOp>(user) || !op || !op->isBeforeInBlock(load))
      continue;
    if (!last || last->isBeforeInBlock(op))
      last = op;
  }
  return last;
}

/// What a branch without another one stores in a buffer of one element.
static std::optional<GuardedLoad> getBufferedLoad(memref::LoadOp load) {
  auto branch = dyn_cast_or_null<scf::IfOp>(getLastStore(load));
  if (!branch || !branch.getElseRegion().empty())
    return std::nullopt;
  memref::StoreOp store;
  for (Operation *user : load.getMemRef().getUsers()) {
    // What the buffer has if the branch is not taken is not used.
    if (!isa<memref::LoadOp>(user) && user->getBlock() == load->getBlock())
      return std::nullopt;
    if (branch->isAncestor(user)) {
      // Only one, which is not in another branch.
      if (store || user->getBlock() != branch.thenBlock())
        return std::nullopt;
      store = dyn_cast<memref::StoreOp>(user);
    }
  }
  auto loaded = store ? store.getValue().getDefiningOp<memref::LoadOp>() : memref::LoadOp();
  if (!loaded || loaded->getBlock() != store->getBlock() || !readsOnlyArguments(*loaded))
    return std::nullopt;
  return GuardedLoad{loaded, branch.getCondition(), {}};
}

/// True if the guard is the condition, or this and others.
static bool hasCondition(Value guard, Value condition) {
  if (guard == condition)
    return true;
  auto both = guard.getDefiningOp<arith::AndIOp>();
  return both && (hasCondition(both.getLhs(), condition) || hasCondition(both.getRhs(), condition));
}

/// True for one value, or two equal constants.
static bool areEqual(Value a, Value b) {
  Attribute ofA, ofB;
  return a == b ||
         (matchPattern(a, m_Constant(&ofA)) && matchPattern(b, m_Constant(&ofB)) && ofA == ofB);
}

static std::optional<GuardedLoad> getGuardedLoad(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast_or_null<memref::LoadOp>(op))
    return readsOnlyArguments(*load) ? std::optional(GuardedLoad{load, {}, {}})
                                     : getBufferedLoad(load);
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    const unsigned result = cast<OpResult>(value).getResultNumber();
    auto load = branch.thenYield().getOperand(result).getDefiningOp<memref::LoadOp>();
    if (!load || load->getBlock() != branch.thenBlock() || !readsOnlyArguments(*load))
      return std::nullopt;
    return GuardedLoad{load, branch.getCondition(), branch.elseYield().getOperand(result)};
  }
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  std::optional<GuardedLoad> loaded = select ? getGuardedLoad(select.getTrueValue()) : std::nullopt;
  if (!loaded || (loaded->guard && !hasCondition(loaded->guard, select.getCondition())) ||
      (loaded->otherwise && !areEqual(loaded->otherwise, select.getFalseValue())))
    return std::nullopt;
  // Where only a part of the guard holds, what is loaded is not known.
  Value guard = loaded->guard ? loaded->guard : select.getCondition();
  return GuardedLoad{loaded->load, guard, select.getFalseValue()};
}

namespace {
/// Merges the loads of one function, block by block, with the ranges of the conditions around them.
class LoadMerger {
public:
  LoadMerger(gpu::GPUFuncOp function, const LaunchSizes &launch)
      : dominance(function), ranges(launch) {}

  void run(Block &block);

private:
  void fold(scf::IfOp branch);
  bool fold(arith::SelectOp select);
  void merge(arith::SelectOp select);
  bool holds(Value guard, Value condition, bool isTrue);
  bool isAvailable(Value value, Operation *user) const {
    return !value || dominance.properlyDominates(value, user);
  }

  DominanceInfo dominance;
  ValueRanges ranges;
};
} // namespace

void LoadMerger::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto select = dyn_cast<arith::SelectOp>(op); select && !fold(select))
      merge(select);
    auto branch = dyn_cast<scf::IfOp>(op);
    if (branch)
      fold(branch);
    for (Region &region : op.getRegions()) {
      if (branch && !region.empty())
        ranges.enter(branch.getCondition(), &region == &branch.getThenRegion());
      for (Block &inner : region)
        run(inner);
      if (branch && !region.empty())
        ranges.leave();
    }
  }
}

/// The guard of a border is known where no thread is next to it.
void LoadMerger::fold(scf::IfOp branch) {
  const std::optional<bool> outcome = getKnownOutcome(branch.getCondition(), ranges);
  if (!outcome)
    return;
  OpBuilder builder(branch);
  branch.getConditionMutable().assign(
      arith::ConstantOp::create(builder, branch.getLoc(), builder.getBoolAttr(*outcome)));
}

bool LoadMerger::fold(arith::SelectOp select) {
  if (isa<VectorType>(select.getType()))
    return true;
  const std::optional<bool> outcome = getKnownOutcome(select.getCondition(), ranges);
  if (outcome)
    select.replaceAllUsesWith(*outcome ? select.getTrueValue() : select.getFalseValue());
  return outcome.has_value();
}

/// True if the guard holds wherever the condition, or its negation, does.
bool LoadMerger::holds(Value guard, Value condition, bool isTrue) {
  ranges.enter(condition, isTrue);
  const bool isKnown = !guard || getKnownOutcome(guard, ranges) == true;
  ranges.leave();
  return isKnown;
}

void LoadMerger::merge(arith::SelectOp select) {
  std::optional<GuardedLoad> onTrue = getGuardedLoad(select.getTrueValue()),
                             onFalse = getGuardedLoad(select.getFalseValue());
  if (!onTrue || !onFalse || onTrue->load.getMemRef() != onFalse->load.getMemRef() ||
      onTrue->load.getIndices().size() != 1)
    return;
  Value otherwise = onTrue->otherwise ? onTrue->otherwise : onFalse->otherwise;
  for (GuardedLoad each : {*onTrue, *onFalse})
    if (!each.guard != !each.otherwise ||
        (each.otherwise && !areEqual(each.otherwise, otherwise)) ||
        !isAvailable(each.guard, select) || !isAvailable(each.load.getIndices().front(), select) ||
        !isAvailable(otherwise, select))
      return;
  OpBuilder builder(select);
  const Location loc = select.getLoc();
  Value condition = select.getCondition(), memory = onTrue->load.getMemRef();
  Value index = arith::SelectOp::create(builder, loc, condition, onTrue->load.getIndices().front(),
                                        onFalse->load.getIndices().front());
  Value result;
  if (holds(onTrue->guard, condition, true) && holds(onFalse->guard, condition, false)) {
    result = memref::LoadOp::create(builder, loc, memory, index);
  } else {
    if (!otherwise)
      return;
    Value always = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    Value guard =
        arith::SelectOp::create(builder, loc, condition, onTrue->guard ? onTrue->guard : always,
                                onFalse->guard ? onFalse->guard : always);
    auto branch = scf::IfOp::create(builder, loc, select.getType(), guard, /*withElseRegion=*/true);
    OpBuilder inside = OpBuilder::atBlockEnd(branch.thenBlock());
    scf::YieldOp::create(inside, loc,
                         memref::LoadOp::create(inside, loc, memory, index).getResult());
    OpBuilder outside = OpBuilder::atBlockEnd(branch.elseBlock());
    scf::YieldOp::create(outside, loc, otherwise);
    result = branch.getResult(0);
  }
  select.replaceAllUsesWith(result);
}

void fuser::loadAtSelectedIndices(gpu::GPUFuncOp function, const LaunchSizes &launch) {
  const WalkResult found = function.walk([](arith::SelectOp select) {
    return getGuardedLoad(select.getTrueValue()) && getGuardedLoad(select.getFalseValue())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  shareEqualValues(function);
  LoadMerger merger(function, launch);
  for (Block &block : function.getBody())
    merger.run(block);
}
