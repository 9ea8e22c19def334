//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// IdModel: fills the three graphs from the mappings of ops and the transforms of domains.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/IdModel.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

IdModel::IdModel(FunctionOpInterface program) : program(program) { build(); }

/// True for ops whose tensor results have ids.
static bool definesTensors(Operation &op) {
  return llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// The domain of a tensor result; for an op without domains (a foreign one) one iteration id per
/// dimension.
static DomainAttr getDomainOf(OpResult result) {
  if (auto view = dyn_cast<TensorViewOpInterface>(result.getOwner()))
    return view.getDomain(result.getResultNumber());
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<IdKind> kinds(type.getRank(), IdKind::Iteration);
  return DomainAttr::get(type.getContext(), kinds);
}

/// What the model reads of an op and the op's domains do not tell.
static llvm::hash_code getFingerprint(Operation &op) {
  llvm::hash_code hash =
      llvm::hash_combine(&op, llvm::hash_combine_range(op.operand_begin(), op.operand_end()),
                         llvm::hash_combine_range(op.result_type_begin(), op.result_type_end()));
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  if (!mapping)
    return hash;
  for (OpOperand &operand : op.getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      // Offsets and steps are no business of the model.
      for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber()))
        hash = llvm::hash_combine(hash, static_cast<int>(map.kind), map.id);
  return hash;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void IdModel::build() {
  for (IdGraph &graph : graphs)
    graph = IdGraph();
  values.clear();
  ids.clear();
  kinds.clear();
  domains.clear();
  fingerprints.clear();
  for (BlockArgument argument : program.getArguments())
    addArgument(argument);
  for (Operation &op : program.getFunctionBody().front())
    if (definesTensors(op))
      addOp(op);
}

unsigned IdModel::addNode(Value value, unsigned id, IdKind kind) {
  unsigned node = ids.size();
  for (IdGraph &graph : graphs)
    graph.addNode();
  ids.push_back({value, id});
  kinds.push_back(kind);
  return node;
}

void IdModel::relate(unsigned a, unsigned b, IdMapping first) {
  for (unsigned mapping = static_cast<unsigned>(first); mapping < kNumIdMappings; ++mapping)
    graphs[mapping].unite(a, b);
}

void IdModel::addArgument(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type)
    return;
  SmallVector<unsigned> &nodes = values[argument];
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    nodes.push_back(addNode(argument, dim, size == 1 ? IdKind::Broadcast : IdKind::Iteration));
}

void IdModel::addOp(Operation &op) {
  fingerprints.push_back(getFingerprint(op));
  SmallVector<unsigned> firstRoot;
  for (OpResult result : op.getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    DomainAttr domain = getDomainOf(result);
    domains[result] = domain;
    SmallVector<unsigned> nodes;
    for (unsigned id = 0, e = domain.getRootOrLogical().size(); id < e; ++id)
      nodes.push_back(addNode(result, id, domain.getKinds()[id]));
    // Results of one op share one root domain.
    for (auto [first, other] : llvm::zip(firstRoot, nodes))
      relate(first, other, IdMapping::Exact);
    values[result] = std::move(nodes);
    if (result.getResultNumber() == 0) {
      relateOperands(op);
      firstRoot = values[result];
    }
  }
  // Roots first: then most transforms find their group at once.
  for (OpResult result : op.getResults())
    if (values.count(result))
      addTransforms(result, domains[result], 0);
}

void IdModel::relateOperands(Operation &op) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  if (!mapping)
    return;
  ArrayRef<unsigned> root = values[op.getResult(0)];
  for (OpOperand &operand : op.getOpOperands()) {
    Value value = operand.get();
    auto it = values.find(value);
    if (it == values.end())
      continue;
    SmallVector<unsigned> nodes(it->second);
    if (isa<OpResult>(value))
      nodes = llvm::map_to_vector(domains[value].getResultIds(),
                                  [&](unsigned id) { return it->second[id]; });
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
      bool isMapped = map.kind == DimMap::Kind::Mapped;
      if (!isMapped && (map.kind != DimMap::Kind::Broadcast || map.id == kNoId))
        continue;
      unsigned from = nodes[dim], to = root[map.id];
      bool sameKind = (kinds[from] == IdKind::Broadcast) == (kinds[to] == IdKind::Broadcast);
      relate(from, to, isMapped && sameKind ? IdMapping::Exact : IdMapping::Broadcast);
    }
  }
}

void IdModel::addTransforms(Value value, DomainAttr domain, unsigned first) {
  for (const DomainTransform &transform : domain.getTransforms().drop_front(first)) {
    SmallVector<unsigned> &nodes = values[value];
    SmallVector<unsigned, 2> inputs, outputs;
    for (unsigned id : transform.getInputs())
      inputs.push_back(nodes[id]);
    for (unsigned id : transform.getOutputs()) {
      outputs.push_back(addNode(value, id, domain.getKinds()[id]));
      nodes.push_back(outputs.back());
    }
    for (IdGraph &graph : graphs)
      graph.addTransform(transform, inputs, outputs);
    if (transform.kind != TransformKind::Merge)
      continue;
    bool outer = kinds[inputs[0]] == IdKind::Broadcast,
         inner = kinds[inputs[1]] == IdKind::Broadcast;
    if (outer)
      relate(inputs[1], outputs[0], IdMapping::Permissive);
    if (inner)
      relate(inputs[0], outputs[0], IdMapping::Permissive);
  }
}

//===----------------------------------------------------------------------===//
// Queries and updates
//===----------------------------------------------------------------------===//

SmallVector<ValueId> IdModel::getMembers(IdMapping mapping, IdClass idClass) const {
  return llvm::map_to_vector(getGraph(mapping).getMembers(idClass),
                             [this](unsigned node) { return ids[node]; });
}

bool IdModel::isAmbiguous(IdMapping mapping, IdClass idClass) const {
  std::optional<IdClass> exact;
  for (unsigned node : getGraph(mapping).getMembers(idClass)) {
    if (kinds[node] == IdKind::Broadcast)
      continue;
    IdClass other = getGraph(IdMapping::Exact).getClass(node);
    if (exact && *exact != other)
      return true;
    exact = other;
  }
  return false;
}

/// True where `now` is `before` with transforms added.
static bool isExtension(DomainAttr before, DomainAttr now) {
  return before.getRoot() == now.getRoot() && before.getLogical() == now.getLogical() &&
         now.getKinds().take_front(before.getKinds().size()) == before.getKinds() &&
         now.getTransforms().take_front(before.getTransforms().size()) == before.getTransforms();
}

bool IdModel::update(Operation *op) {
  for (OpResult result : op->getResults()) {
    auto it = domains.find(result);
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    if (it == domains.end() || !isExtension(it->second, getDomainOf(result))) {
      build();
      return false;
    }
  }
  for (OpResult result : op->getResults()) {
    auto it = domains.find(result);
    if (it == domains.end())
      continue;
    DomainAttr now = getDomainOf(result);
    unsigned known = it->second.getTransforms().size();
    it->second = now;
    addTransforms(result, now, known);
  }
  return true;
}

bool IdModel::isCurrent() const {
  size_t index = 0;
  FunctionOpInterface function = program;
  for (Operation &op : function.getFunctionBody().front()) {
    if (!definesTensors(op))
      continue;
    if (index == fingerprints.size() || fingerprints[index++] != getFingerprint(op))
      return false;
    for (OpResult result : op.getResults())
      if (isa<RankedTensorType>(result.getType()) && domains.lookup(result) != getDomainOf(result))
        return false;
  }
  return index == fingerprints.size();
}
