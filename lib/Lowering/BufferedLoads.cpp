//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads from arguments that go through buffers of registers, as values.
//
//===----------------------------------------------------------------------===//

#include "BufferedLoads.h"
#include "ExpandRareValues.h"
#include "LoadedConstants.h"
#include "SharedLoads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace {
/// An access to elements of a buffer in registers.
struct BufferAccess {
  memref::AllocaOp buffer;
  int64_t offset;
  Type type;
  /// What is stored; null for a load.
  Value stored;
};

/// The elements of a buffer that are accessed together: the buffer and the offset of the first one.
using Slot = std::pair<Operation *, int64_t>;
} // namespace

static int64_t countElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// The access that an op is; nullopt for other ops, and for offsets that are not known.
static std::optional<BufferAccess> getBufferAccess(Operation &op) {
  BufferAccess access{{}, 0, {}, {}};
  Value memory;
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    memory = load.getMemRef(), indices = load.getIndices(), access.type = load.getType();
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    memory = load.getBase(), indices = load.getIndices(), access.type = load.getType();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    memory = store.getMemRef(), indices = store.getIndices(), access.stored = store.getValue();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    memory = store.getBase(), indices = store.getIndices(), access.stored = store.getValueToStore();
  }
  access.buffer = memory ? memory.getDefiningOp<memref::AllocaOp>() : memref::AllocaOp();
  if (!access.buffer || indices.size() != 1)
    return std::nullopt;
  if (access.stored)
    access.type = access.stored.getType();
  std::optional<int64_t> offset = getConstantIntValue(indices.front());
  if (!offset)
    return std::nullopt;
  access.offset = *offset;
  return access;
}

/// True if all accesses of the buffer are known, have equal or disjoint elements, and store what
/// is loaded from arguments.
static bool isOfLoads(memref::AllocaOp buffer) {
  llvm::SmallMapVector<int64_t, Type, 8> slots;
  for (Operation *user : buffer->getUsers()) {
    std::optional<BufferAccess> access = getBufferAccess(*user);
    if (!access || access->buffer != buffer)
      return false;
    if (access->stored) {
      Operation *load = access->stored.getDefiningOp();
      if (!load || !isa<memref::LoadOp, vector::LoadOp>(load) || !readsOnlyArguments(*load))
        return false;
    }
    Type &type = slots[access->offset];
    if (type && type != access->type)
      return false;
    type = access->type;
  }
  auto sorted = slots.takeVector();
  llvm::sort(sorted, llvm::less_first());
  for (size_t number = 1; number < sorted.size(); ++number)
    if (sorted[number - 1].first + countElements(sorted[number - 1].second) > sorted[number].first)
      return false;
  return true;
}

/// The buffers whose elements decide which branch is taken or what is accessed. Poison must not.
static llvm::SmallPtrSet<Operation *, 8> getDecidingBuffers(gpu::GPUFuncOp function) {
  llvm::SmallPtrSet<Operation *, 8> buffers;
  llvm::SmallSetVector<Value, 32> deciding;
  function.walk([&](Operation *op) {
    // The indices are after the memory.
    if (isa<memref::LoadOp, vector::LoadOp>(op))
      deciding.insert(op->operand_begin() + 1, op->operand_end());
    else if (isa<memref::StoreOp, vector::StoreOp>(op))
      deciding.insert(op->operand_begin() + 2, op->operand_end());
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      deciding.insert(branch.getCondition());
    else if (!isPure(op))
      deciding.insert(op->operand_begin(), op->operand_end());
  });
  for (size_t next = 0; next < deciding.size(); ++next) {
    Operation *op = deciding[next].getDefiningOp();
    if (!op)
      continue;
    op->walk([&](Operation *inner) {
      deciding.insert(inner->operand_begin(), inner->operand_end());
      return WalkResult::advance();
    });
    auto buffer = dyn_cast<memref::AllocaOp>(op);
    if (!buffer)
      continue;
    buffers.insert(buffer);
    for (Operation *user : buffer->getUsers())
      if (std::optional<BufferAccess> access = getBufferAccess(*user); access && access->stored)
        deciding.insert(access->stored);
  }
  return buffers;
}

/// True if other loads have what the buffer holds, or a constant may be in its place.
static bool mayShare(memref::AllocaOp buffer,
                     const llvm::SmallPtrSet<Operation *, 16> &repeatedLoads) {
  return llvm::any_of(buffer->getUsers(), [&](Operation *user) {
    std::optional<BufferAccess> access = getBufferAccess(*user);
    if (access->stored)
      return repeatedLoads.contains(access->stored.getDefiningOp());
    return llvm::any_of(user->getUsers(), [&](Operation *op) {
      return getConstantOutside(*op) && op->getOperand(1) == user->getResult(0);
    });
  });
}

namespace {
class BufferPromotion {
public:
  explicit BufferPromotion(gpu::GPUFuncOp function);

  void run();

private:
  using Values = llvm::MapVector<Slot, Value>;
  void visit(Block &block, Values &values);
  void visit(scf::IfOp branch, Values &values);

  gpu::GPUFuncOp function;
  llvm::SetVector<Operation *> buffers;
  SmallVector<Operation *> erased;
};
} // namespace

BufferPromotion::BufferPromotion(gpu::GPUFuncOp function) : function(function) {
  const llvm::SmallPtrSet<Operation *, 8> deciding = getDecidingBuffers(function);
  const llvm::SmallPtrSet<Operation *, 16> repeatedLoads = getRepeatedLoads(function);
  function.walk([&](memref::AllocaOp buffer) {
    if (!deciding.contains(buffer) && isOfLoads(buffer) && mayShare(buffer, repeatedLoads))
      buffers.insert(buffer);
  });
}

void BufferPromotion::visit(Block &block, Values &values) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      visit(branch, values);
      continue;
    }
    std::optional<BufferAccess> access = getBufferAccess(op);
    if (!access || !buffers.contains(access->buffer))
      continue;
    const Slot slot(access->buffer, access->offset);
    if (access->stored) {
      values[slot] = access->stored;
    } else {
      Value value = values.lookup(slot);
      if (!value) {
        // No path stores it before.
        OpBuilder builder(&op);
        value = ub::PoisonOp::create(builder, op.getLoc(), access->type);
      }
      op.getResult(0).replaceAllUsesWith(value);
    }
    erased.push_back(&op);
  }
}

void BufferPromotion::visit(scf::IfOp branch, Values &values) {
  Values onTrue = values, onFalse = values;
  visit(*branch.thenBlock(), onTrue);
  if (branch.elseBlock())
    visit(*branch.elseBlock(), onFalse);
  // Each slot that one of both regions stores, and that is loaded elsewhere.
  auto isLoadedOutside = [&](const Slot &slot) {
    return llvm::any_of(slot.first->getUsers(), [&](Operation *user) {
      std::optional<BufferAccess> access = getBufferAccess(*user);
      return !access->stored && access->offset == slot.second && !branch->isProperAncestor(user);
    });
  };
  SmallVector<std::pair<Slot, std::pair<Value, Value>>> changed;
  auto add = [&](const Slot &slot) {
    Value before = values.lookup(slot), a = onTrue.lookup(slot), b = onFalse.lookup(slot);
    if ((a != before || b != before) && isLoadedOutside(slot) &&
        llvm::none_of(changed, [&](auto &each) { return each.first == slot; }))
      changed.push_back({slot, {a, b}});
  };
  for (auto &[slot, value] : onTrue)
    add(slot);
  for (auto &[slot, value] : onFalse)
    add(slot);
  if (changed.empty())
    return;
  SmallVector<Type> types(branch.getResultTypes());
  for (auto &[slot, stored] : changed)
    types.push_back((stored.first ? stored.first : stored.second).getType());
  OpBuilder builder(branch);
  const Location loc = branch.getLoc();
  auto result =
      scf::IfOp::create(builder, loc, types, branch.getCondition(), /*withElseRegion=*/true);
  auto take = [&](Region &from, Block *to, auto getStored) {
    SmallVector<Value> yielded;
    if (!from.empty()) {
      Block &block = from.front();
      auto yield = cast<scf::YieldOp>(block.getTerminator());
      llvm::append_range(yielded, yield.getOperands());
      yield.erase();
      to->getOperations().splice(to->end(), block.getOperations());
    }
    OpBuilder end = OpBuilder::atBlockEnd(to);
    for (auto [number, each] : llvm::enumerate(changed)) {
      Value stored = getStored(each.second);
      yielded.push_back(
          stored ? stored : ub::PoisonOp::create(end, loc, types[branch.getNumResults() + number]));
    }
    scf::YieldOp::create(end, loc, yielded);
  };
  take(branch.getThenRegion(), result.thenBlock(), [](auto &both) { return both.first; });
  take(branch.getElseRegion(), result.elseBlock(), [](auto &both) { return both.second; });
  const unsigned kept = branch.getNumResults();
  branch.replaceAllUsesWith(result.getResults().take_front(kept));
  for (auto [each, value] : llvm::zip_equal(changed, result.getResults().drop_front(kept)))
    values[each.first] = value;
  branch.erase();
}

void BufferPromotion::run() {
  if (buffers.empty())
    return;
  Values values;
  for (Block &block : function.getBody())
    visit(block, values);
  for (Operation *op : erased)
    op->erase();
  for (Operation *buffer : buffers)
    buffer->erase();
}

void fuser::promoteLoadedBuffers(gpu::GPUFuncOp function) { BufferPromotion(function).run(); }
