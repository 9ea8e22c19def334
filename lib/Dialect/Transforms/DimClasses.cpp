//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Union of dimensions over the mappings of all ops.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/DimClasses.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

std::optional<int64_t> fuser::getStaticOffset(const DimMap &map) {
  if (map.kind != DimMap::Kind::Resized || map.step != 1 || map.minus || !map.minusExtents.empty())
    return std::nullopt;
  return getConstantIntValue(map.offset);
}

namespace {

/// Union-find over dense nodes, which remembers the broadcasts between them.
class DimUnion {
public:
  struct Edge {
    unsigned from, to;
  };

  void addBlock(Block &body) {
    for (BlockArgument argument : body.getArguments())
      if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
        for (auto [dim, size] : llvm::enumerate(type.getShape()))
          ofDim[{argument, unsigned(dim)}] = addNode(size == 1);
    for (Operation &op : body)
      if (isa<DomainMappingOpInterface>(op))
        addOp(&op);
  }

  unsigned find(unsigned node) {
    while (parents[node] != node)
      node = parents[node] = parents[parents[node]];
    return node;
  }

  llvm::DenseMap<std::pair<Operation *, unsigned>, unsigned> ofId;
  llvm::DenseMap<std::pair<Value, unsigned>, unsigned> ofDim;
  SmallVector<unsigned> parents;
  SmallVector<bool> sizeOne;
  SmallVector<Edge> broadcasts;
  /// Nodes instead of classes.
  SmallVector<DimClasses::Offset> offsets;

private:
  unsigned addNode(bool isSizeOne) {
    parents.push_back(parents.size());
    sizeOne.push_back(isSizeOne);
    return parents.size() - 1;
  }

  void unite(unsigned a, unsigned b) {
    a = find(a), b = find(b);
    // The earlier node represents both: numbering follows the program.
    parents[std::max(a, b)] = std::min(a, b);
  }

  void addOp(Operation *op) {
    auto mapping = cast<DomainMappingOpInterface>(op);
    SmallVector<IdKind> kinds = mapping.getRootKinds();
    for (auto [id, kind] : llvm::enumerate(kinds))
      ofId[{op, unsigned(id)}] = addNode(kind == IdKind::Broadcast);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        addOperand(op, operand, mapping.getDimMaps(operand.getOperandNumber()));
    if (auto view = dyn_cast<TensorViewOpInterface>(op))
      for (OpResult result : op->getResults())
        addResult(view, result);
  }

  void addOperand(Operation *op, OpOperand &operand, ArrayRef<DimMap> maps) {
    for (auto [dim, map] : llvm::enumerate(maps)) {
      auto node = ofDim.find({operand.get(), unsigned(dim)});
      if (node == ofDim.end())
        continue;
      if (map.kind == DimMap::Kind::Mapped)
        unite(node->second, ofId[{op, map.id}]);
      else if (map.kind == DimMap::Kind::Broadcast && map.id != kNoId)
        broadcasts.push_back({node->second, ofId[{op, map.id}]});
      else if (std::optional<int64_t> offset = getStaticOffset(map))
        offsets.push_back({node->second, ofId[{op, map.id}], -*offset});
    }
  }

  void addResult(TensorViewOpInterface op, OpResult result) {
    DomainAttr domain = op.getTrivialDomain(result.getResultNumber());
    for (auto [dim, id] : llvm::enumerate(domain.getResultIds())) {
      auto [it, isNew] = ofId.try_emplace({op.getOperation(), id}, 0);
      if (isNew)
        it->second = addNode(domain.getKinds()[id] == IdKind::Broadcast);
      ofDim[{result, unsigned(dim)}] = it->second;
    }
  }
};

} // namespace

DimClasses::DimClasses(Block &body) {
  DimUnion dims;
  dims.addBlock(body);
  // Dense numbers, in the order of the first member.
  SmallVector<unsigned> numbers(dims.parents.size(), kNone);
  for (unsigned node = 0, e = dims.parents.size(); node < e; ++node) {
    unsigned leader = dims.find(node);
    if (numbers[leader] == kNone) {
      numbers[leader] = numClasses++;
      broadcast.push_back(true);
    }
    numbers[node] = numbers[leader];
    if (!dims.sizeOne[node])
      broadcast[numbers[node]] = false;
  }
  for (auto &[key, node] : dims.ofId)
    ofId[key] = numbers[node];
  for (auto &[key, node] : dims.ofDim)
    ofDim[key] = numbers[node];

  for (const Offset &node : dims.offsets) {
    Offset offset{numbers[node.from], numbers[node.to], node.before};
    if (!llvm::is_contained(offsets, offset))
      offsets.push_back(offset);
  }

  // The target of a broadcast is larger than 1: one step resolves.
  resolved.resize(numClasses);
  std::iota(resolved.begin(), resolved.end(), 0);
  for (auto [from, to] : dims.broadcasts) {
    unsigned &target = resolved[numbers[from]];
    if (!broadcast[numbers[from]] || target == numbers[to])
      continue;
    target = target == numbers[from] ? numbers[to] : kNone;
  }
}

unsigned DimClasses::getClass(Operation *op, unsigned id) const {
  auto it = ofId.find({op, id});
  return it == ofId.end() ? kNone : it->second;
}

unsigned DimClasses::getClass(Value value, unsigned dim) const {
  auto it = ofDim.find({value, dim});
  return it == ofDim.end() ? kNone : it->second;
}
