//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Groups as a forest of merges.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/SegmentGraph.h"
#include "llvm/ADT/DenseSet.h"
#include <queue>

using namespace mlir;
using namespace fuser;

SegmentGraph::SegmentGraph(FusionOp fusion, ArrayRef<Operation *> joins)
    : withJoins(!joins.empty()) {
  const llvm::DenseSet<Operation *> omitted(joins.begin(), joins.end());
  Block &body = fusion.getBody().front();
  // Backward from the outputs: unused ops are in no group.
  llvm::SmallPtrSet<Operation *, 32> live;
  for (Operation &op : llvm::reverse(body)) {
    bool isNeeded = isa<ReturnOp>(op) || llvm::any_of(op.getUsers(), [&](Operation *user) {
                      return live.contains(user);
                    });
    if (isNeeded)
      live.insert(&op);
  }
  for (Operation &op : body) {
    if (!live.contains(&op) || isa<ReturnOp>(op) || omitted.contains(&op) ||
        llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    unsigned group = nodes.size();
    groupOf[&op] = group;
    Node node;
    node.ops.push_back(&op);
    node.first = node.last = group;
    node.parent = group;
    // Scalars are computed in each kernel or by the host function, from arguments alone.
    for (Value operand : op.getOperands())
      if (auto it = groupOf.find(operand.getDefiningOp()); it != groupOf.end()) {
        node.producers.insert(it->second);
        nodes[it->second].consumers.insert(group);
      }
    nodes.push_back(std::move(node));
    positions[&op] = group;
    farthest.push_back(group);
  }
}

SegmentGraph::Group SegmentGraph::find(Group group) const {
  while (nodes[group].parent != group) {
    nodes[group].parent = nodes[nodes[group].parent].parent;
    group = nodes[group].parent;
  }
  return group;
}

SmallVector<SegmentGraph::Group> SegmentGraph::getGroups() const {
  SmallVector<Group> groups;
  for (Group group = 0; group < nodes.size(); ++group)
    if (nodes[group].parent == group)
      groups.push_back(group);
  llvm::sort(groups, [&](Group a, Group b) { return nodes[a].first < nodes[b].first; });
  return groups;
}

SmallVector<SegmentGraph::Group> SegmentGraph::getCurrent(Group group,
                                                          ArrayRef<Group> neighbours) const {
  llvm::SmallSetVector<Group, 8> current;
  for (Group neighbour : neighbours)
    if (Group now = find(neighbour); now != group)
      current.insert(now);
  return current.takeVector();
}

SmallVector<SegmentGraph::Group> SegmentGraph::getConsumers(Group group) const {
  return getCurrent(group, nodes[group].consumers.getArrayRef());
}

SmallVector<SegmentGraph::Group> SegmentGraph::getProducers(Group group) const {
  return getCurrent(group, nodes[group].producers.getArrayRef());
}

void SegmentGraph::addBetween(Group from, Group to, SmallVectorImpl<Group> &between) const {
  // Forward from one group. A group that reaches the other has an op before the last op of the
  // next group on the path, which may come after that of `to` if groups overlap in the program.
  unsigned last = nodes[to].last;
  while (farthest[last] > last)
    last = farthest[last];
  SmallVector<Group> stack;
  llvm::DenseSet<Group> reached;
  auto visit = [&](Group group) {
    if (nodes[group].first < last && reached.insert(group).second)
      stack.push_back(group);
  };
  bool arrives = false;
  for (Group consumer : getConsumers(from))
    if (consumer != to)
      visit(consumer);
  while (!stack.empty())
    for (Group consumer : getConsumers(stack.pop_back_val())) {
      arrives |= consumer == to;
      if (consumer != to)
        visit(consumer);
    }
  if (!arrives)
    return;
  // Backward from the other group, among these.
  auto visitBack = [&](Group group) {
    for (Group producer : getProducers(group))
      if (reached.erase(producer)) {
        between.push_back(producer);
        stack.push_back(producer);
      }
  };
  visitBack(to);
  while (!stack.empty())
    visitBack(stack.pop_back_val());
}

SmallVector<SegmentGraph::Group> SegmentGraph::getBetween(Group a, Group b) const {
  SmallVector<Group> between;
  addBetween(a, b, between);
  addBetween(b, a, between);
  llvm::sort(between);
  return between;
}

SegmentGraph::Group SegmentGraph::merge(Group a, Group b) {
  assert(a != b && find(a) == a && find(b) == b && "expected two current groups");
  // The larger set of neighbors is kept.
  if (nodes[a].producers.size() + nodes[a].consumers.size() <
      nodes[b].producers.size() + nodes[b].consumers.size())
    std::swap(a, b);
  Node &kept = nodes[a], &gone = nodes[b];
  gone.parent = a;
  SmallVector<Operation *> ops;
  ops.reserve(kept.ops.size() + gone.ops.size());
  std::merge(kept.ops.begin(), kept.ops.end(), gone.ops.begin(), gone.ops.end(),
             std::back_inserter(ops), [&](Operation *lhs, Operation *rhs) {
               return positions.lookup(lhs) < positions.lookup(rhs);
             });
  kept.ops = std::move(ops);
  kept.first = std::min(kept.first, gone.first);
  kept.last = std::max(kept.last, gone.last);
  for (unsigned position = kept.first; farthest[position] < kept.last; ++position)
    farthest[position] = kept.last;
  kept.producers.insert_range(gone.producers);
  kept.consumers.insert_range(gone.consumers);
  gone.ops.clear();
  gone.producers.clear();
  gone.consumers.clear();
  return a;
}

void SegmentGraph::setRange(Group group) {
  Node &node = nodes[group];
  node.first = positions.lookup(node.ops.front());
  node.last = positions.lookup(node.ops.back());
  for (unsigned position = node.first; farthest[position] < node.last; ++position)
    farthest[position] = node.last;
}

void SegmentGraph::move(ArrayRef<Operation *> ops, Group from, Group to) {
  for (Operation *op : ops)
    groupOf[op] = to;
  llvm::erase_if(nodes[from].ops, [&](Operation *op) { return llvm::is_contained(ops, op); });
  assert(!nodes[from].ops.empty() && "expected ops that stay");
  llvm::append_range(nodes[to].ops, ops);
  llvm::sort(nodes[to].ops,
             [&](Operation *a, Operation *b) { return positions.lookup(a) < positions.lookup(b); });
  setRange(from);
  setRange(to);
  // The neighbors of these and of others: what was read of one group may be of the other now.
  for (Node &node : nodes) {
    node.producers.clear();
    node.consumers.clear();
  }
  for (Group group : getGroups())
    for (Operation *op : nodes[group].ops)
      for (Value operand : op->getOperands())
        if (auto it = groupOf.find(operand.getDefiningOp()); it != groupOf.end())
          if (Group producer = find(it->second); producer != group) {
            nodes[group].producers.insert(producer);
            nodes[producer].consumers.insert(group);
          }
}

SegmentGraph::Group SegmentGraph::split(ArrayRef<Operation *> ops, Group from) {
  const Group group = nodes.size();
  nodes.emplace_back();
  nodes.back().parent = group;
  move(ops, from, group);
  return group;
}

bool SegmentGraph::addDependence(Group first, Group second) {
  llvm::DenseSet<Group> reached = {second};
  SmallVector<Group> stack = {second};
  while (!stack.empty()) {
    const Group group = stack.pop_back_val();
    if (group == first)
      return false;
    for (Group consumer : getConsumers(group))
      if (reached.insert(consumer).second)
        stack.push_back(consumer);
  }
  nodes[first].consumers.insert(second);
  nodes[second].producers.insert(first);
  return true;
}

SmallVector<SegmentGraph::Group> SegmentGraph::getRunOrder() const {
  using Entry = std::pair<unsigned, Group>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  llvm::DenseMap<Group, unsigned> waiting;
  SmallVector<Group> groups = getGroups(), order;
  for (Group group : groups) {
    unsigned producers = getProducers(group).size();
    waiting[group] = producers;
    if (producers == 0)
      ready.push({nodes[group].first, group});
  }
  while (!ready.empty()) {
    Group group = ready.top().second;
    ready.pop();
    order.push_back(group);
    for (Group consumer : getConsumers(group))
      if (--waiting[consumer] == 0)
        ready.push({nodes[consumer].first, consumer});
  }
  assert(order.size() == groups.size() && "expected an acyclic graph");
  return order;
}
