//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Scheduling/Passes.h"

using namespace mlir;
using namespace fuser;

/// True if the slice drops a constant number of elements at each end of a dimension.
static bool isConstantPart(SliceOp slice, unsigned dim, const ExtentAnalysis &analysis) {
  AffineExpr dropped = analysis.getExtent(slice.getInput(), dim) - analysis.getExtent(slice, dim);
  return isa<AffineConstantExpr>(getOffset(slice, dim, analysis)) && analysis.getConstant(dropped);
}

SliceOp fuser::findWindow(Value value, const ExtentAnalysis &analysis) {
  auto slice = value.getDefiningOp<SliceOp>();
  if (!slice || hasSchedule(slice) || !slice.getInput().getDefiningOp() ||
      (slice.getStrides() &&
       llvm::any_of(*slice.getStrides(), [](int64_t step) { return step != 1; })))
    return {};
  bool isConstant = slice.getInput().hasOneUse();
  for (unsigned dim = 0, rank = slice.getInput().getType().getRank(); dim < rank; ++dim) {
    if (!getOffset(slice, dim, analysis))
      return {};
    isConstant &= isConstantPart(slice, dim, analysis);
  }
  return !isConstant && isAfterOwnLoops(slice.getInput()) ? slice : SliceOp();
}

AffineExpr fuser::getOffset(SliceOp slice, unsigned dim, const ExtentAnalysis &analysis) {
  ArrayRef<int64_t> offsets = slice.getStaticOffsets();
  if (!ShapedType::isDynamic(offsets[dim]))
    return getAffineConstantExpr(offsets[dim], slice.getContext());
  return analysis.getScalar(
      slice.getOffsets()[llvm::count_if(offsets.take_front(dim), ShapedType::isDynamic)]);
}

SmallVector<int64_t> fuser::getWindowDims(SliceOp slice, const ExtentAnalysis &analysis) {
  AffineExpr zero = getAffineConstantExpr(0, slice.getContext());
  return llvm::filter_to_vector(
      llvm::seq<int64_t>(0, slice.getInput().getType().getRank()), [&](int64_t dim) {
        return getOffset(slice, dim, analysis) != zero ||
               !analysis.isProvablyEqual(analysis.getExtent(slice.getInput(), dim),
                                         analysis.getExtent(slice, dim));
      });
}

RankedTensorType fuser::getWindowType(SliceOp slice, const ExtentAnalysis &analysis) {
  auto type = slice.getInput().getType();
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t dim : getWindowDims(slice, analysis))
    shape[dim] = ShapedType::kDynamic;
  return type.clone(shape);
}

LayoutAttr fuser::getWindowLayout(LayoutAttr layout) {
  SmallVector<int64_t> strided;
  for (int64_t position = 0, rank = layout.getOrder().size(); position < rank; ++position)
    if (position + 1 < rank || !layout.isContiguousAt(position))
      strided.push_back(position);
  return LayoutAttr::get(layout.getContext(), layout.getOrder(), strided);
}
