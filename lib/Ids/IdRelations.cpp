//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Union of ids over the mappings and the products of all ops.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IdRelations.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

std::optional<int64_t> fuser::getStaticOffset(const DimMap &map) {
  if (map.kind != DimMap::Kind::Resized || map.step != 1 || map.minus || !map.minusExtents.empty())
    return std::nullopt;
  return getConstantIntValue(map.offset);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

SmallVector<unsigned> fuser::getExactTransforms(DomainAttr domain) {
  SmallVector<unsigned> exact;
  if (domain.getRoot().empty())
    return exact;
  llvm::SmallBitVector live(domain.getNumIds());
  for (unsigned id : domain.getLogical())
    live.set(id);
  ArrayRef<DomainTransform> transforms = domain.getTransforms();
  for (unsigned position = transforms.size(); position-- > 0;) {
    const DomainTransform &transform = transforms[position];
    if (llvm::none_of(transform.getOutputs(), [&](unsigned id) { return live.test(id); }))
      continue;
    bool reduces = false;
    for (unsigned id : transform.getInputs()) {
      live.set(id);
      reduces |= domain.getKinds()[id] == IdKind::Reduction;
    }
    if (!reduces)
      exact.push_back(position);
  }
  return llvm::to_vector(llvm::reverse(exact));
}

/// Extents of the root ids of an op, from its operands' static sizes.
static SmallVector<std::optional<int64_t>> getStaticRootExtents(Operation *op) {
  auto mapping = cast<DomainMappingOpInterface>(op);
  // A dynamic size is a non-constant expression.
  AffineExpr unknown = getAffineDimExpr(0, op->getContext());
  SmallVector<SmallVector<AffineExpr>> operands;
  for (Value operand : op->getOperands()) {
    operands.emplace_back();
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      for (int64_t size : type.getShape())
        operands.back().push_back(
            ShapedType::isDynamic(size) ? unknown : getAffineConstantExpr(size, op->getContext()));
  }
  SmallVector<std::optional<int64_t>> extents;
  for (AffineExpr extent : mapping.inferRootExtents(operands, [&](Value) { return unknown; })) {
    auto constant = dyn_cast_or_null<AffineConstantExpr>(extent);
    extents.push_back(constant ? std::optional<int64_t>(constant.getValue()) : std::nullopt);
  }
  return extents;
}

SmallVector<std::optional<int64_t>> fuser::getStaticExtents(TensorViewOpInterface op,
                                                            DomainAttr domain) {
  SmallVector<std::optional<int64_t>> extents = getStaticRootExtents(op);
  extents.resize(domain.getNumIds());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto refine = [&] {
    // The result of an update has the sizes of the operand, in other dimensions than its loops.
    if (isa<UpdateOpInterface>(op.getOperation()))
      return;
    for (auto [id, size] : llvm::zip(domain.getResultIds(), type.getShape()))
      if (!ShapedType::isDynamic(size))
        extents[id] = size;
  };
  refine();
  for (const DomainTransform &transform : domain.getTransforms()) {
    ArrayRef<unsigned> in = transform.getInputs(), out = transform.getOutputs();
    switch (transform.kind) {
    case TransformKind::Split:
      extents[out[transform.inner]] = transform.value;
      if (extents[in[0]])
        extents[out[!transform.inner]] = llvm::divideCeil(*extents[in[0]], transform.value);
      break;
    case TransformKind::Merge:
      if (extents[in[0]] && extents[in[1]])
        extents[out[0]] = llvm::checkedMul(*extents[in[0]], *extents[in[1]]);
      break;
    case TransformKind::Swizzle:
      extents[out[0]] = extents[in[0]];
      extents[out[1]] = extents[in[1]];
      break;
    case TransformKind::Resize:
      if (extents[in[0]])
        extents[out[0]] = *extents[in[0]] + transform.value + transform.after;
      break;
    case TransformKind::Broadcast:
      extents[out[0]] = 1;
      break;
    }
  }
  refine();
  return extents;
}

SmallVector<IdProduct> fuser::getProducts(TensorViewOpInterface op, DomainAttr domain) {
  SmallVector<IdProduct> products;
  SmallVector<unsigned> exact = getExactTransforms(domain);
  if (exact.empty())
    return products;
  SmallVector<std::optional<int64_t>> extents = getStaticExtents(op, domain);
  for (unsigned position : exact) {
    const DomainTransform &transform = domain.getTransforms()[position];
    ArrayRef<unsigned> in = transform.getInputs(), out = transform.getOutputs();
    if (transform.kind == TransformKind::Split)
      products.push_back({in[0], out[0], out[1], extents[out[0]], extents[out[1]], op});
    else if (transform.kind == TransformKind::Merge)
      products.push_back({out[0], in[0], in[1], extents[in[0]], extents[in[1]], op});
  }
  return products;
}

SmallVector<IdProduct> fuser::getUndoneMerges(TensorViewOpInterface op, DomainAttr domain) {
  SmallVector<IdProduct> products;
  SmallVector<std::optional<int64_t>> extents;
  for (const DomainTransform &split : domain.getTransforms()) {
    if (split.kind != TransformKind::Split)
      continue;
    const int definition = domain.getDefinition(split.inputs[0]);
    if (definition < 0 || domain.getTransforms()[definition].kind != TransformKind::Merge)
      continue;
    if (extents.empty())
      extents = getStaticExtents(op, domain);
    ArrayRef<unsigned> parts = domain.getTransforms()[definition].getInputs();
    if (extents[parts[split.inner]] == split.value)
      products.push_back(
          {split.inputs[0], parts[0], parts[1], extents[parts[0]], extents[parts[1]], op});
  }
  return products;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

namespace {

/// Collects the ids of a program as nodes of a graph, and the broadcasts between them.
class RelationBuilder {
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

  IdGraph graph;
  llvm::DenseMap<std::pair<Operation *, unsigned>, unsigned> ofId;
  llvm::DenseMap<std::pair<Value, unsigned>, unsigned> ofDim;
  SmallVector<bool> sizeOne;
  SmallVector<Edge> broadcasts;
  /// With nodes instead of classes.
  SmallVector<IdRelations::Offset> offsets;
  SmallVector<IdProduct> products;

private:
  unsigned addNode(bool isSizeOne) {
    sizeOne.push_back(isSizeOne);
    return graph.addNode();
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
        graph.unite(node->second, ofId[{op, map.id}]);
      else if (map.kind == DimMap::Kind::Broadcast && map.id != kNoId)
        broadcasts.push_back({node->second, ofId[{op, map.id}]});
      else if (std::optional<int64_t> offset = getStaticOffset(map))
        offsets.push_back({node->second, ofId[{op, map.id}], -*offset,
                           /*isOfArguments=*/isa<BlockArgument>(operand.get())});
    }
  }

  void addResult(TensorViewOpInterface op, OpResult result) {
    DomainAttr domain = op.getTrivialDomain(result.getResultNumber());
    for (auto [dim, id] : llvm::enumerate(domain.getResultIds()))
      ofDim[{result, unsigned(dim)}] = getNode(op, domain, id);
    for (IdProduct product : getProducts(op, domain)) {
      for (unsigned *id : {&product.whole, &product.outer, &product.inner})
        *id = getNode(op, domain, *id);
      graph.addProduct(product.whole, product.outer, product.inner, product.outerExtent,
                       product.innerExtent);
      products.push_back(product);
    }
  }

  unsigned getNode(TensorViewOpInterface op, DomainAttr domain, unsigned id) {
    auto [it, isNew] = ofId.try_emplace({op.getOperation(), id}, 0);
    if (isNew)
      it->second = addNode(domain.getKinds()[id] == IdKind::Broadcast);
    return it->second;
  }
};

} // namespace

IdRelations::IdRelations(Block &body) {
  RelationBuilder builder;
  builder.addBlock(body);
  // Dense numbers, in the order of the first member.
  const unsigned numNodes = builder.sizeOne.size();
  SmallVector<unsigned> numbers, numberOfClass(numNodes, kNone);
  for (unsigned node = 0; node < numNodes; ++node) {
    unsigned &number = numberOfClass[builder.graph.getClass(node)];
    if (number == kNone) {
      number = numClasses++;
      broadcast.push_back(true);
    }
    numbers.push_back(number);
    if (!builder.sizeOne[node])
      broadcast[number] = false;
  }
  ofId = std::move(builder.ofId);
  ofDim = std::move(builder.ofDim);
  for (auto &[key, node] : ofId)
    node = numbers[node];
  for (auto &[key, node] : ofDim)
    node = numbers[node];

  for (const Offset &node : builder.offsets) {
    const Offset offset{numbers[node.from], numbers[node.to], node.before, node.isOfArguments};
    if (auto *known = llvm::find(offsets, offset); known != offsets.end())
      known->isOfArguments &= node.isOfArguments;
    else
      offsets.push_back(offset);
  }
  for (IdProduct product : builder.products) {
    for (unsigned *id : {&product.whole, &product.outer, &product.inner})
      *id = numbers[*id];
    if (getMerged(product.outer, product.inner) == kNone)
      products.push_back(product);
  }

  // The target of a broadcast is larger than 1: one step resolves.
  resolved.resize(numClasses);
  std::iota(resolved.begin(), resolved.end(), 0);
  for (auto [from, to] : builder.broadcasts) {
    unsigned &target = resolved[numbers[from]];
    if (!broadcast[numbers[from]] || target == numbers[to])
      continue;
    target = target == numbers[from] ? numbers[to] : kNone;
  }
}

unsigned IdRelations::getClass(Operation *op, unsigned id) const {
  auto it = ofId.find({op, id});
  return it == ofId.end() ? kNone : it->second;
}

unsigned IdRelations::getClass(Value value, unsigned dim) const {
  auto it = ofDim.find({value, dim});
  return it == ofDim.end() ? kNone : it->second;
}

unsigned IdRelations::getMerged(unsigned outer, unsigned inner) const {
  for (const IdProduct &product : products)
    if (product.outer == outer && product.inner == inner)
      return product.whole;
  return kNone;
}

std::pair<unsigned, unsigned> IdRelations::getSplit(unsigned whole, int64_t factor,
                                                    bool isInner) const {
  for (const IdProduct &product : products)
    if (product.whole == whole && (isInner ? product.innerExtent : product.outerExtent) == factor)
      return {product.outer, product.inner};
  return {kNone, kNone};
}

llvm::SmallSetVector<unsigned, 8> IdRelations::getParts(unsigned idClass) const {
  llvm::SmallSetVector<unsigned, 8> parts;
  parts.insert(idClass);
  for (size_t next = 0; next < parts.size() && !products.empty(); ++next)
    for (const IdProduct &product : products)
      if (product.whole == parts[next]) {
        parts.insert(product.outer);
        parts.insert(product.inner);
      }
  return parts;
}

bool IdRelations::overlap(unsigned a, unsigned b) const {
  if (a == b || products.empty())
    return a == b;
  if (getParts(a).contains(b) || getParts(b).contains(a))
    return true;
  // Parts of two factorizations of one whole overlap.
  auto isPartOf = [&](unsigned idClass, const IdProduct &product) {
    return getParts(product.outer).contains(idClass) || getParts(product.inner).contains(idClass);
  };
  for (const IdProduct &one : products)
    for (const IdProduct &other : products)
      if (&one != &other && one.whole == other.whole && isPartOf(a, one) && isPartOf(b, other))
        return true;
  return false;
}
