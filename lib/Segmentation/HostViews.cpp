//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Boxes by construction: what an op reads of its operand, from its domain mapping.
//
//===----------------------------------------------------------------------===//

#include "HostViews.h"
#include "fuser/Scheduling/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

bool HostView::keepsDims() const {
  return dims.size() == sizes.size() && llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
}

/// `value` as an expression of the arguments; null where it has none.
static AffineExpr toExpr(OpFoldResult value, const ExtentAnalysis &analysis, MLIRContext *context) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  return analysis.getScalar(cast<Value>(value));
}

/// Where the first element of the result lies along a dimension that is read at an offset.
static AffineExpr getOffset(Operation *op, const DimMap &map, const ExtentAnalysis &analysis) {
  MLIRContext *context = op->getContext();
  AffineExpr offset = toExpr(map.offset, analysis, context);
  AffineExpr minus = map.minus ? analysis.getScalar(map.minus) : getAffineConstantExpr(0, context);
  // What lies behind other operands is part of a join.
  if (!offset || !minus || !map.minusExtents.empty())
    return {};
  return offset - minus;
}

std::optional<HostView> fuser::getHostView(Operation *op, const ExtentAnalysis &analysis) {
  // Ops whose element is their operand's, and nothing else.
  if (!isa<SliceOp, PadOp, PermuteOp, SqueezeOp, BroadcastOp>(op) || hasSchedule(op))
    return std::nullopt;
  HostView view;
  view.base = op->getOperand(0);
  Value result = op->getResult(0);
  auto element = cast<ElementwiseOpInterface>(op);
  view.dims.assign(cast<RankedTensorType>(result.getType()).getRank(), -1);
  MLIRContext *context = op->getContext();
  AffineExpr zero = getAffineConstantExpr(0, context), one = getAffineConstantExpr(1, context);
  for (auto [dim, map] : llvm::enumerate(cast<DomainMappingOpInterface>(op).getDimMaps(0))) {
    AffineExpr offset = zero, size = one;
    switch (map.kind) {
    case DimMap::Kind::Mapped:
      size = analysis.getExtent(view.base, dim);
      break;
    case DimMap::Kind::Broadcast:
      if (map.id != kNoId)
        return std::nullopt;
      break;
    case DimMap::Kind::Resized:
      offset = getOffset(op, map, analysis);
      size = analysis.getExtent(result, map.id);
      break;
    case DimMap::Kind::Indirect:
    case DimMap::Kind::Whole:
      return std::nullopt;
    }
    if (!offset || !size)
      return std::nullopt;
    // A crop is a view; what has a border is not.
    if (map.kind == DimMap::Kind::Resized && element.mayReadOutside(0)) {
      AffineExpr extent = analysis.getExtent(view.base, dim);
      if (!extent || analysis.getLowerBound(offset) < 0 ||
          analysis.getLowerBound(analysis.simplify(extent - offset - size)) < 0)
        return std::nullopt;
    }
    view.offsets.push_back(offset);
    view.sizes.push_back(size);
    view.steps.push_back(map.kind == DimMap::Kind::Resized ? map.step : 1);
    if (map.id != kNoId)
      view.dims[map.id] = dim;
  }
  return view;
}

ViewLayout fuser::getRootLayout(Value value, LayoutAttr layout, const ExtentAnalysis &analysis) {
  MLIRContext *context = value.getContext();
  ViewLayout result{layout, {}, getAffineConstantExpr(0, context)};
  result.strides.resize(layout.getOrder().size());
  AffineExpr stride = getAffineConstantExpr(1, context);
  for (size_t position = layout.getOrder().size(); position-- > 0;) {
    unsigned dim = layout.getOrder()[position];
    AffineExpr extent = analysis.getExtent(value, dim);
    result.strides[dim] = layout.isContiguousAt(position) ? stride : AffineExpr();
    stride = stride && extent ? stride * extent : AffineExpr();
  }
  return result;
}

ViewLayout fuser::getViewLayout(const HostView &view, const ViewLayout &base,
                                const ExtentAnalysis &analysis) {
  MLIRContext *context = base.layout.getContext();
  AffineExpr one = getAffineConstantExpr(1, context);
  ViewLayout result{{}, {}, base.offset};
  for (auto [dim, offset] : llvm::enumerate(view.offsets)) {
    if (offset == getAffineConstantExpr(0, context))
      continue;
    AffineExpr stride = base.strides[dim];
    result.offset = result.offset && stride ? result.offset + offset * stride : AffineExpr();
  }
  // Dimensions that the base lacks have size 1, and any stride.
  SmallVector<int64_t> order, strided;
  for (auto [dim, baseDim] : llvm::enumerate(view.dims)) {
    AffineExpr stride = one;
    if (baseDim < 0) {
      order.push_back(dim);
    } else {
      stride = base.strides[baseDim];
      if (stride && view.steps[baseDim] != 1)
        stride = stride * view.steps[baseDim];
    }
    result.strides.push_back(stride);
  }
  // From the fastest dimension of the base: what a smaller one makes of the strides of the slower.
  bool isShrunk = false;
  SmallVector<int64_t> known, knownStrided;
  for (size_t position = base.layout.getOrder().size(); position-- > 0;) {
    int64_t baseDim = base.layout.getOrder()[position];
    const int64_t *dim = llvm::find(view.dims, baseDim);
    AffineExpr extent = analysis.getExtent(view.base, baseDim), size = view.sizes[baseDim];
    bool isContiguous =
        base.layout.isContiguousAt(position) && view.steps[baseDim] == 1 && !isShrunk;
    if (dim != view.dims.end()) {
      known.push_back(dim - view.dims.begin());
      // The index of a dimension of one element is 0, whatever its stride.
      if (!isContiguous && size != one)
        knownStrided.push_back(known.size() - 1);
    }
    isShrunk |= !extent || (size != extent && !analysis.isProvablyEqual(size, extent));
  }
  int64_t rank = view.dims.size();
  for (int64_t position : llvm::reverse(knownStrided))
    strided.push_back(rank - 1 - position);
  llvm::append_range(order, llvm::reverse(known));
  result.layout = LayoutAttr::get(context, order, strided);
  return result;
}

bool fuser::isArgumentView(FusionOp fusion, Value value, const ExtentAnalysis &analysis) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  while (op) {
    std::optional<HostView> view = getHostView(op, analysis);
    if (!view)
      return false;
    value = view->base;
    op = value.getDefiningOp();
  }
  return !isOverwritten(fusion, cast<BlockArgument>(value).getArgNumber());
}

bool fuser::isOverwritten(FusionOp fusion, unsigned argument) {
  auto aliases = fusion.getAliases();
  if (!aliases)
    return false;
  Operation *ret = fusion.getBody().front().getTerminator();
  return llvm::any_of(aliases->getAsRange<AliasAttr>(), [&](AliasAttr alias) {
    return alias.getInput() == int64_t(argument) &&
           ret->getOperand(alias.getOutput()) != fusion.getArgument(argument);
  });
}
