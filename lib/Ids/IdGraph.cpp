//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Congruence closure over transforms.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IdGraph.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool IdGraph::Signature::operator==(const Signature &other) const {
  return kind == other.kind && inner == other.inner && value == other.value &&
         after == other.after && inputs[0] == other.inputs[0] && inputs[1] == other.inputs[1];
}

// Every function has a first input, so these keys are unused.
IdGraph::Signature IdGraph::SignatureInfo::getEmptyKey() {
  return {TransformKind::Split, false, 0, 0, {kNoId, kNoId}};
}
IdGraph::Signature IdGraph::SignatureInfo::getTombstoneKey() {
  return {TransformKind::Merge, false, 0, 0, {kNoId, kNoId}};
}
unsigned IdGraph::SignatureInfo::getHashValue(const Signature &signature) {
  return static_cast<unsigned>(llvm::hash_combine(static_cast<uint32_t>(signature.kind),
                                                  signature.inner, signature.value, signature.after,
                                                  signature.inputs[0], signature.inputs[1]));
}

IdGraph::Signature IdGraph::canonicalize(Signature signature) const {
  for (unsigned &input : signature.inputs)
    if (input != kNoId)
      input = getClass(input);
  return signature;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

unsigned IdGraph::addNodes(unsigned count) {
  const unsigned first = parents.size();
  llvm::append_range(parents, llvm::seq(first, first + count));
  sizes.append(count, 1);
  return first;
}

void IdGraph::addTransform(const DomainTransform &transform, ArrayRef<unsigned> inputs,
                           ArrayRef<unsigned> outputs) {
  if (inputs.empty())
    return;
  addFunction({transform.kind,
               transform.inner,
               transform.value,
               transform.after,
               {inputs[0], inputs.size() == 2 ? inputs[1] : kNoId}},
              outputs);
}

void IdGraph::addProduct(unsigned whole, unsigned outer, unsigned inner,
                         std::optional<int64_t> outerExtent, std::optional<int64_t> innerExtent) {
  addFunction({TransformKind::Merge, true, 0, 0, {outer, inner}}, whole);
  if (innerExtent)
    addFunction({TransformKind::Split, true, *innerExtent, 0, {whole, kNoId}}, {outer, inner});
  if (outerExtent)
    addFunction({TransformKind::Split, false, *outerExtent, 0, {whole, kNoId}}, {outer, inner});
}

void IdGraph::addFunction(const Signature &signature, ArrayRef<unsigned> outputs) {
  unsigned index = functions.size();
  Function function{signature, {kNoId, kNoId}, true};
  llvm::copy(outputs, function.outputs);
  functions.push_back(function);
  if (file(index)) {
    Signature canonical = canonicalize(signature);
    for (unsigned input : canonical.inputs)
      if (input != kNoId)
        uses[input].push_back(index);
  }
  drain();
}

bool IdGraph::file(unsigned index) {
  auto [it, isNew] = signatures.try_emplace(canonicalize(functions[index].signature), index);
  if (isNew || it->second == index)
    return true;
  functions[index].isLeader = false;
  for (auto [output, same] : llvm::zip(functions[index].outputs, functions[it->second].outputs))
    if (output != kNoId)
      pending.emplace_back(output, same);
  return false;
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
    // The larger class keeps its representative, so that no node changes class more than log(n)
    // times; of classes of equal size, the older one.
    if (sizes[winner] < sizes[loser] || (sizes[winner] == sizes[loser] && loser < winner))
      std::swap(winner, loser);
    parents[loser] = winner;
    sizes[winner] += sizes[loser];
    auto it = uses.find(loser);
    if (it == uses.end())
      continue;
    // Uses of the absorbed class have a new signature, which another function may already have.
    SmallVector<unsigned, 2> moved = std::move(it->second);
    uses.erase(it);
    SmallVector<unsigned, 2> kept;
    for (unsigned index : moved)
      if (functions[index].isLeader && file(index))
        kept.push_back(index);
    llvm::append_range(uses[winner], kept);
  }
}

IdClass IdGraph::getClass(unsigned node) const {
  while (parents[node] != node)
    node = parents[node];
  return node;
}
