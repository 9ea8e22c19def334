//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads before computations over which the assembler moves none.
//
//===----------------------------------------------------------------------===//

#include "EarlyLoads.h"
#include "ExpandRareValues.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Ids/Extents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The most bytes of a thread that loads of a block keep until they are used, and the most ops that
/// an index needs in addition.
constexpr int64_t kMostBytes = 96;
constexpr size_t kMostOps = 16;
/// The most ops of a part of which the loads are moved before others, and those that a function or
/// a division is.
constexpr int64_t kMostComputed = 32, kOpsOfFunction = 16;

/// True for an op that tests its operand and calls a function for rare ones.
static bool isBranch(Operation &op) {
  if (!isa<arith::DivFOp, math::SqrtOp>(op) ||
      !getElementTypeOrSelf(op.getResult(0).getType()).isF32())
    return false;
  auto math = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
  return !math || !bitEnumContainsAny(math.getValue(), arith::FastMathFlags::afn);
}

static bool isLoad(Operation &op) {
  return isa<memref::LoadOp, vector::LoadOp>(op) && readsOnlyArguments(op);
}

/// The ops from `first` on that the load depends on, in order, and the load; none if they cannot
/// move, or are branches themselves.
static SmallVector<Operation *> getMoved(Operation &load, Operation &first) {
  llvm::SmallSetVector<Operation *, 16> moved;
  moved.insert(&load);
  for (size_t next = 0; next < moved.size(); ++next)
    for (Value operand : moved[next]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != load.getBlock() || op->isBeforeInBlock(&first))
        continue;
      if (op->getNumRegions() != 0 || !isPure(op) || isBranch(*op) || moved.size() > kMostOps)
        return {};
      moved.insert(op);
    }
  SmallVector<Operation *> ordered = moved.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

static int64_t getBytes(Operation &load) {
  const Type type = load.getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  // A narrow element has a register.
  return vector ? vector.getNumElements() * getElementBytes(vector.getElementType())
                : std::max<int64_t>(getElementBytes(type), 4);
}

static void moveLoads(Block &block) {
  auto first = llvm::find_if(block, isBranch);
  if (first == block.end())
    return;
  int64_t bytes = 0;
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(std::next(first), block.end()))) {
    // What threads wait for each other for stays after it.
    if (!isPure(&op) && !isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(op))
      return;
    if (!isLoad(op))
      continue;
    const SmallVector<Operation *> moved = getMoved(op, *first);
    bytes += moved.empty() ? 0 : getBytes(op);
    if (bytes > kMostBytes)
      return;
    for (Operation *each : moved)
      each->moveBefore(&*first);
  }
}

void fuser::loadBeforeBranches(gpu::GPUFuncOp function) {
  function.walk([](Block *block) { moveLoads(*block); });
}

//===----------------------------------------------------------------------===//
// Guarded parts
//===----------------------------------------------------------------------===//

/// True for an op that stores in memory other than the registers of the thread.
static bool isStore(Operation &op) {
  Value memory;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    memory = store.getMemRef();
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    memory = store.getBase();
  return memory && !memory.getDefiningOp<memref::AllocaOp>();
}

/// True for an op over which loads from arguments that the kernel does not write may move: threads
/// do not wait for each other in it.
static bool isTransparent(Operation &op) {
  return !op.walk([](Operation *inner) {
              return isPure(inner) || isa<memref::LoadOp, memref::StoreOp, vector::LoadOp,
                                          vector::StoreOp, scf::IfOp>(inner)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

bool fuser::isFunctionOfFloats(Operation &op) {
  return isa<arith::DivFOp>(op) ||
         (isa<math::MathDialect>(op.getDialect()) && !isa<math::FmaOp, math::AbsFOp>(op));
}

/// About the instructions of a block, without accesses.
static int64_t countComputed(Block &block) {
  int64_t ops = 0;
  for (Operation &op : block)
    if (isPure(&op))
      ops += isFunctionOfFloats(op) ? kOpsOfFunction : 1;
  return ops;
}

namespace {
/// A branch that loads what a guard permits, computes and stores: a part of what a thread does.
struct GuardedPart {
  scf::IfOp branch;
  /// Loads of its block whose indices follow from ops outside of it and pure ops, and these ops, in
  /// order.
  SmallVector<Operation *> loads, moved;
  int64_t bytes = 0;
};
} // namespace

/// The part that a branch is; nullopt if it is none, if all of its loads depend on others, or if it
/// computes for longer than it waits.
static std::optional<GuardedPart> getGuardedPart(Operation &op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch->getNumResults() != 0 || branch.elseBlock())
    return std::nullopt;
  Block &block = *branch.thenBlock();
  GuardedPart part{branch, {}, {}, 0};
  bool stores = false;
  if (countComputed(block) > kMostComputed)
    return std::nullopt;
  llvm::SmallSetVector<Operation *, 16> moved;
  for (Operation &inner : block.without_terminator()) {
    if (!isTransparent(inner))
      return std::nullopt;
    stores |= isStore(inner);
    if (!isLoad(inner))
      continue;
    SmallVector<Operation *> ops = getMoved(inner, block.front());
    const bool isDirect = llvm::count_if(ops, [](Operation *each) { return isLoad(*each); }) == 1;
    if (!isDirect)
      continue;
    part.loads.push_back(&inner);
    part.bytes += getBytes(inner);
    moved.insert(ops.begin(), ops.end());
  }
  if (!stores || part.loads.empty())
    return std::nullopt;
  part.moved = moved.takeVector();
  llvm::sort(part.moved, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return part;
}

/// Moves what the operands of the part need, and is after `first`, before it. False if that reads
/// memory.
static bool makeAvailable(GuardedPart &part, Operation &first) {
  llvm::SmallSetVector<Operation *, 16> needed;
  Block *block = first.getBlock();
  auto need = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block && !op->isBeforeInBlock(&first))
      needed.insert(op);
  };
  need(part.branch.getCondition());
  for (Operation *op : part.moved)
    llvm::for_each(op->getOperands(), need);
  for (size_t next = 0; next < needed.size(); ++next) {
    if (needed[next]->getNumRegions() != 0 || !isPure(needed[next]))
      return false;
    llvm::for_each(needed[next]->getOperands(), need);
  }
  SmallVector<Operation *> ordered = needed.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered)
    op->moveBefore(&first);
  return true;
}

/// Makes a branch of its own, before `first`, of the loads of the part.
static void hoistLoads(GuardedPart &part, Operation &first) {
  if (!makeAvailable(part, first))
    return;
  OpBuilder builder(&first);
  const Location loc = part.branch.getLoc();
  const SmallVector<Type> types =
      llvm::map_to_vector(part.loads, [](Operation *load) { return load->getResult(0).getType(); });
  auto hoisted =
      scf::IfOp::create(builder, loc, types, part.branch.getCondition(), /*withElseRegion=*/true);
  OpBuilder onTrue = hoisted.getThenBodyBuilder(), onFalse = hoisted.getElseBodyBuilder();
  IRMapping mapping;
  SmallVector<Value> loaded, missing;
  for (Operation *op : part.moved)
    onTrue.clone(*op, mapping);
  for (auto [load, result] : llvm::zip_equal(part.loads, hoisted.getResults())) {
    loaded.push_back(mapping.lookup(load->getResult(0)));
    missing.push_back(ub::PoisonOp::create(onFalse, loc, result.getType()));
    load->getResult(0).replaceAllUsesWith(result);
    load->erase();
  }
  scf::YieldOp::create(onTrue, loc, loaded);
  scf::YieldOp::create(onFalse, loc, missing);
}

/// Moves the loads of parts in a row before the first one.
static void hoistLoads(ArrayRef<GuardedPart> parts) {
  int64_t bytes = 0;
  for (const GuardedPart &part : parts)
    bytes += part.bytes;
  if (parts.size() < 2 || bytes > kMostBytes)
    return;
  for (GuardedPart part : parts)
    hoistLoads(part, *parts.front().branch);
}

static void hoistGuardedLoads(Block &block) {
  SmallVector<SmallVector<GuardedPart>> rows(1);
  for (Operation &op : block) {
    if (std::optional<GuardedPart> part = getGuardedPart(op))
      rows.back().push_back(std::move(*part));
    else if (!isTransparent(op) && !rows.back().empty())
      rows.emplace_back();
  }
  for (ArrayRef<GuardedPart> parts : rows)
    hoistLoads(parts);
}

bool fuser::isStraight(gpu::GPUFuncOp function) {
  return !function
              .walk([](Operation *op) {
                return isTransparent(*op) ||
                               isa<gpu::GPUFuncOp, memref::AllocaOp, kernel_ir::WaitDependenciesOp,
                                   kernel_ir::LaunchDependentsOp>(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void fuser::loadBeforeGuardedParts(gpu::GPUFuncOp function) {
  if (isStraight(function))
    function.walk([](Block *block) { hoistGuardedLoads(*block); });
}
