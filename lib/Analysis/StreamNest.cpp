//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/StreamNest.h"
#include "fuser/Analysis/SegmentGraph.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Loops of a domain
//===----------------------------------------------------------------------===//

AffineExpr StreamTile::getCount(AffineExpr extent) const {
  return inner ? extent.floorDiv(factor) : getAffineConstantExpr(factor, extent.getContext());
}

AffineExpr StreamTile::getSize(AffineExpr extent) const {
  return inner ? getAffineConstantExpr(factor, extent.getContext()) : extent.floorDiv(factor);
}

RankedTensorType StreamTile::getSlice(RankedTensorType type, unsigned dim) const {
  SmallVector<int64_t> shape(type.getShape());
  if (inner)
    shape[dim] = factor;
  else if (!ShapedType::isDynamic(shape[dim]))
    shape[dim] /= factor;
  return type.clone(shape);
}

std::optional<unsigned> StreamLoop::getOperandDim(OpOperand &operand) const {
  auto mapping = cast<DomainMappingOpInterface>(operand.getOwner());
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
    if (map.kind == DimMap::Kind::Mapped && map.id == root)
      return dim;
  return std::nullopt;
}

unsigned StreamLoop::getResultDim(OpResult result) const {
  DomainAttr domain =
      cast<TensorViewOpInterface>(result.getOwner()).getDomain(result.getResultNumber());
  SmallVector<unsigned> dims = domain.getResultIds();
  return llvm::find(dims, domain.getLogical()[root]) - dims.begin();
}

/// Removes from `steps` the split of which `other` is the outer output: what is left is relative to
/// the inner output. False if `steps` do not begin there.
static bool enterPart(SmallVectorImpl<Shard::Step> &steps, ArrayRef<Shard::Step> other) {
  if (other.size() != 1 || steps.empty() || steps.front().factor != other.front().factor ||
      steps.front().inner != other.front().inner || steps.front().output != 1)
    return false;
  steps.erase(steps.begin());
  return true;
}

FailureOr<SmallVector<StreamLoop>> fuser::getStreamLoops(DomainAttr domain) {
  FailureOr<SmallVector<Shard>> shards = getShards(domain);
  if (failed(shards))
    return failure();
  // The parts of devices are outside of all loops.
  SmallVector<const Shard *> ordered;
  for (bool isStream : {false, true})
    for (const Shard &shard : *shards)
      if ((shard.type == ParallelType::Stream) == isStream)
        ordered.push_back(&shard);
  using Steps = SmallVector<Shard::Step, 2>;
  // A mesh of one device splits by 1, which keeps the whole dimension, as does a part of size 1.
  auto simplify = [](const Steps &steps) {
    return llvm::to_vector<2>(llvm::make_filter_range(steps, [](const Shard::Step &step) {
      return step.factor != 1 || step.output != unsigned(!step.inner);
    }));
  };
  SmallVector<Steps> relative;
  SmallVector<StreamLoop> loops;
  for (auto [number, shard] : llvm::enumerate(ordered)) {
    Steps steps(shard->steps);
    for (auto [outer, others] : llvm::zip(ArrayRef(ordered).take_front(number), relative))
      if (outer->logical == shard->logical && !enterPart(steps, others))
        return failure();
    relative.push_back(steps);
    steps = simplify(steps);
    if (shard->type != ParallelType::Stream)
      continue;
    if (steps.size() > 1 || (!steps.empty() && steps[0].output != 0))
      return failure();
    StreamLoop &loop = loops.emplace_back();
    loop.id = shard->id;
    loop.root = shard->logical;
    loop.steps = simplify(shard->steps);
    if (!steps.empty())
      loop.tile = {steps[0].factor, steps[0].inner};
  }
  return loops;
}

unsigned fuser::getNumAllocatedStreams(DomainAttr domain) {
  unsigned count = 0;
  for (auto [id, type] : llvm::zip_equal(domain.getLoop(), domain.getParallel())) {
    if (type != ParallelType::Stream)
      continue;
    if (!isAllocatedStream(domain, id))
      break;
    ++count;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {

class StreamGrouper {
public:
  StreamGrouper(FusionOp fusion, ArrayRef<Operation *> omitted, unsigned depth);
  void mergeAlongValues();
  SmallVector<StreamGroup> takeGroups();

private:
  using Group = SegmentGraph::Group;
  /// An iteration of the user reads only results of the same iteration of the producer.
  bool isAligned(OpOperand &use) const;
  bool canShareLoop(Group a, Group b) const;

  FusionOp fusion;
  SegmentGraph graph;
  llvm::DenseMap<Operation *, StreamLoop> loops;
};

} // namespace

/// The loops of an op that is distributed in one way over all results; empty: none.
static SmallVector<StreamLoop> getLoops(Operation *op) {
  auto view = dyn_cast<TensorViewOpInterface>(op);
  if (!view || !view.hasDomains() || !isa<DomainMappingOpInterface>(op) ||
      !view.getDomain().getRoot().empty())
    return {};
  FailureOr<SmallVector<StreamLoop>> loops = getStreamLoops(view.getDomain());
  return succeeded(loops) ? *loops : SmallVector<StreamLoop>();
}

StreamGrouper::StreamGrouper(FusionOp fusion, ArrayRef<Operation *> omitted, unsigned depth)
    : fusion(fusion), graph(fusion, omitted) {
  for (Operation &op : fusion.getBody().front()) {
    if (!graph.contains(&op))
      continue;
    SmallVector<StreamLoop> all = getLoops(&op);
    if (all.size() > depth)
      loops[&op] = all[depth];
  }
}

bool StreamGrouper::isAligned(OpOperand &use) const {
  auto result = cast<OpResult>(use.get());
  const StreamLoop &producer = loops.find(result.getOwner())->second;
  const StreamLoop &consumer = loops.find(use.getOwner())->second;
  return producer.steps == consumer.steps &&
         consumer.getOperandDim(use) == producer.getResultDim(result);
}

bool StreamGrouper::canShareLoop(Group a, Group b) const {
  auto areAligned = [&](Group producers, Group consumers) {
    for (Operation *op : graph.getOps(consumers))
      for (OpOperand &operand : op->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        if (producer && graph.contains(producer) && graph.getGroup(producer) == producers &&
            !isAligned(operand))
          return false;
      }
    return true;
  };
  bool isLoop = loops.contains(graph.getOps(a).front());
  if (isLoop != loops.contains(graph.getOps(b).front()))
    return false;
  return !isLoop || (areAligned(a, b) && areAligned(b, a));
}

void StreamGrouper::mergeAlongValues() {
  for (Operation &op : fusion.getBody().front()) {
    if (!graph.contains(&op))
      continue;
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || !graph.contains(producer))
        continue;
      Group from = graph.getGroup(producer), to = graph.getGroup(&op);
      // Groups between the two would have to run in the middle of the loop.
      if (from != to && canShareLoop(from, to) && graph.getBetween(from, to).empty())
        graph.merge(from, to);
    }
  }
}

SmallVector<StreamGroup> StreamGrouper::takeGroups() {
  SmallVector<StreamGroup> groups;
  for (Group id : graph.getRunOrder()) {
    StreamGroup group;
    group.ops.assign(graph.getOps(id).begin(), graph.getOps(id).end());
    for (Operation *op : group.ops)
      if (auto it = loops.find(op); it != loops.end()) {
        group.tile = it->second.tile;
        group.loops[op] = it->second;
      }
    groups.push_back(std::move(group));
  }
  return groups;
}

SmallVector<StreamGroup> fuser::groupByStreams(FusionOp fusion, ArrayRef<Operation *> ops,
                                               unsigned depth) {
  SmallVector<Operation *> omitted;
  if (!ops.empty()) {
    llvm::DenseSet<Operation *> own(ops.begin(), ops.end());
    for (Operation &op : fusion.getBody().front())
      if (!own.contains(&op))
        omitted.push_back(&op);
  }
  StreamGrouper grouper(fusion, omitted, depth);
  grouper.mergeAlongValues();
  return grouper.takeGroups();
}

//===----------------------------------------------------------------------===//
// Nest
//===----------------------------------------------------------------------===//

StreamNest::StreamNest(FusionOp fusion) {
  if (llvm::any_of(fusion.getBody().front(), [](Operation &op) { return !getLoops(&op).empty(); }))
    add(fusion, {}, 0);
}

void StreamNest::add(FusionOp fusion, ArrayRef<Operation *> ops, unsigned depth) {
  for (const StreamGroup &group : groupByStreams(fusion, ops, depth)) {
    if (!group.tile)
      continue;
    const unsigned number = numLoops++;
    for (Operation *op : group.ops)
      loops[op].push_back(number);
    if (llvm::any_of(group.ops, [&](Operation *op) { return getLoops(op).size() > depth + 1; }))
      add(fusion, group.ops, depth + 1);
  }
}

unsigned StreamNest::getNumShared(Operation *producer, Operation *user) const {
  auto outer = loops.find(producer), inner = loops.find(user);
  if (outer == loops.end() || inner == loops.end())
    return 0;
  unsigned count = 0;
  for (auto [a, b] : llvm::zip(outer->second, inner->second)) {
    if (a != b)
      break;
    ++count;
  }
  return count;
}

unsigned StreamNest::getNumSharedLoops(OpResult value) const {
  auto own = loops.find(value.getOwner());
  unsigned count = own == loops.end() ? 0 : own->second.size();
  for (Operation *user : value.getUsers())
    count = std::min(count, getNumShared(value.getOwner(), user));
  return count;
}

Operation *StreamNest::findUserOutside(OpResult value, unsigned count) const {
  // Users are listed in reverse.
  Operation *first = nullptr;
  for (Operation *user : value.getUsers())
    if (getNumShared(value.getOwner(), user) < count && (!first || user->isBeforeInBlock(first)))
      first = user;
  return first;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static SmallVector<unsigned> getStreamIds(DomainAttr domain) {
  SmallVector<unsigned> ids;
  for (auto [id, type] : llvm::zip_equal(domain.getLoop(), domain.getParallel()))
    if (type == ParallelType::Stream)
      ids.push_back(id);
  return ids;
}

LogicalResult fuser::verifyStreamAllocation(TensorViewOpInterface op, OpResult result,
                                            const StreamNest &nest) {
  DomainAttr domain = op.getDomain(result.getResultNumber());
  SmallVector<unsigned> streams = getStreamIds(domain);
  const unsigned count = getNumAllocatedStreams(domain);
  for (unsigned id : ArrayRef(streams).drop_front(count))
    if (isAllocatedStream(domain, id))
      return op->emitOpError("expected stream i")
             << id << " in the allocation of result " << result.getResultNumber()
             << " only together with stream i" << streams[count]
             << ", whose loop is around its own, but got " << domain;
  Operation *user = nest.findUserOutside(result, count);
  if (!user)
    return success();
  // S4.5, S4.6
  const bool isOutput = isa<ReturnOp>(user);
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected no stream in the allocation of ")
      << (isOutput ? "an output" : "a value that is used over other streams")
      << ", but got stream i" << streams[count - 1] << " in " << domain;
  Diagnostic &note = diagnostic.attachNote(user->getLoc());
  note << (isOutput ? "returned here" : "used here");
  auto view = dyn_cast<TensorViewOpInterface>(user);
  SmallVector<unsigned> theirs =
      view && view.hasDomains() ? getStreamIds(view.getDomain()) : SmallVector<unsigned>();
  if (!theirs.empty()) {
    note << ", over";
    for (unsigned id : theirs)
      note << " i" << id;
    note << " of " << view.getDomain();
  } else if (!isOutput) {
    note << ", outside of loops over streams";
  }
  return diagnostic;
}
