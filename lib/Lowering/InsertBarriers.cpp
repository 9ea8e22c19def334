//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-insert-barriers: where the threads of a block, of a cluster, or of all blocks, wait for
// each other.
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "LoopExprs.h"
#include "Stages.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERINSERTBARRIERS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// Walks the text in the order of execution, all copies of loops that are written out, and finds
/// the barriers that accesses to shared and global memory need.
class BarrierInserter {
public:
  explicit BarrierInserter(loop::KernelOp kernel);
  void run();

private:
  /// Before an op, or at the end of a block (null).
  struct Position {
    Operation *before;
    Block *block;
    SyncLevel level;
    bool operator==(const Position &other) const {
      return before == other.before && block == other.block && level == other.level;
    }
  };
  /// A position, and in which copies a barrier is needed there.
  struct Place {
    Position position;
    SmallVector<loop::ForOp> loops;
    /// By number of innermost loops: a copy in which all of them are at 0.
    llvm::SmallBitVector atZero;
    /// A copy in which some loop is not at 0.
    bool later = false;
  };

  void addGlobalBuffers();
  void walk(Block &block);
  void walk(loop::ForOp loop);
  void require(const Position &position);
  void startPeers(Operation &op, ArrayRef<MemoryUse> uses);
  Place &getPlace(const Position &position);
  const SmallVector<MemoryUse> &getUses(Operation *op);
  SyncLevel getConflict(const MemoryUse &earlier, const MemoryUse &later) const;
  SyncLevel getConflictOfStages(const MemoryUse &earlier, const MemoryUse &later) const;
  SyncLevel getLevelOfRead(loop::AccessAttr read, bool ofGlobal) const;
  SyncLevel getLevelOfReads(Operation *user, Value buffer) const;
  Constraints getGuard(const Place &place);
  Value getCounter();
  void insert();

  loop::KernelOp kernel;
  LoopFacts facts;
  Hazards hazards;
  SmallVector<Value> buffers;
  llvm::DenseMap<Value, unsigned> numberOf;
  llvm::DenseMap<Operation *, SmallVector<MemoryUse>> usesOf;
  /// The copies around the current op.
  struct Copy {
    loop::ForOp loop;
    int64_t number;
  };
  SmallVector<Copy> copies;
  SmallVector<Place> places;
  llvm::DenseMap<Block *, SmallVector<unsigned, 2>> placesOf;
  /// Where blocks count their arrivals at barriers of the grid: one counter serves all of them.
  Value counter;
  /// A barrier of the cluster is before the op: its blocks have begun.
  bool isStarted = false;
  /// The op before which only this is waited for; null if there is none.
  Operation *firstOfPeers = nullptr;
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
  addGlobalBuffers();
}

/// Those that the kernel writes and reads.
void BarrierInserter::addGlobalBuffers() {
  llvm::SmallSetVector<Value, 8> written, shared;
  kernel.walk([&](loop::TileOp tile) {
    for (Value output : tile.getOutputs())
      if (isGlobal(output))
        written.insert(output);
  });
  kernel.walk([&](Operation *op) {
    auto tile = dyn_cast<loop::TileOp>(op);
    auto index = dyn_cast<loop::IndexOp>(op);
    for (Value input : tile ? ValueRange(tile.getInputs()) : ValueRange())
      if (written.contains(input))
        shared.insert(input);
    if (index && written.contains(index.getBuffer()))
      shared.insert(index.getBuffer());
  });
  for (Value buffer : shared) {
    numberOf[buffer] = buffers.size();
    buffers.push_back(buffer);
  }
}

/// The threads that a read of global memory, or of a circular buffer, has to wait for.
SyncLevel BarrierInserter::getLevelOfRead(loop::AccessAttr read, bool ofGlobal) const {
  loop::KernelOp around = kernel;
  if (ofGlobal && around.readsOtherBlocks(read))
    return SyncLevel::Grid;
  return around.readsOtherThreads(read) ? SyncLevel::Block : SyncLevel::None;
}

/// Those that all reads of a buffer by an op have to wait for.
SyncLevel BarrierInserter::getLevelOfReads(Operation *user, Value buffer) const {
  if (auto index = dyn_cast<loop::IndexOp>(user))
    return getLevelOfRead(index.getAccess(), isGlobal(buffer));
  if (auto publish = dyn_cast<loop::PublishOp>(user)) {
    loop::KernelOp around = kernel;
    return around.publishesForOthers(publish) ? SyncLevel::Block : SyncLevel::None;
  }
  auto tile = cast<loop::TileOp>(user);
  SyncLevel level = SyncLevel::None;
  for (auto [number, input] : llvm::enumerate(tile.getInputs()))
    if (input == buffer)
      level = std::max(level, getLevelOfRead(tile.getRead(number), isGlobal(buffer)));
  return level;
}

static bool isWaitForCopies(Operation *op) {
  return isa<loop::WaitCopiesOp, loop::WaitPhaseOp>(op);
}

/// Of accesses to one circular buffer: what is waited for is read and, after others have read the
/// stage before, filled again. The copies of an iteration begin before its reads, of another stage.
/// Each thread has waited for the phase of bulk copies itself.
SyncLevel BarrierInserter::getConflictOfStages(const MemoryUse &earlier,
                                               const MemoryUse &later) const {
  loop::KernelOp around = kernel;
  const Value buffer = buffers[later.region];
  const bool isWait = isWaitForCopies(earlier.user), isBulk = loop::BufferOp::isBulk(buffer);
  if (isWait && later.writes && !isWaitForCopies(later.user))
    return around.sharesCopies(buffer) ? SyncLevel::Block : SyncLevel::None;
  if (isWait && !later.writes)
    return isBulk ? SyncLevel::None : getLevelOfReads(later.user, buffer);
  if (!earlier.writes && isa<loop::TileOp>(later.user) && later.writes) {
    if (isBulk)
      return around.sharesCopies(buffer) ? SyncLevel::Block : SyncLevel::None;
    return getLevelOfReads(earlier.user, buffer);
  }
  return SyncLevel::None;
}

/// Two writes to one buffer are a thread's writes to its own elements, unless one of them combines
/// elements of all threads. A value in global memory is
/// written once. Distributed buffers share no bytes with others.
SyncLevel BarrierInserter::getConflict(const MemoryUse &earlier, const MemoryUse &later) const {
  if (earlier.space != later.space)
    return SyncLevel::None;
  if (earlier.space == MemoryUse::Space::Global)
    return earlier.region == later.region && earlier.writes && !later.writes
               ? getLevelOfReads(later.user, buffers[later.region])
               : SyncLevel::None;
  if (earlier.region == later.region && loop::BufferOp::isCircular(buffers[later.region]))
    return getConflictOfStages(earlier, later);
  const bool meet = earlier.region == later.region
                        ? earlier.writes != later.writes || earlier.combines != later.combines
                        : (earlier.writes || later.writes) &&
                              buffers[earlier.region].getDefiningOp<loop::BufferOp>().overlaps(
                                  buffers[later.region].getDefiningOp<loop::BufferOp>());
  if (!meet)
    return SyncLevel::None;
  return earlier.isDistributed && later.isDistributed ? SyncLevel::Cluster : SyncLevel::Block;
}

/// The accesses to memory that threads share of an op and of all ops in it.
const SmallVector<MemoryUse> &BarrierInserter::getUses(Operation *op) {
  auto [it, isNew] = usesOf.try_emplace(op);
  if (!isNew)
    return it->second;
  SmallVector<MemoryUse> uses;
  op->walk([&](Operation *user) {
    auto add = [&](Value buffer, bool writes, bool combines = false) {
      auto number = numberOf.find(buffer);
      if (number == numberOf.end())
        return;
      MemoryUse use;
      use.space = isGlobal(buffer) ? MemoryUse::Space::Global : MemoryUse::Space::Shared;
      use.writes = writes;
      use.combines = combines;
      use.isDistributed = loop::BufferOp::isDistributed(buffer);
      use.region = number->second;
      use.user = user;
      uses.push_back(use);
    };
    if (auto index = dyn_cast<loop::IndexOp>(user))
      add(index.getBuffer(), /*writes=*/false);
    if (auto order = dyn_cast<loop::OrderBlocksOp>(user))
      add(order.getSlot(), /*writes=*/false);
    if (auto publish = dyn_cast<loop::PublishOp>(user))
      for (Value buffer : publish.getMemory())
        add(buffer, /*writes=*/false);
    if (auto wait = dyn_cast<loop::WaitCopiesOp>(user))
      for (Value buffer : wait.getBuffers())
        add(buffer, /*writes=*/true);
    if (auto acquire = dyn_cast<loop::AcquireOp>(user))
      add(acquire.getBarriers(), /*writes=*/false);
    if (auto release = dyn_cast<loop::ReleaseOp>(user))
      add(release.getBarriers(), /*writes=*/false);
    if (auto init = dyn_cast<loop::InitPhasesOp>(user))
      add(init.getBarriers(), /*writes=*/true);
    if (auto wait = dyn_cast<loop::WaitPhaseOp>(user)) {
      add(wait.getBarriers(), /*writes=*/false);
      for (Value buffer : wait.getBuffers())
        add(buffer, /*writes=*/true);
    }
    auto tile = dyn_cast<loop::TileOp>(user);
    if (!tile)
      return;
    // The thread that has initialized the barriers of bulk copies begins the copies.
    if (tile.getStep() == loop::TileStep::Bulk)
      return add(tile.getOutputs().front(), /*writes=*/true);
    for (Value input : tile.getInputs())
      add(input, /*writes=*/false);
    for (Value output : tile.getOutputs())
      add(output, /*writes=*/true, tile.getCombine().has_value());
  });
  return usesOf[op] = std::move(uses);
}

BarrierInserter::Place &BarrierInserter::getPlace(const Position &position) {
  SmallVector<unsigned, 2> &ofBlock = placesOf[position.block];
  for (unsigned number : ofBlock)
    if (places[number].position == position)
      return places[number];
  ofBlock.push_back(places.size());
  places.push_back({position, {}, {}});
  return places.back();
}

/// A barrier, in this copy.
void BarrierInserter::require(const Position &position) {
  Place &place = getPlace(position);
  place.loops.clear();
  for (const Copy &copy : copies)
    place.loops.push_back(copy.loop);
  place.atZero.resize(copies.size() + 1);
  unsigned atZero = 0;
  while (atZero < copies.size() && copies[copies.size() - 1 - atZero].number == 0)
    place.atZero.set(++atZero);
  place.later |= atZero < copies.size();
  isStarted |= position.level == SyncLevel::Cluster;
  hazards.synchronize(position.level);
}

/// The first op that may access the memory of a peer waits until the peer has begun. It does so as
/// late as possible, but in no loop of the kernel IR or copy of it.
void BarrierInserter::startPeers(Operation &op, ArrayRef<MemoryUse> uses) {
  auto loop = dyn_cast<loop::ForOp>(op);
  const bool runsAtOnce = loop && (isThreadType(loop.getType()) || isBlockType(loop.getType()));
  if (isStarted || runsAtOnce ||
      llvm::none_of(uses, [](const MemoryUse &use) { return use.isDistributed; }))
    return;
  firstOfPeers = &op;
  isStarted = true;
}

/// What an op needs is waited for before it as a whole: outside of its loops.
void BarrierInserter::walk(Block &block) {
  for (Operation &op : block) {
    if (isa<loop::LastBlockOp>(op)) {
      hazards.synchronize(SyncLevel::Block);
      continue;
    }
    SmallVector<MemoryUse> uses = getUses(&op);
    const size_t numOwn = uses.size();
    // No barrier is between an index and the tile that it serves: one branch has both.
    if (isa<loop::IndexOp, loop::XorOp>(op))
      if (loop::TileOp served = loop::TileOp::findServed(&op))
        llvm::append_range(uses, getUses(served));
    SyncLevel level = SyncLevel::None;
    for (const MemoryUse &use : uses)
      level = std::max(level, hazards.getLevelBefore(use));
    if (level != SyncLevel::None)
      require({&op, &block, level});
    startPeers(op, uses);
    if (auto loop = dyn_cast<loop::ForOp>(op)) {
      walk(loop);
      continue;
    }
    // Producers share with the others what phases order.
    if (auto roles = dyn_cast<loop::RolesOp>(op)) {
      walk(roles.getConsumerBlock());
      continue;
    }
    for (const MemoryUse &use : ArrayRef(uses).take_front(numOwn))
      hazards.note(use);
  }
}

void BarrierInserter::walk(loop::ForOp loop) {
  const ParallelType type = loop.getType();
  if (isThreadType(type) || isBlockType(type) || type == ParallelType::Vectorize ||
      type == ParallelType::Mma)
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
  if (SyncLevel level = hazards.getLevelBeforeNextIteration(); level != SyncLevel::None)
    require({nullptr, &loop.getBlock(), level});
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

Value BarrierInserter::getCounter() {
  if (!counter) {
    MLIRContext *context = kernel.getContext();
    counter = createWorkspace(kernel, kernel.getLoc(), IntegerType::get(context, 32),
                              getAffineConstantExpr(1, context), /*zeroed=*/true,
                              [&](AffineExpr leaf) { return facts.getValue(leaf); });
  }
  return counter;
}

void BarrierInserter::insert() {
  loop::RolesOp roles = loop::RolesOp::find(kernel);
  for (const Place &place : places) {
    auto [before, block, level] = place.position;
    OpBuilder builder(block, before ? Block::iterator(before) : block->end());
    const Location loc = before ? before->getLoc() : block->getParentOp()->getLoc();
    auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
    if (level == SyncLevel::Cluster)
      createClusterBarrier(builder, loc, loop::BarrierPhase::Both, getGuard(place), getValue);
    else
      createBarrier(builder, loc, level == SyncLevel::Grid ? getCounter() : Value(),
                    getGuard(place), getValue)
          .setRole(roles && roles.getConsumers().isAncestor(block->getParent()));
  }
  if (!firstOfPeers)
    return;
  // The blocks do what precedes the first access without waiting for each other.
  auto getValue = [](AffineExpr) { return Value(); };
  OpBuilder builder(&kernel.getBlock(), kernel.getBlock().begin());
  createClusterBarrier(builder, kernel.getLoc(), loop::BarrierPhase::Arrive, {}, getValue);
  builder.setInsertionPoint(firstOfPeers);
  createClusterBarrier(builder, firstOfPeers->getLoc(), loop::BarrierPhase::Wait, {}, getValue);
}

void BarrierInserter::run() {
  if (!buffers.empty()) {
    walk(kernel.getBlock());
    insert();
  }
  kernel.setStage(loop::Stage::Synchronized);
}

void fuser::insertBarriers(loop::KernelOp kernel) {
  if (kernel.getStage() != loop::Stage::Placed)
    return;
  synchronizeProducts(kernel);
  BarrierInserter(kernel).run();
}

namespace {
struct InsertBarriers : fuser::impl::FuserInsertBarriersBase<InsertBarriers> {
  using FuserInsertBarriersBase::FuserInsertBarriersBase;

  void runOnOperation() override { insertBarriers(getOperation()); }
};
} // namespace
