//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-assign-streams: launches that segmentation put on streams, ordered by events.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/HostDependences.h"
#include "fuser/Dialect/IR/HostStreamOps.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Scheduling/LaunchStreams.h"
#include "llvm/ADT/DenseSet.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERASSIGNSTREAMS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {

/// Inserts streams and events into one host function.
class StreamAssigner {
public:
  explicit StreamAssigner(HostOp host) : body(host.getBody().front()), dependences(body) {}

  /// Returns the number of streams; 0: nothing was changed.
  unsigned run();
  unsigned getNumEvents() const { return numEvents; }

private:
  /// Ops of each stream that have run at some point, by stream.
  using Clock = SmallVector<unsigned>;

  bool collect();
  void findWaits();
  /// Makes `clock` wait for an op; false if it already has.
  bool waitFor(Operation *op, Clock &clock);
  void moveBuffers();
  void emit();

  Block &body;
  HostDependences dependences;
  /// What runs on the device, in order.
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> streamOf;
  unsigned numStreams = 0, numEvents = 0;
  /// The number of each op in its stream, from 1, and what has run after it.
  llvm::DenseMap<Operation *, unsigned> tickOf;
  llvm::DenseMap<Operation *, Clock> clockOf;
  /// The ops whose events each op waits for; null: the start of the call. The terminator waits for
  /// the ends of the streams.
  llvm::DenseMap<Operation *, SmallVector<Operation *>> waits;
  llvm::DenseSet<Operation *> recorded;
};

} // namespace

bool StreamAssigner::collect() {
  bool hasStream = false;
  for (Operation &op : body) {
    if (isa<ForOp, StreamOp>(op))
      return false;
    if (!isa<LaunchOp, CopyOp, LibraryCallOp>(op))
      continue;
    auto number = op.getAttrOfType<IntegerAttr>(kLaunchStreamAttrName);
    const int64_t stream = number ? number.getInt() : 0;
    if (stream < 0 || stream >= int64_t(kMostStreams))
      return false;
    hasStream |= stream != 0;
    numStreams = std::max(numStreams, unsigned(stream) + 1);
    streamOf[&op] = stream;
    ops.push_back(&op);
  }
  return hasStream;
}

bool StreamAssigner::waitFor(Operation *op, Clock &clock) {
  const unsigned stream = streamOf.lookup(op);
  if (clock[stream] >= tickOf.lookup(op))
    return false;
  for (auto [mine, other] : llvm::zip_equal(clock, clockOf[op]))
    mine = std::max(mine, other);
  return true;
}

/// Chooses the events: each op waits for the ops of other streams that it depends on, the latest
/// first, unless what its stream has waited for already implies it.
void StreamAssigner::findWaits() {
  SmallVector<Clock> clocks(numStreams, Clock(numStreams, 0));
  SmallVector<bool> hasStarted(numStreams, false);
  hasStarted[0] = true;
  auto record = [&](Operation *user, Operation *op) {
    waits[user].push_back(op);
    recorded.insert(op);
  };
  SmallVector<Operation *> last(numStreams, nullptr);
  for (Operation *op : ops) {
    const unsigned stream = streamOf.lookup(op);
    SmallVector<Operation *> predecessors;
    for (Operation *predecessor : dependences.getPredecessors(op))
      if (streamOf.contains(predecessor))
        predecessors.push_back(predecessor);
    llvm::sort(predecessors, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
    for (Operation *predecessor : predecessors)
      if (waitFor(predecessor, clocks[stream])) {
        record(op, predecessor);
        hasStarted[stream] = true;
      }
    // Also an event of another stream is after the start of the call.
    if (!hasStarted[stream])
      record(op, nullptr);
    hasStarted[stream] = true;
    tickOf[op] = ++clocks[stream][stream];
    clockOf[op] = clocks[stream];
    last[stream] = op;
  }
  // The ends of the streams, the latest first.
  SmallVector<Operation *> ends;
  for (Operation *op : last)
    if (op)
      ends.push_back(op);
  llvm::sort(ends, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : ends)
    if (waitFor(op, clocks[0]))
      record(body.getTerminator(), op);
}

/// Memory that is freed on the stream of the call may be in use on another one: buffers are
/// allocated before all launches, and freed after them.
void StreamAssigner::moveBuffers() {
  Operation *first = ops.front();
  llvm::DenseSet<Operation *> late(ops.begin(), ops.end());
  SmallVector<Operation *> all;
  for (Operation &op : body.without_terminator())
    all.push_back(&op);
  for (Operation *op : all) {
    if (isa<FreeOp>(op)) {
      op->moveBefore(body.getTerminator());
      continue;
    }
    const bool dependsOnLate = llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && late.contains(operand.getDefiningOp());
    });
    if (late.contains(op) || dependsOnLate)
      late.insert(op);
    else if (first->isBeforeInBlock(op))
      op->moveBefore(first);
  }
}

void StreamAssigner::emit() {
  OpBuilder builder(body.getTerminator());
  llvm::DenseMap<Operation *, int64_t> events;
  unsigned current = 0;
  auto switchTo = [&](Operation *before, unsigned stream) {
    builder.setInsertionPoint(before);
    if (stream != current)
      StreamOp::create(builder, before->getLoc(), stream);
    current = stream;
  };
  if (recorded.contains(nullptr)) {
    builder.setInsertionPoint(ops.front());
    events[nullptr] = numEvents++;
    RecordOp::create(builder, ops.front()->getLoc(), events[nullptr]);
  }
  for (Operation *op : ops) {
    switchTo(op, streamOf.lookup(op));
    for (Operation *other : waits.lookup(op))
      WaitOp::create(builder, op->getLoc(), events.lookup(other));
    op->removeDiscardableAttr(kLaunchStreamAttrName);
    op->removeDiscardableAttr(kLaunchIntervalAttrName);
    if (!recorded.contains(op))
      continue;
    builder.setInsertionPointAfter(op);
    events[op] = numEvents++;
    RecordOp::create(builder, op->getLoc(), events[op]);
  }
  // Before the buffers are freed.
  Operation *end = body.getTerminator();
  while (isa_and_nonnull<FreeOp>(end->getPrevNode()))
    end = end->getPrevNode();
  switchTo(end, 0);
  for (Operation *other : waits.lookup(body.getTerminator()))
    WaitOp::create(builder, end->getLoc(), events.lookup(other));
}

unsigned StreamAssigner::run() {
  if (!collect())
    return 0;
  findWaits();
  moveBuffers();
  emit();
  return numStreams;
}

namespace {
struct AssignStreams : fuser::impl::FuserAssignStreamsBase<AssignStreams> {
  void runOnOperation() override {
    for (HostOp host : getOperation().getOps<HostOp>()) {
      StreamAssigner assigner(host);
      numStreams += assigner.run();
      numEvents += assigner.getNumEvents();
    }
  }
};
} // namespace
