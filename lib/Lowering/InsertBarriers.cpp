//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-insert-barriers: where the threads of a block wait for each other.
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "LoopExprs.h"
#include "Stages.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERINSERTBARRIERS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// Walks the text in the order of execution, all copies of loops that are written out, and finds
/// the barriers that accesses to shared memory need.
class BarrierInserter {
public:
  explicit BarrierInserter(loop::KernelOp kernel);
  void run();

private:
  /// In which copies a barrier is needed before an op, or at the end of a block (null).
  struct Place {
    SmallVector<loop::ForOp> loops;
    /// By number of innermost loops: a copy in which all of them are at 0.
    llvm::SmallBitVector atZero;
    /// A copy in which some loop is not at 0.
    bool later = false;
  };

  void walk(Block &block);
  void walk(loop::ForOp loop);
  void require(Operation *before, Block *block);
  const SmallVector<MemoryUse> &getUses(Operation *op);
  SyncLevel getConflict(const MemoryUse &earlier, const MemoryUse &later) const;
  Constraints getGuard(const Place &place);
  void insert();

  loop::KernelOp kernel;
  LoopFacts facts;
  Hazards hazards;
  SmallVector<loop::BufferOp> buffers;
  llvm::DenseMap<Value, unsigned> numberOf;
  llvm::DenseMap<Operation *, SmallVector<MemoryUse>> usesOf;
  /// The copies around the current op.
  struct Copy {
    loop::ForOp loop;
    int64_t number;
  };
  SmallVector<Copy> copies;
  llvm::MapVector<std::pair<Operation *, Block *>, Place> places;
};
} // namespace

BarrierInserter::BarrierInserter(loop::KernelOp kernel)
    : kernel(kernel), facts(kernel),
      hazards([this](const MemoryUse &earlier, const MemoryUse &later) {
        return getConflict(earlier, later);
      }) {
  kernel.walk([&](loop::BufferOp buffer) {
    if (buffer.getType().getSpace() != MemoryType::Shared)
      return;
    numberOf[buffer] = buffers.size();
    buffers.push_back(buffer);
  });
}

/// Two writes to one buffer are a thread's writes to its own elements.
SyncLevel BarrierInserter::getConflict(const MemoryUse &earlier, const MemoryUse &later) const {
  const bool meet =
      earlier.region == later.region
          ? earlier.writes != later.writes
          : (earlier.writes || later.writes) &&
                loop::BufferOp(buffers[earlier.region]).overlaps(buffers[later.region]);
  return meet ? SyncLevel::Block : SyncLevel::None;
}

/// The accesses to shared memory of an op and of all ops in it.
const SmallVector<MemoryUse> &BarrierInserter::getUses(Operation *op) {
  auto [it, isNew] = usesOf.try_emplace(op);
  if (!isNew)
    return it->second;
  SmallVector<MemoryUse> uses;
  op->walk([&](loop::TileOp tile) {
    auto add = [&](Value buffer, bool writes) {
      auto number = numberOf.find(buffer);
      if (number == numberOf.end())
        return;
      MemoryUse use;
      use.writes = writes;
      use.region = number->second;
      use.user = tile;
      uses.push_back(use);
    };
    for (Value input : tile.getInputs())
      add(input, /*writes=*/false);
    for (Value output : tile.getOutputs())
      add(output, /*writes=*/true);
  });
  return usesOf[op] = std::move(uses);
}

/// A barrier, in this copy, before an op or at the end of a block.
void BarrierInserter::require(Operation *before, Block *block) {
  Place &place = places[{before, block}];
  place.loops.clear();
  for (const Copy &copy : copies)
    place.loops.push_back(copy.loop);
  place.atZero.resize(copies.size() + 1);
  unsigned atZero = 0;
  while (atZero < copies.size() && copies[copies.size() - 1 - atZero].number == 0)
    place.atZero.set(++atZero);
  place.later |= atZero < copies.size();
  hazards.synchronize(SyncLevel::Block);
}

/// What an op needs is waited for before it as a whole: outside of its loops.
void BarrierInserter::walk(Block &block) {
  for (Operation &op : block) {
    const SmallVector<MemoryUse> uses = getUses(&op);
    if (uses.empty())
      continue;
    if (llvm::any_of(uses, [&](const MemoryUse &use) {
          return hazards.getLevelBefore(use) != SyncLevel::None;
        }))
      require(&op, &block);
    if (auto loop = dyn_cast<loop::ForOp>(op)) {
      walk(loop);
      continue;
    }
    for (const MemoryUse &use : uses)
      hazards.note(use);
  }
}

void BarrierInserter::walk(loop::ForOp loop) {
  const ParallelType type = loop.getType();
  if (isThreadType(type) || isBlockType(type) || type == ParallelType::Vectorize)
    return walk(loop.getBlock());
  if (loop.isWrittenOut()) {
    for (int64_t copy = 0, e = *loop.getStaticBound(); copy < e; ++copy) {
      copies.push_back({loop, copy});
      walk(loop.getBlock());
      copies.pop_back();
    }
    return;
  }
  hazards.enterLoop();
  walk(loop.getBlock());
  if (hazards.getLevelBeforeNextIteration() != SyncLevel::None)
    require(nullptr, &loop.getBlock());
  hazards.leaveLoop(/*runsAtLeastOnce=*/facts.getRange(facts.getExtent(loop)).lower > 0);
}

/// The guard of a barrier that only some copies need: those after the first of the fewest innermost
/// loops for which that is so, or the first copy alone. Others have it as well.
Constraints BarrierInserter::getGuard(const Place &place) {
  const AffineExpr zero = getAffineConstantExpr(0, kernel.getContext());
  AffineExpr number = zero;
  int64_t copiesBelow = 1;
  for (unsigned count = 1; count <= place.loops.size(); ++count) {
    loop::ForOp loop = place.loops[place.loops.size() - count];
    number = facts.getExpr(loop.getInductionVar()) * copiesBelow + number;
    copiesBelow *= *loop.getStaticBound();
    if (!place.atZero.test(count))
      return {Constraint::less(zero, number)};
  }
  if (place.later || number == zero)
    return {};
  return {Constraint::equal(number, zero)};
}

void BarrierInserter::insert() {
  for (const auto &[position, place] : places) {
    auto [before, block] = position;
    OpBuilder builder(block, before ? Block::iterator(before) : block->end());
    createBarrier(builder, before ? before->getLoc() : block->getParentOp()->getLoc(),
                  getGuard(place), [&](AffineExpr leaf) { return facts.getValue(leaf); });
  }
}

void BarrierInserter::run() {
  if (!buffers.empty()) {
    walk(kernel.getBlock());
    insert();
  }
  kernel.setStage(loop::Stage::Synchronized);
}

void fuser::insertBarriers(loop::KernelOp kernel) {
  if (kernel.getStage() == loop::Stage::Placed)
    BarrierInserter(kernel).run();
}

namespace {
struct InsertBarriers : fuser::impl::FuserInsertBarriersBase<InsertBarriers> {
  using FuserInsertBarriersBase::FuserInsertBarriersBase;

  void runOnOperation() override { insertBarriers(getOperation()); }
};
} // namespace
