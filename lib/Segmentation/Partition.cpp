//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Top-down first, then bottom-up for what was refused.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/Partition.h"
#include "HostJoins.h"
#include "Pieces.h"
#include "ScheduleQuery.h"
#include "Traffic.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <queue>
#include <set>

using namespace mlir;
using namespace fuser;
using Group = SegmentGraph::Group;

Partition Partition::getWhole(FusionOp fusion) {
  Segment whole;
  for (Operation &op : fusion.getBody().front().without_terminator())
    if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      whole.ops.push_back(&op);
  Partition partition;
  if (!whole.ops.empty())
    partition.segments.push_back(std::move(whole));
  return partition;
}

Partition Partition::getSingles(FusionOp fusion) {
  Partition partition;
  for (const Segment &whole : getWhole(fusion).segments)
    for (Operation *op : whole.ops)
      partition.segments.push_back({{op}, {}, {}});
  return partition;
}

namespace {

class Partitioner {
public:
  Partitioner(FusionOp fusion, const ExtentAnalysis &analysis, const SegmentationOptions &options,
              SegmentationCounts &counts)
      : fusion(fusion), options(options), counts(counts), joins(findOutputJoins(fusion, analysis)),
        graph(fusion, joins), query(fusion, analysis, options, counts), traffic(analysis, options) {
  }

  LogicalResult askPieces();
  void mergeShattered();
  Partition finish();

private:
  /// Two groups that could be one. Larger savings first, then smaller groups, then the program's
  /// order.
  struct Candidate {
    double saving;
    size_t size;
    Group a, b;
    bool operator<(const Candidate &other) const {
      return std::tuple(saving, -int64_t(size), -int64_t(a), -int64_t(b)) <
             std::tuple(other.saving, -int64_t(other.size), -int64_t(other.a), -int64_t(other.b));
    }
  };
  Group mergeAll(ArrayRef<Operation *> ops);
  void push(Group a, Group b);
  void pushNeighbours(Group group);
  void pushSiblings();
  SmallVector<Operation *> getUnion(ArrayRef<Group> groups);
  void recompute(Segment &segment);
  void explain(Twine what, ArrayRef<Operation *> ops, const Verdict &verdict);

  FusionOp fusion;
  const SegmentationOptions &options;
  SegmentationCounts &counts;
  /// What kernels write part by part: each is a segment of its own.
  SmallVector<Operation *> joins;
  SegmentGraph graph;
  ScheduleQuery query;
  Traffic traffic;
  /// The refused piece that an op was in; ops of accepted pieces are in none.
  llvm::DenseMap<Operation *, unsigned> shatteredPiece;
  /// By group.
  llvm::DenseMap<Group, const Scheduler *> schedulers;
  std::priority_queue<Candidate> candidates;
  /// Pairs that were refused: asked again when one of them has grown.
  std::set<std::pair<Group, Group>> refused;
};

} // namespace

void Partitioner::explain(Twine what, ArrayRef<Operation *> ops, const Verdict &verdict) {
  if (!options.explain)
    return;
  InFlightDiagnostic remark = ops.front()->emitRemark() << what << " of " << ops.size() << " ops";
  for (const std::string &refusal : verdict.refusals)
    remark.attachNote() << refusal;
}

//===----------------------------------------------------------------------===//
// Top-down
//===----------------------------------------------------------------------===//

/// Merges groups of one size with each other, so that no op is moved often.
Group Partitioner::mergeAll(ArrayRef<Operation *> ops) {
  SmallVector<Group> groups =
      llvm::map_to_vector(ops, [&](Operation *op) { return graph.getGroup(op); });
  while (groups.size() > 1) {
    size_t count = 0;
    for (size_t i = 0; i + 1 < groups.size(); i += 2)
      groups[count++] = graph.merge(groups[i], groups[i + 1]);
    if (groups.size() % 2)
      groups[count++] = groups.back();
    groups.resize(count);
  }
  return groups.front();
}

LogicalResult Partitioner::askPieces() {
  unsigned number = 0;
  for (const Piece &piece : cutAtMarks(fusion, graph)) {
    if (auto library = dyn_cast<LibraryOpInterface>(piece.front())) {
      piece.front()->emitRemark("computed by the routine '")
          << library.getRoutine() << "' of a library: no kernel can";
      continue;
    }
    Verdict verdict = query.ask(piece);
    if (verdict) {
      ++counts.accepted;
      Group group = mergeAll(piece);
      schedulers[group] = verdict.scheduler;
      continue;
    }
    if (piece.size() > 1)
      ++counts.shattered;
    explain("no scheduler takes this group", piece, verdict);
    for (Operation *op : piece) {
      shatteredPiece[op] = number;
      Verdict alone = piece.size() == 1 ? verdict : query.ask(op);
      if (!alone) {
        InFlightDiagnostic error =
            op->emitError("expected an op that a scheduler takes alone, but all refuse it");
        for (const std::string &refusal : alone.refusals)
          error.attachNote() << refusal;
        return error;
      }
      schedulers[graph.getGroup(op)] = alone.scheduler;
    }
    ++number;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Bottom-up
//===----------------------------------------------------------------------===//

void Partitioner::push(Group a, Group b) {
  if (a > b)
    std::swap(a, b);
  auto pieceA = shatteredPiece.find(graph.getOps(a).front());
  auto pieceB = shatteredPiece.find(graph.getOps(b).front());
  // Groups of different pieces stay apart: a mark is between them.
  if (a == b || pieceA == shatteredPiece.end() || pieceB == shatteredPiece.end() ||
      pieceA->second != pieceB->second || refused.count({a, b}))
    return;
  ArrayRef<Operation *> opsA = graph.getOps(a), opsB = graph.getOps(b);
  candidates.push({traffic.getSaving(opsA, opsB), opsA.size() + opsB.size(), a, b});
}

void Partitioner::pushNeighbours(Group group) {
  for (Group consumer : graph.getConsumers(group))
    push(group, consumer);
  for (Group producer : graph.getProducers(group))
    push(producer, group);
}

/// Reductions of one value and the like: groups that read the same.
void Partitioner::pushSiblings() {
  llvm::MapVector<Value, SmallVector<Group>> readers;
  for (Group group : graph.getGroups())
    for (Operation *op : graph.getOps(group))
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()) &&
            (readers[operand].empty() || readers[operand].back() != group))
          readers[operand].push_back(group);
  for (auto &[value, groups] : readers)
    for (auto [a, b] : llvm::zip(groups, ArrayRef(groups).drop_front()))
      push(a, b);
}

SmallVector<Operation *> Partitioner::getUnion(ArrayRef<Group> groups) {
  SmallVector<Operation *> ops;
  for (Group group : groups)
    llvm::append_range(ops, graph.getOps(group));
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  return ops;
}

void Partitioner::mergeShattered() {
  for (Group group : graph.getGroups())
    for (Group consumer : graph.getConsumers(group))
      push(group, consumer);
  pushSiblings();
  while (!candidates.empty()) {
    Candidate best = candidates.top();
    candidates.pop();
    // Older entries of groups that have merged since: the merged ones have entries of their own.
    if (graph.find(best.a) != best.a || graph.find(best.b) != best.b ||
        refused.count({best.a, best.b}) ||
        graph.getOps(best.a).size() + graph.getOps(best.b).size() != best.size)
      continue;
    // What lies between the two comes along, or there would be a cycle.
    SmallVector<Group> groups = graph.getBetween(best.a, best.b);
    groups.push_back(best.a);
    groups.push_back(best.b);
    SmallVector<Operation *> ops = getUnion(groups);
    Verdict verdict = query.ask(ops);
    if (!verdict) {
      refused.insert({best.a, best.b});
      explain("no scheduler takes this merge", ops, verdict);
      continue;
    }
    ++counts.merges;
    Group merged = groups.front();
    for (Group group : ArrayRef(groups).drop_front())
      merged = graph.merge(merged, group);
    schedulers[merged] = verdict.scheduler;
    // It has grown: what was refused with it may be accepted now.
    for (auto it = refused.begin(); it != refused.end();)
      it = it->first == merged || it->second == merged ? refused.erase(it) : std::next(it);
    pushNeighbours(merged);
  }
}

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

/// Takes cheap producers of the segment's inputs into it where they read no more than they write:
/// then their result need not pass through memory for this segment.
void Partitioner::recompute(Segment &segment) {
  llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
  auto piece = shatteredPiece.find(segment.ops.front());
  if (piece == shatteredPiece.end())
    return;
  llvm::SmallPtrSet<Operation *, 8> tried;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < segment.ops.size() && !changed; ++i)
      for (Value operand : segment.ops[i]->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        auto from = shatteredPiece.find(producer);
        if (!producer || own.contains(producer) || from == shatteredPiece.end() ||
            from->second != piece->second || !producer->hasTrait<CheapElement>() ||
            !tried.insert(producer).second)
          continue;
        double reads = 0;
        for (Value input : producer->getOperands())
          if (isa<RankedTensorType>(input.getType()))
            reads += traffic.getBytes(input);
        if (reads > traffic.getBytes(operand))
          continue;
        SmallVector<Operation *> ops(segment.ops);
        ops.push_back(producer);
        llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
        SmallVector<Operation *> recomputed(segment.recomputed);
        recomputed.push_back(producer);
        Verdict verdict = query.ask(ops, recomputed);
        if (!verdict)
          continue;
        ++counts.recomputed;
        own.insert(producer);
        segment.recomputed = std::move(recomputed);
        segment.ops = std::move(ops);
        segment.scheduler = verdict.scheduler->getName().str();
        changed = true;
        break;
      }
  }
}

Partition Partitioner::finish() {
  Partition partition;
  for (Group group : graph.getRunOrder()) {
    Segment segment;
    segment.ops.assign(graph.getOps(group).begin(), graph.getOps(group).end());
    if (const Scheduler *scheduler = schedulers.lookup(group)) {
      segment.scheduler = scheduler->getName().str();
      recompute(segment);
    }
    partition.segments.push_back(std::move(segment));
  }
  for (Operation *op : joins)
    partition.segments.push_back({{op}, {}, {}});
  // From the last one: a segment whose results nobody needs any more is gone.
  llvm::DenseSet<Value> needed;
  for (Value value : fusion.getBody().front().getTerminator()->getOperands())
    needed.insert(value);
  SmallVector<Segment> kept;
  for (Segment &segment : llvm::reverse(partition.segments)) {
    bool isNeeded = llvm::any_of(segment.ops, [&](Operation *op) {
      return !llvm::is_contained(segment.recomputed, op) &&
             llvm::any_of(op->getResults(), [&](Value value) { return needed.contains(value); });
    });
    if (!isNeeded)
      continue;
    llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands())
        if (!own.contains(operand.getDefiningOp()))
          needed.insert(operand);
    kept.push_back(std::move(segment));
  }
  std::reverse(kept.begin(), kept.end());
  partition.segments = std::move(kept);
  return partition;
}

FailureOr<Partition> fuser::partitionFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                            const SegmentationOptions &options,
                                            SegmentationCounts &counts) {
  Partitioner partitioner(fusion, analysis, options, counts);
  if (failed(partitioner.askPieces()))
    return failure();
  partitioner.mergeShattered();
  return partitioner.finish();
}
