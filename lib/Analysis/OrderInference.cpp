//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Propagates references through ops and decides between them.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/OrderInference.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// From operand to result
//===----------------------------------------------------------------------===//

namespace {
/// A list of ids from slowest to fastest while it passes through an op. If an id is lost, so are
/// all slower ids: their place in memory does not determine that of the result.
class IdList {
public:
  void push(unsigned id) { ids.push_back(id); }
  /// The next faster id is not in the result.
  void stop() {
    truncated = true;
    ids.clear();
  }
  void apply(const DomainTransform &transform);

  SmallVector<unsigned> ids;
  bool truncated = false;

private:
  /// Drops all ids slower than `position`.
  void dropSlower(int64_t position) {
    truncated |= position > 0;
    ids.erase(ids.begin(), ids.begin() + position);
  }
  int64_t find(unsigned id) const {
    const unsigned *it = llvm::find(ids, id);
    return it == ids.end() ? -1 : it - ids.begin();
  }
  void merge(unsigned outer, unsigned inner, unsigned merged);
};
} // namespace

void IdList::merge(unsigned outer, unsigned inner, unsigned merged) {
  int64_t slow = find(outer), fast = find(inner);
  if (slow < 0 && fast < 0)
    return;
  if (slow >= 0 && fast == slow + 1) {
    ids[slow] = merged;
    ids.erase(ids.begin() + fast);
    return;
  }
  // The faster part is elsewhere: only ids that are faster than both parts are still in order. No
  // part is in the result, so that `carry` drops them and all slower ids.
  if (fast < slow)
    return;
  // The parts are not adjacent: the merged id takes the place of its faster part.
  ids[fast] = merged;
  dropSlower(fast);
}

void IdList::apply(const DomainTransform &transform) {
  ArrayRef<unsigned> inputs = transform.getInputs(), outputs = transform.getOutputs();
  int64_t position = inputs.empty() ? -1 : find(inputs[0]);
  switch (transform.kind) {
  case TransformKind::Split:
    if (position < 0)
      return;
    ids[position] = outputs[0];
    ids.insert(ids.begin() + position + 1, outputs[1]);
    return;
  case TransformKind::Merge:
    merge(inputs[0], inputs[1], outputs[0]);
    return;
  case TransformKind::Resize:
    if (position >= 0)
      ids[position] = outputs[0];
    return;
  case TransformKind::Swizzle:
    if (int64_t last = std::max(position, find(inputs[1])); last >= 0) {
      dropSlower(last + 1);
      truncated = true;
    }
    return;
  case TransformKind::Broadcast:
    return;
  }
}

/// The reference of an operand in terms of the result's dimensions.
static OrderReference carry(const OrderReference &reference, TensorViewOpInterface op,
                            OpOperand &operand, OpResult result) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  auto type = cast<RankedTensorType>(operand.get().getType());
  DomainAttr domain = op.getTrivialDomain(result.getResultNumber());
  ArrayRef<unsigned> root = domain.getRootOrLogical();
  OrderReference carried = reference;
  if (mapping.getOrderOperand(result.getResultNumber()) == operand.getOperandNumber())
    return carried;

  SmallVector<DimMap> maps = mapping.getDimMaps(operand.getOperandNumber());
  IdList list;
  list.truncated = reference.truncated;
  for (int64_t dim : reference.dims) {
    const DimMap &map = maps[dim];
    bool mapped = map.kind == DimMap::Kind::Mapped || map.kind == DimMap::Kind::Resized;
    if (mapped && domain.getKinds()[root[map.id]] != IdKind::Reduction)
      list.push(root[map.id]);
    else if (type.getDimSize(dim) != 1)
      list.stop();
  }
  if (!domain.getRoot().empty())
    for (const DomainTransform &transform : domain.getTransforms())
      list.apply(transform);

  SmallVector<unsigned> dims = domain.getResultIds();
  carried.dims.clear();
  for (unsigned id : list.ids) {
    const unsigned *it = llvm::find(dims, id);
    if (it != dims.end()) {
      carried.dims.push_back(it - dims.begin());
      continue;
    }
    carried.dims.clear();
    list.truncated = true;
  }
  carried.truncated = list.truncated;
  return carried;
}

/// True if a result is computed from all of a dimension: reduced, contracted, or read as a whole.
static bool combinesDims(TensorViewOpInterface op, OpResult result) {
  DomainAttr domain = op.getTrivialDomain(result.getResultNumber());
  auto isReduction = [&](unsigned id) { return domain.getKinds()[id] == IdKind::Reduction; };
  if (llvm::any_of(domain.getRootOrLogical(), isReduction))
    return true;
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isa<RankedTensorType>(operand.get().getType()) &&
           llvm::any_of(mapping.getDimMaps(operand.getOperandNumber()),
                        [](const DimMap &map) { return map.kind == DimMap::Kind::Whole; });
  });
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> OrderReference::getOrder(int64_t rank) const {
  // Complete and in logical order: row-major has the same fastest dimensions, regardless of where
  // the dimensions that the reference lacks are inserted.
  if (!truncated && llvm::is_sorted(dims))
    return getRowMajorOrder(rank);
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      order.push_back(dim);
  llvm::append_range(order, dims);
  return order;
}

/// The fastest dimension of `order` that is not statically 1, or -1.
static int64_t getFastest(RankedTensorType type, ArrayRef<int64_t> order) {
  for (int64_t dim : llvm::reverse(order))
    if (type.getDimSize(dim) != 1)
      return dim;
  return -1;
}

namespace {
/// The cost of an order for references that lie in another one. The first part dominates: bytes
/// that are read along another dimension than their fastest one, in narrow and uncoalesced
/// accesses.
struct OrderCost {
  uint64_t stridedBytes = 0;
  /// Bytes of references that lie in another order: a transpose, perhaps one of whole rows.
  uint64_t reorderedBytes = 0;

  bool operator<(const OrderCost &other) const {
    return std::pair(stridedBytes, reorderedBytes) <
           std::pair(other.stridedBytes, other.reorderedBytes);
  }
};
} // namespace

static OrderCost getCost(RankedTensorType type, ArrayRef<int64_t> order,
                         ArrayRef<OrderReference> references) {
  OrderCost cost;
  for (const OrderReference &reference : references) {
    if (reference.dims.empty())
      continue;
    SmallVector<int64_t> own = reference.getOrder(type.getRank());
    if (getFastest(type, own) != getFastest(type, order))
      cost.stridedBytes = llvm::SaturatingAdd(cost.stridedBytes, reference.bytes);
    if (ArrayRef(own) != order)
      cost.reorderedBytes = llvm::SaturatingAdd(cost.reorderedBytes, reference.bytes);
  }
  return cost;
}

/// The general rules. References without dimensions do not count.
static std::optional<InferredOrder> decide(RankedTensorType type,
                                           ArrayRef<OrderReference> references) {
  int64_t rank = type.getRank();
  SmallVector<int64_t> rowMajor = getRowMajorOrder(rank);
  std::optional<InferredOrder> best;
  OrderCost bestCost = getCost(type, rowMajor, references);
  bool agree = true, tie = false;
  std::optional<SmallVector<int64_t>> first;
  for (const OrderReference &reference : references) {
    if (reference.dims.empty())
      continue;
    SmallVector<int64_t> order = reference.getOrder(rank);
    if (!first)
      first = order;
    agree &= order == *first;
    if (order == rowMajor || (best && order == best->order))
      continue;
    OrderCost cost = getCost(type, order, references);
    bool better = cost < bestCost;
    tie = better ? false : tie || !(bestCost < cost);
    if (!better)
      continue;
    best = InferredOrder{order, "", reference.source};
    bestCost = cost;
  }
  if (!best || tie)
    return std::nullopt;
  best->rule = agree ? "follow-reference" : "cheapest-reference";
  return best;
}

//===----------------------------------------------------------------------===//
// OrderInference
//===----------------------------------------------------------------------===//

/// Estimated bytes of a tensor.
static uint64_t estimateBytes(RankedTensorType type) {
  uint64_t bytes = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, ShapedType::isDynamic(size) ? OrderReference::kAssumedExtent : size);
  return bytes;
}

void OrderInference::setReference(Value value, ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  OrderReference reference;
  reference.source = value;
  reference.numDims = countLargeDims(type.getShape());
  reference.bytes = estimateBytes(type);
  reference.dims.assign(order.begin(), order.end());
  references[value] = {std::move(reference)};
}

void OrderInference::visitResult(TensorViewOpInterface op, OpResult result) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  std::optional<unsigned> only = mapping.getOrderOperand(result.getResultNumber());
  SmallVector<OrderReference, 2> found;
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = references.find(operand.get());
    if (it == references.end() || (only && *only != operand.getOperandNumber()))
      continue;
    for (const OrderReference &reference : it->second) {
      if (!found.empty() && reference.numDims < found.front().numDims)
        continue;
      if (!found.empty() && reference.numDims > found.front().numDims)
        found.clear();
      OrderReference carried = carry(reference, op, operand, result);
      bool isKnown = llvm::any_of(found, [&](const OrderReference &other) {
        return other.source == carried.source && other.dims == carried.dims;
      });
      if (!isKnown && found.size() < kMaxReferences)
        found.push_back(std::move(carried));
    }
  }
  if (found.empty())
    return;

  auto type = cast<RankedTensorType>(result.getType());
  bool combines = combinesDims(op, result);
  std::optional<InferredOrder> order;
  if (policy)
    order = policy(result, found);
  if (!order)
    order = decide(type, found);
  // A strided innermost dimension would cost the producer of the result more than it can save.
  SmallVector<int64_t> rowMajor = getRowMajorOrder(type.getRank());
  if (order && combines && getFastest(type, order->order) != getFastest(type, rowMajor))
    order.reset();
  if (order && order->order != rowMajor)
    orders[result] = *order;
  else if (combines)
    return setReference(result, rowMajor);
  references[result] = std::move(found);
}

void OrderInference::visit(TensorViewOpInterface op, ArrayRef<StringRef> ownRules) {
  for (OpResult result : op->getResults()) {
    LayoutHintAttr hint = getLayoutHint(result);
    bool isGiven = hint && !llvm::is_contained(ownRules, hint.getRule());
    if (op.hasDomains() && !hint) {
      // Frozen. A row-major allocation cannot be distinguished from that of a schedule that does
      // not set one.
      std::optional<SmallVector<int64_t>> order =
          getAllocationOrder(op.getDomain(result.getResultNumber()));
      if (order && !llvm::is_sorted(*order)) {
        setReference(result, *order);
        continue;
      }
    }
    if (isGiven)
      setReference(result, hint.getOrder());
    else
      visitResult(op, result);
  }
}

OrderInference::OrderInference(FusionOp fusion, ArrayRef<StringRef> ownRules, OrderPolicy policy)
    : policy(std::move(policy)) {
  for (BlockArgument argument : fusion.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      setReference(argument, fusion.getArgLayout(argument.getArgNumber()).getOrder());
  for (Operation &op : fusion.getBody().front())
    if (isa<DomainMappingOpInterface>(op))
      if (auto view = dyn_cast<TensorViewOpInterface>(op))
        visit(view, ownRules);
}

std::optional<InferredOrder> OrderInference::getOrder(Value value) const {
  auto it = orders.find(value);
  if (it == orders.end())
    return std::nullopt;
  return it->second;
}

ArrayRef<OrderReference> OrderInference::getReferences(Value value) const {
  auto it = references.find(value);
  return it == references.end() ? ArrayRef<OrderReference>() : ArrayRef(it->second);
}
