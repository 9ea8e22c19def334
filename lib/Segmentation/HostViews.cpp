//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Boxes by construction: the part of its operand that an op reads, from its domain mapping.
//
//===----------------------------------------------------------------------===//

#include "HostViews.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Scheduling/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

bool HostView::keepsDims() const {
  return !isReshape() && dims.size() == sizes.size() &&
         llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
}

/// `value` as an expression of the arguments; null if it has none.
static AffineExpr toExpr(OpFoldResult value, const ExtentAnalysis &analysis, MLIRContext *context) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  return analysis.getScalar(cast<Value>(value));
}

/// The position of the first element of the result along a dimension that is read at an offset.
static AffineExpr getViewOffset(Operation *op, const DimMap &map, const ExtentAnalysis &analysis) {
  MLIRContext *context = op->getContext();
  AffineExpr offset = toExpr(map.offset, analysis, context);
  AffineExpr minus = map.minus ? analysis.getScalar(map.minus) : getAffineConstantExpr(0, context);
  // An operand after other operands is part of a join.
  if (!offset || !minus || !map.minusExtents.empty())
    return {};
  return offset - minus;
}

/// All extents as expressions of arguments; nothing if one has no expression.
static std::optional<HostView> getReshape(ReshapeOp op, const ExtentAnalysis &analysis) {
  HostView view;
  view.base = op.getInput();
  view.groups = planReshape(op).groups;
  view.resultSizes = analysis.getExtents(op.getResult());
  if (llvm::is_contained(view.resultSizes, AffineExpr()))
    return std::nullopt;
  return view;
}

std::optional<HostView> fuser::getHostView(Operation *op, const ExtentAnalysis &analysis) {
  if (auto reshape = dyn_cast<ReshapeOp>(op); reshape && !hasSchedule(op))
    return getReshape(reshape, analysis);
  // Only ops whose element is that of their operand.
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
      offset = getViewOffset(op, map, analysis);
      size = analysis.getExtent(result, map.id);
      break;
    case DimMap::Kind::Indirect:
    case DimMap::Kind::Whole:
      return std::nullopt;
    }
    if (!offset || !size)
      return std::nullopt;
    // A crop is a view; a pad with a border is not.
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

int64_t fuser::getDividingPower(int64_t divisor) {
  return divisor == 0 ? ViewLayout::kMostDivisor
                      : std::min(ViewLayout::kMostDivisor, divisor & -divisor);
}

ViewLayout fuser::getRootLayout(Value value, LayoutAttr layout, const ExtentAnalysis &analysis,
                                BlockArgument memory) {
  MLIRContext *context = value.getContext();
  ViewLayout result{layout, {}, getAffineConstantExpr(0, context)};
  result.strides.resize(layout.getOrder().size());
  result.strideDivisors.resize(layout.getOrder().size(), 1);
  AffineExpr stride = getAffineConstantExpr(1, context);
  for (size_t position = layout.getOrder().size(); position-- > 0;) {
    unsigned dim = layout.getOrder()[position];
    AffineExpr extent = analysis.getExtent(value, dim);
    result.strides[dim] = layout.isContiguousAt(position) ? stride : AffineExpr();
    if (result.strides[dim])
      result.strideDivisors[dim] = getDividingPower(analysis.getKnownDivisor(result.strides[dim]));
    else if (memory)
      result.strideDivisors[dim] =
          getDividingPower(analysis.getStrideDivisor(memory.getArgNumber(), dim));
    stride = stride && extent ? stride * extent : AffineExpr();
  }
  return result;
}

/// True if dimensions `outer` and `inner` of the base are contiguous, so that they form one
/// dimension with the stride of `inner`.
static bool areNeighbours(const HostView &view, const ViewLayout &base, int64_t outer,
                          int64_t inner, const ExtentAnalysis &analysis) {
  auto isContiguous = [&](int64_t dim) {
    return base.layout.isContiguousAt(llvm::find(base.layout.getOrder(), dim) -
                                      base.layout.getOrder().begin());
  };
  if (isContiguous(outer) && isContiguous(inner))
    return true;
  AffineExpr extent = analysis.getExtent(view.base, inner);
  AffineExpr first = base.strides[outer], second = base.strides[inner];
  return extent && first && second && analysis.isProvablyEqual(first, second * extent);
}

/// The fastest dimension of each group has the stride of the fastest one of the base, and is
/// contiguous if that one is.
static std::optional<ViewLayout> getReshapedLayout(const HostView &view, const ViewLayout &base,
                                                   const ExtentAnalysis &analysis) {
  MLIRContext *context = base.layout.getContext();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(view.base.getType()).getShape();
  std::optional<ReshapedOrder> lies = reshapeOrder(view.groups, shape, base.layout.getOrder());
  if (!lies)
    return std::nullopt;
  int64_t dim = 0, baseDim = 0;
  AffineExpr one = getAffineConstantExpr(1, context);
  ViewLayout result{{}, SmallVector<AffineExpr>(view.resultSizes.size(), one), base.offset};
  result.offsetDivisor = base.offsetDivisor;
  result.strideDivisors.resize(view.resultSizes.size(), 1);
  for (const ReshapeGroup &group : view.groups) {
    int64_t inner = -1;
    for (int64_t each = baseDim; each < baseDim + group.from; ++each) {
      if (shape[each] == 1)
        continue;
      if (inner >= 0 && !areNeighbours(view, base, inner, each, analysis))
        return std::nullopt;
      inner = each;
    }
    baseDim += group.from;
    dim += group.to;
    AffineExpr stride = inner < 0 ? one : base.strides[inner];
    for (int64_t each = dim; each-- > dim - group.to;) {
      result.strides[each] = stride;
      result.strideDivisors[each] = inner < 0 ? 1 : base.strideDivisors[inner];
      stride = stride ? stride * view.resultSizes[each] : stride;
    }
  }
  SmallVector<int64_t> strided;
  for (auto [position, each] : llvm::enumerate(lies->order)) {
    int64_t fastest = lies->fastest[each];
    const int64_t *at = llvm::find(base.layout.getOrder(), fastest);
    if (fastest >= 0 && view.resultSizes[each] != one &&
        !base.layout.isContiguousAt(at - base.layout.getOrder().begin()))
      strided.push_back(position);
  }
  result.layout = LayoutAttr::get(context, lies->order, strided);
  return result;
}

std::optional<ViewLayout> fuser::getViewLayout(const HostView &view, const ViewLayout &base,
                                               const ExtentAnalysis &analysis) {
  if (view.isReshape())
    return getReshapedLayout(view, base, analysis);
  MLIRContext *context = base.layout.getContext();
  AffineExpr one = getAffineConstantExpr(1, context);
  ViewLayout result{{}, {}, base.offset};
  result.offsetDivisor = base.offsetDivisor;
  for (auto [dim, offset] : llvm::enumerate(view.offsets)) {
    if (offset == getAffineConstantExpr(0, context))
      continue;
    AffineExpr stride = base.strides[dim];
    result.offset = result.offset && stride ? result.offset + offset * stride : AffineExpr();
    result.offsetDivisor = std::min(
        result.offsetDivisor, getDividingPower(getDividingPower(analysis.getKnownDivisor(offset)) *
                                               base.strideDivisors[dim]));
  }
  // Dimensions that the base lacks have size 1 and an arbitrary stride.
  SmallVector<int64_t> order, strided;
  for (auto [dim, baseDim] : llvm::enumerate(view.dims)) {
    AffineExpr stride = one;
    int64_t divisor = 1;
    if (baseDim < 0) {
      order.push_back(dim);
    } else {
      stride = base.strides[baseDim];
      if (stride && view.steps[baseDim] != 1)
        stride = stride * view.steps[baseDim];
      divisor =
          getDividingPower(base.strideDivisors[baseDim] * getDividingPower(view.steps[baseDim]));
    }
    result.strides.push_back(stride);
    result.strideDivisors.push_back(divisor);
  }
  // From the fastest dimension of the base: a smaller view dimension makes the slower strides
  // non-contiguous.
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
      // The index of a dimension of size 1 is 0, so its stride is irrelevant.
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

HostView fuser::getInverse(Operation *op, const HostView &view, const ExtentAnalysis &analysis) {
  MLIRContext *context = op->getContext();
  HostView inverse;
  inverse.base = op->getResult(0);
  SmallVector<AffineExpr> sizes = analysis.getExtents(view.base);
  if (view.isReshape()) {
    for (const ReshapeGroup &group : view.groups)
      inverse.groups.push_back({group.to, group.from});
    inverse.resultSizes = std::move(sizes);
    return inverse;
  }
  inverse.sizes = analysis.getExtents(inverse.base);
  inverse.offsets.assign(inverse.sizes.size(), getAffineConstantExpr(0, context));
  inverse.steps.assign(inverse.sizes.size(), 1);
  inverse.dims.assign(sizes.size(), -1);
  for (auto [dim, baseDim] : llvm::enumerate(view.dims))
    if (baseDim >= 0)
      inverse.dims[baseDim] = dim;
  return inverse;
}

std::optional<ViewLayout> fuser::getArgumentView(FusionOp fusion, Value value,
                                                 const ExtentAnalysis &analysis) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber();
    if (isOverwritten(fusion, number))
      return std::nullopt;
    return getRootLayout(value, fusion.getArgLayout(number), analysis, argument);
  }
  std::optional<HostView> view = getHostView(value.getDefiningOp(), analysis);
  std::optional<ViewLayout> base =
      view ? getArgumentView(fusion, view->base, analysis) : std::nullopt;
  return base ? getViewLayout(*view, *base, analysis) : std::nullopt;
}

bool fuser::isArgumentView(FusionOp fusion, Value value, const ExtentAnalysis &analysis) {
  return value.getDefiningOp() && getArgumentView(fusion, value, analysis);
}

bool fuser::fitsOutput(FusionOp fusion, unsigned position, LayoutAttr layout) {
  ValueOrder order = LayoutInfo(fusion).getOutputOrder(position);
  bool isBound = order.source == OrderSource::Requirement || order.source == OrderSource::Frozen;
  return !isBound || (layout.getStrided().empty() && layout.getOrder() == ArrayRef(order.order));
}

bool fuser::isArgumentViewOutput(FusionOp fusion, unsigned position,
                                 const ExtentAnalysis &analysis) {
  Value value = fusion.getBody().front().getTerminator()->getOperand(position);
  if (!value.getDefiningOp())
    return false;
  std::optional<ViewLayout> view = getArgumentView(fusion, value, analysis);
  return view && !LayoutInfo(fusion).getAlias(position) &&
         fitsOutput(fusion, position, view->layout);
}

bool fuser::isWholeView(Operation *op) {
  return isa<ReshapeOp, PermuteOp, SqueezeOp, BroadcastOp>(op);
}

bool fuser::areReshapes(ArrayRef<Operation *> ops) {
  return llvm::all_of(ops, isWholeView) && llvm::any_of(ops, llvm::IsaPred<ReshapeOp>);
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
