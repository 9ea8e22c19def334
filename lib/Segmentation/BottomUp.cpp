//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Merges of parts that were split, in the order of savings.
//
//===----------------------------------------------------------------------===//

#include "Partitioner.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuser;
using Group = SegmentGraph::Group;

/// The number of next readers of a value with which a merge is tried: a value may have many
/// readers.
constexpr size_t kMostSiblings = 4;
/// The number of values that are searched for what a value is computed from.
constexpr size_t kMostSearched = 32;

bool Partitioner::isRejected(Group a, Group b) const {
  auto areColumns = [&](Group group) {
    return llvm::all_of(graph.getOps(group), [&](Operation *op) { return columns.contains(op); });
  };
  if (!columns.empty() && areColumns(a) != areColumns(b))
    return true;
  auto it = rejections.find(std::minmax(a, b));
  // The pair is queried again after one of the groups has grown.
  return it != rejections.end() &&
         it->second.size == graph.getOps(a).size() + graph.getOps(b).size();
}

void Partitioner::push(Group a, Group b) {
  if (a > b)
    std::swap(a, b);
  if (a == b)
    return;
  unsigned piece = pieceOf.lookup(graph.getOps(a).front());
  // Groups of different pieces are not merged: a mark separates them.
  if (piece != pieceOf.lookup(graph.getOps(b).front()) || !shattered.contains(piece) ||
      isRejected(a, b))
    return;
  ArrayRef<Operation *> opsA = graph.getOps(a), opsB = graph.getOps(b);
  candidates.push({traffic.getSaving(opsA, opsB), opsA.size() + opsB.size(), a, b});
}

/// The tensor arguments that the value is computed from, element by element: a group that reads it
/// may read them instead, and compute it again.
static SmallVector<BlockArgument> getArguments(Value value) {
  llvm::SetVector<Value> sources;
  sources.insert(value);
  SmallVector<BlockArgument> arguments;
  for (size_t next = 0; next < sources.size() && next < kMostSearched; ++next) {
    if (auto argument = dyn_cast<BlockArgument>(sources[next])) {
      arguments.push_back(argument);
      continue;
    }
    Operation *op = sources[next].getDefiningOp();
    if (!isa<ElementwiseOpInterface>(op) && !isa<BroadcastOp>(op))
      continue;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        sources.insert(operand);
  }
  return arguments;
}

/// Ops that read the same value, for example several reductions of it, or values of other groups
/// that are computed from the same argument.
void Partitioner::collectReaders() {
  llvm::MapVector<Value, SmallVector<OpOperand *>> readers, readersOfArguments;
  for (Operation &op : fusion.getBody().front())
    if (graph.contains(&op))
      for (OpOperand &operand : op.getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()))
          readers[operand.get()].push_back(&operand);
  for (Operation &op : fusion.getBody().front()) {
    if (!graph.contains(&op))
      continue;
    for (OpOperand &operand : op.getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (producer && graph.contains(producer) && graph.getGroup(producer) != graph.getGroup(&op))
        for (BlockArgument source : getArguments(operand.get()))
          readersOfArguments[source].push_back(&operand);
    }
  }
  for (const auto &[value, reads] :
       llvm::concat<std::pair<Value, SmallVector<OpOperand *>>>(readers, readersOfArguments))
    for (size_t i = 0; i < reads.size(); ++i)
      for (size_t j = i + 1; j < std::min(reads.size(), i + 1 + kMostSiblings); ++j) {
        otherReaders[reads[i]].push_back(reads[j]->getOwner());
        otherReaders[reads[j]].push_back(reads[i]->getOwner());
      }
}

/// All candidates for a merge with a group: consumers, producers and other readers of its inputs.
void Partitioner::pushNeighbours(Group group) {
  for (Group consumer : graph.getConsumers(group))
    push(group, consumer);
  for (Group producer : graph.getProducers(group))
    push(producer, group);
  for (Operation *op : graph.getOps(group))
    for (OpOperand &operand : op->getOpOperands()) {
      auto it = otherReaders.find(&operand);
      if (it == otherReaders.end())
        continue;
      for (Operation *other : it->second)
        push(group, graph.getGroup(other));
    }
}

Verdict Partitioner::askSiblings(ArrayRef<Group> groups, ArrayRef<Operation *> ops,
                                 SmallVectorImpl<Operation *> &sources, double &apart) {
  auto ask = [&](QueryRecord::Purpose purpose, ArrayRef<Operation *> own,
                 ArrayRef<Operation *> again) {
    SmallVector<Operation *> all(own);
    llvm::append_range(all, again);
    sortInProgramOrder(all);
    return query.ask(purpose, all, again);
  };
  std::optional<SmallVector<Operation *>> all = getSources(ops);
  if (!all || all->empty())
    return {};
  Verdict together = ask(QueryRecord::Purpose::Merge, ops, *all);
  if (!together)
    return together;
  // Apart, each may compute what it reads again as well.
  double least = 0;
  for (Group group : groups) {
    double own = verdicts.find(group)->second.microseconds;
    if (std::optional<SmallVector<Operation *>> again = getSources(graph.getOps(group)))
      if (Verdict alone = ask(QueryRecord::Purpose::Recompute, graph.getOps(group), *again))
        own = std::min(own, alone.microseconds);
    least += own + kLaunchMicroseconds;
  }
  apart = std::min(apart, least);
  sources.assign(all->begin(), all->end());
  return together;
}

void Partitioner::tryMerge(const Candidate &candidate) {
  // Groups on paths between the two are merged too, to avoid a cycle.
  SmallVector<Group> groups = graph.getBetween(candidate.a, candidate.b);
  groups.push_back(candidate.a);
  groups.push_back(candidate.b);
  SmallVector<Operation *> ops;
  double apart = 0;
  for (Group group : groups) {
    llvm::append_range(ops, graph.getOps(group));
    apart += verdicts.find(group)->second.microseconds + kLaunchMicroseconds;
  }
  sortInProgramOrder(ops);
  Verdict verdict = query.ask(QueryRecord::Purpose::Merge, ops);
  SmallVector<Operation *> sources;
  if (!verdict && groups.size() == 2)
    if (Verdict again = askSiblings(groups, ops, sources, apart))
      verdict = std::move(again);
  auto reject = [&](BoundaryRecord::Reason reason, double together) {
    rejections[{candidate.a, candidate.b}] = {candidate.size, reason, verdict.record, together,
                                              apart};
  };
  if (!verdict) {
    reject(BoundaryRecord::Reason::Refusal, 0);
    explain("no scheduler takes this merge", ops, verdict);
    return;
  }
  double together = verdict.microseconds + kLaunchMicroseconds;
  if (together >= apart) {
    ++counts.costly;
    reject(BoundaryRecord::Reason::Cost, together);
    if (options.explain)
      ops.front()->emitRemark()
          << "a merge of " << ops.size() << " ops would take "
          << llvm::formatv("{0:f1} us, and {1:f1} us apart", together, apart).str();
    return;
  }
  ++counts.merges;
  Group merged = groups.front();
  for (Group group : ArrayRef(groups).drop_front())
    merged = graph.merge(merged, group);
  verdicts[merged] = std::move(verdict);
  for (Group group : groups)
    sourcesOf.erase(group);
  if (!sources.empty())
    sourcesOf[merged] = std::move(sources);
  pushNeighbours(merged);
}

void Partitioner::mergeShattered() {
  collectReaders();
  for (Group group : graph.getGroups())
    if (shattered.contains(pieceOf.lookup(graph.getOps(group).front())))
      pushNeighbours(group);
  mergeCandidates();
}

void Partitioner::mergeCandidates() {
  while (!candidates.empty()) {
    Candidate best = candidates.top();
    candidates.pop();
    // Stale entries of groups that were merged in the meantime: the merged groups have new entries.
    if (graph.find(best.a) != best.a || graph.find(best.b) != best.b ||
        graph.getOps(best.a).size() + graph.getOps(best.b).size() != best.size ||
        isRejected(best.a, best.b))
      continue;
    tryMerge(best);
  }
}
