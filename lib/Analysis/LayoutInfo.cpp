//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Determines the order of each kind of value.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/Reshape.h"

using namespace mlir;
using namespace fuser;

StringRef fuser::stringifyOrderSource(OrderSource source) {
  switch (source) {
  case OrderSource::Fact:
    return "fact";
  case OrderSource::Requirement:
    return "requirement";
  case OrderSource::Hint:
    return "hint";
  case OrderSource::Frozen:
    return "frozen";
  case OrderSource::Default:
    return "default";
  }
  llvm_unreachable("unknown source of an order");
}

SmallVector<int64_t> fuser::getRowMajorOrder(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

/// The position among `dims` of the only dimension that `id` is derived from, or -1.
static int64_t findOrigin(DomainAttr domain, ArrayRef<unsigned> dims, unsigned id) {
  while (true) {
    if (const unsigned *it = llvm::find(dims, id); it != dims.end())
      return it - dims.begin();
    int definition = domain.getDefinition(id);
    if (definition < 0)
      return -1;
    ArrayRef<unsigned> inputs = domain.getTransforms()[definition].getInputs();
    if (inputs.size() != 1)
      return -1;
    id = inputs.front();
  }
}

std::optional<SmallVector<int64_t>> fuser::getAllocationOrder(DomainAttr domain) {
  SmallVector<unsigned> dims = domain.getResultIds();
  SmallVector<int64_t> order;
  // Start at the fastest id, so that a dimension's first part is its fastest.
  for (unsigned id : llvm::reverse(domain.getAllocation())) {
    int64_t dim = findOrigin(domain, dims, id);
    if (dim < 0)
      return std::nullopt;
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Value fuser::getForwardedBuffer(OpResult value) {
  Operation *op = value.getOwner();
  const unsigned number = value.getResultNumber();
  if (auto launch = dyn_cast<LaunchOp>(op))
    return launch.getOutputs()[number];
  if (auto call = dyn_cast<LibraryCallOp>(op))
    return call.getOutputs()[number];
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getDestination();
  if (auto place = dyn_cast<PlaceOp>(op))
    return place.getBuffer();
  return {};
}

/// The order of a buffer of a host function: from its allocation, or from the fact of an argument.
static ValueOrder getBufferOrder(const LayoutInfo &info, Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  Operation *op = value.getDefiningOp();
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    if (std::optional<ArrayRef<int64_t>> order = alloc.getOrder())
      return {SmallVector<int64_t>(*order), OrderSource::Frozen, getLayoutHint(value)};
    return {getRowMajorOrder(rank), OrderSource::Default, getLayoutHint(value)};
  }
  if (Value buffer = getForwardedBuffer(cast<OpResult>(value)))
    return info.getOrder(buffer);
  if (auto view = dyn_cast<ViewOp>(op)) {
    // Dimensions that the base lacks have size 1, so that they can be the slowest ones.
    ValueOrder base = info.getOrder(view.getBase());
    SmallVector<int64_t> order;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (view.getBaseDim(dim) < 0)
        order.push_back(dim);
    for (int64_t baseDim : base.order)
      for (int64_t dim = 0; dim < rank; ++dim)
        if (view.getBaseDim(dim) == baseDim)
          order.push_back(dim);
    return {order, base.source, base.hint};
  }
  if (auto view = dyn_cast<ReshapeViewOp>(op)) {
    ValueOrder base = info.getOrder(view.getBase());
    SmallVector<ReshapeGroup> groups;
    for (auto [from, to] : llvm::zip_equal(view.getFrom(), view.getTo()))
      groups.push_back({from, to});
    ArrayRef<int64_t> shape = cast<RankedTensorType>(view.getBase().getType()).getShape();
    if (std::optional<ReshapedOrder> order = reshapeOrder(groups, shape, base.order))
      return {order->order, base.source, base.hint};
  }
  return {getRowMajorOrder(rank), OrderSource::Default, {}};
}

ValueOrder LayoutInfo::getOrder(Value value) const {
  Operation *program = FunctionOpInterface(function);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    LayoutAttr layout = fuser::detail::getArgLayout(program, argument.getArgNumber());
    return {SmallVector<int64_t>(layout.getOrder()), OrderSource::Fact, {}};
  }
  auto view = value.getDefiningOp<TensorViewOpInterface>();
  if (!view)
    return getBufferOrder(*this, value);
  LayoutHintAttr hint = getLayoutHint(value);
  SmallVector<int64_t> rowMajor =
      getRowMajorOrder(cast<RankedTensorType>(value.getType()).getRank());
  if (view.hasDomains()) {
    DomainAttr domain = view.getDomain(cast<OpResult>(value).getResultNumber());
    std::optional<SmallVector<int64_t>> order = getAllocationOrder(domain);
    return {order ? *order : rowMajor, hint ? OrderSource::Hint : OrderSource::Frozen, hint};
  }
  if (hint && isa<FusionOp>(program))
    return {SmallVector<int64_t>(hint.getOrder()), OrderSource::Hint, hint};
  return {rowMajor, OrderSource::Default, hint};
}

std::optional<unsigned> LayoutInfo::getAlias(unsigned output) const {
  if (auto aliases = FunctionOpInterface(function)->getAttrOfType<ArrayAttr>("aliases"))
    for (AliasAttr alias : aliases.getAsRange<AliasAttr>())
      if (alias.getOutput() == int64_t(output))
        return alias.getInput();
  return std::nullopt;
}

ValueOrder LayoutInfo::getOutputOrder(unsigned output) const {
  FunctionOpInterface program = function;
  Value value = program.getFunctionBody().front().getTerminator()->getOperand(output);
  if (std::optional<unsigned> argument = getAlias(output)) {
    ValueOrder order = getOrder(program.getArgument(*argument));
    order.hint = getLayoutHint(value);
    return order;
  }
  if (std::optional<ArrayRef<int64_t>> required =
          fuser::detail::getOutputStrideOrder(program, output))
    return {SmallVector<int64_t>(*required), OrderSource::Requirement, getLayoutHint(value)};
  return getOrder(value);
}
