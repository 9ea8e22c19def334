//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// IdGraph: union-find with congruence closure, and paths over transform groups.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/IdGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool IdGraph::Signature::operator==(const Signature &other) const {
  return kind == other.kind && inner == other.inner && value == other.value &&
         after == other.after && inputs[0] == other.inputs[0] && inputs[1] == other.inputs[1];
}

// No transform of these kinds has an absent first input, so the keys are free.
IdGraph::Signature IdGraph::SignatureInfo::getEmptyKey() {
  return {TransformKind::Split, false, 0, 0, {kNoId, kNoId}};
}
IdGraph::Signature IdGraph::SignatureInfo::getTombstoneKey() {
  return {TransformKind::Merge, false, 0, 0, {kNoId, kNoId}};
}
unsigned IdGraph::SignatureInfo::getHashValue(const Signature &signature) {
  return static_cast<unsigned>(hash_combine(static_cast<uint32_t>(signature.kind), signature.inner,
                                            signature.value, signature.after, signature.inputs[0],
                                            signature.inputs[1]));
}

IdGraph::Signature IdGraph::getSignature(const Transform &transform) const {
  const DomainTransform &parameters = transform.parameters;
  Signature signature{
      parameters.kind, parameters.inner, parameters.value, parameters.after, {kNoId, kNoId}};
  for (auto [index, node] : enumerate(transform.getInputs()))
    signature.inputs[index] = getClass(node);
  return signature;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

unsigned IdGraph::addNode() {
  unsigned node = parents.size();
  parents.push_back(node);
  sizes.push_back(1);
  next.push_back(node);
  uses.emplace_back();
  definitions.emplace_back();
  isFree.push_back(false);
  return node;
}

void IdGraph::addTransform(const DomainTransform &parameters, ArrayRef<unsigned> inputs,
                           ArrayRef<unsigned> outputs) {
  unsigned index = transforms.size();
  Transform transform{parameters, {kNoId, kNoId}, {kNoId, kNoId}, index};
  llvm::copy(inputs, transform.inputs);
  llvm::copy(outputs, transform.outputs);
  if (!inputs.empty()) {
    auto [it, isNew] = signatures.try_emplace(getSignature(transform), index);
    transform.group = isNew ? index : findGroup(it->second);
  }
  transforms.push_back(transform);
  if (transform.group != index) {
    for (auto [output, same] : zip(outputs, transforms[transform.group].getOutputs()))
      pending.emplace_back(output, same);
    drain();
    return;
  }
  for (unsigned node : inputs)
    uses[getClass(node)].push_back(index);
  for (unsigned node : outputs) {
    definitions[getClass(node)].push_back(index);
    if (inputs.empty())
      isFree[getClass(node)] = true;
  }
}

void IdGraph::unite(unsigned a, unsigned b) {
  pending.emplace_back(a, b);
  drain();
}

void IdGraph::drain() {
  while (!pending.empty()) {
    auto [a, b] = pending.pop_back_val();
    unsigned winner = getClass(a), loser = getClass(b);
    if (winner == loser)
      continue;
    // The larger class keeps its name, so that no node changes class more than log(n) times; of
    // equal ones the older.
    if (sizes[winner] < sizes[loser] || (sizes[winner] == sizes[loser] && loser < winner))
      std::swap(winner, loser);
    parents[loser] = winner;
    sizes[winner] += sizes[loser];
    std::swap(next[winner], next[loser]);
    isFree[winner] = isFree[winner] || isFree[loser];
    definitions[winner].append(definitions[loser]);
    definitions[loser].clear();
    // Uses of the loser have a new signature, which another transform may have already.
    SmallVector<unsigned, 2> moved = std::move(uses[loser]);
    uses[loser].clear();
    for (unsigned index : moved) {
      Transform &transform = transforms[index];
      if (transform.group != index)
        continue;
      auto [it, isNew] = signatures.try_emplace(getSignature(transform), index);
      unsigned same = isNew ? index : findGroup(it->second);
      if (same == index) {
        uses[winner].push_back(index);
        continue;
      }
      transform.group = same;
      for (auto [x, y] : zip(transform.getOutputs(), transforms[same].getOutputs()))
        pending.emplace_back(x, y);
    }
  }
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

IdClass IdGraph::getClass(unsigned node) const {
  while (parents[node] != node)
    node = parents[node];
  return node;
}

SmallVector<unsigned> IdGraph::getMembers(IdClass idClass) const {
  SmallVector<unsigned> members{idClass};
  for (unsigned node = next[idClass]; node != idClass; node = next[node])
    members.push_back(node);
  llvm::sort(members);
  return members;
}

unsigned IdGraph::findGroup(unsigned transform) const {
  while (transforms[transform].group != transform)
    transform = transforms[transform].group;
  return transform;
}

SmallVector<unsigned> IdGraph::getGroups(ArrayRef<unsigned> indices) const {
  SmallVector<unsigned> groups;
  for (unsigned index : indices)
    groups.push_back(findGroup(index));
  llvm::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

SmallVector<unsigned> IdGraph::getDefinitions(IdClass idClass) const {
  return getGroups(definitions[idClass]);
}

SmallVector<unsigned> IdGraph::getUses(IdClass idClass) const { return getGroups(uses[idClass]); }

TransformGroup IdGraph::getGroup(unsigned group) const {
  const Transform &transform = transforms[group];
  TransformGroup result{transform.parameters, {}, {}};
  for (unsigned node : transform.getInputs())
    result.inputs.push_back(getClass(node));
  for (unsigned node : transform.getOutputs())
    result.outputs.push_back(getClass(node));
  return result;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

namespace {
/// Breadth-first search from classes over groups whose one side is complete.
class PathSearch {
public:
  PathSearch(const IdGraph &graph, function_ref<bool(IdPathStep)> allow,
             function_ref<bool(IdClass)> isFree)
      : graph(graph), allow(allow), isFree(isFree) {}

  void run(ArrayRef<IdClass> from) {
    for (IdClass idClass : from)
      reach(idClass, std::nullopt);
    for (size_t head = 0; head < queue.size(); ++head) {
      IdClass idClass = queue[head];
      for (unsigned group : graph.getUses(idClass))
        visit({group, true});
      for (unsigned group : graph.getDefinitions(idClass))
        visit({group, false});
    }
  }

  /// Broadcast ids are reached when somebody needs them.
  bool isReached(IdClass idClass) {
    if (sources.count(idClass))
      return true;
    if (!isFree(idClass))
      return false;
    for (unsigned group : graph.getDefinitions(idClass)) {
      if (graph.getGroup(group).inputs.empty() && (!allow || allow({group, true}))) {
        reach(idClass, IdPathStep{group, true});
        return true;
      }
    }
    return false;
  }

  /// Appends the steps that lead to a reached class, needed ones first.
  void appendSteps(IdClass idClass, std::vector<IdPathStep> &path,
                   DenseSet<unsigned> &taken) const {
    SmallVector<std::pair<IdClass, bool>> stack{{idClass, false}};
    while (!stack.empty()) {
      auto [current, ready] = stack.pop_back_val();
      std::optional<IdPathStep> step = sources.find(current)->second;
      if (!step || taken.count(step->group))
        continue;
      if (ready) {
        taken.insert(step->group);
        path.push_back(*step);
        continue;
      }
      stack.emplace_back(current, true);
      TransformGroup group = graph.getGroup(step->group);
      for (IdClass needed : llvm::reverse(step->forward ? group.inputs : group.outputs))
        stack.emplace_back(needed, false);
    }
  }

private:
  void reach(IdClass idClass, std::optional<IdPathStep> source) {
    if (sources.try_emplace(idClass, source).second)
      queue.push_back(idClass);
  }

  void visit(IdPathStep step) {
    if (visited.count(step.group) || (allow && !allow(step)))
      return;
    TransformGroup group = graph.getGroup(step.group);
    ArrayRef<IdClass> needed = step.forward ? group.inputs : group.outputs;
    for (IdClass idClass : needed)
      if (!isReached(idClass))
        return;
    visited.insert(step.group);
    for (IdClass idClass : step.forward ? group.outputs : group.inputs)
      reach(idClass, step);
  }

  const IdGraph &graph;
  function_ref<bool(IdPathStep)> allow;
  function_ref<bool(IdClass)> isFree;
  std::vector<IdClass> queue;
  DenseSet<unsigned> visited;
  /// How each reached class was reached; nullopt: it was given.
  DenseMap<IdClass, std::optional<IdPathStep>> sources;
};
} // namespace

std::optional<std::vector<IdPathStep>>
IdGraph::findPath(ArrayRef<IdClass> from, ArrayRef<IdClass> to,
                  function_ref<bool(IdPathStep)> allow) const {
  auto isFreeClass = [this](IdClass idClass) { return bool(isFree[idClass]); };
  PathSearch search(*this, allow, isFreeClass);
  search.run(from);
  std::vector<IdPathStep> path;
  DenseSet<unsigned> taken;
  for (IdClass idClass : to) {
    if (!search.isReached(idClass))
      return std::nullopt;
    search.appendSteps(idClass, path, taken);
  }
  return path;
}
