//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ViewBuilder.h"
#include "fuser/Dialect/IR/HostShapeOps.h"

using namespace mlir;
using namespace fuser;

SmallVector<Value> ViewBuilder::buildSizes(Type type, ArrayRef<AffineExpr> exprs,
                                           ExtentValues &extents) const {
  SmallVector<Value> sizes;
  for (auto [size, expr] : llvm::zip_equal(cast<RankedTensorType>(type).getShape(), exprs))
    if (ShapedType::isDynamic(size))
      sizes.push_back(extents.build(expr));
  return sizes;
}

SmallVector<int64_t> ViewBuilder::resolve(ArrayRef<AffineExpr> exprs,
                                          SmallVectorImpl<Value> &values,
                                          ExtentValues &extents) const {
  return llvm::map_to_vector(exprs, [&](AffineExpr expr) -> int64_t {
    if (auto constant = dyn_cast<AffineConstantExpr>(analysis.canonicalize(expr)))
      return constant.getValue();
    values.push_back(extents.build(expr));
    return ShapedType::kDynamic;
  });
}

Value ViewBuilder::buildReshape(Value base, Type type, const HostView &view,
                                ExtentValues &extents) const {
  SmallVector<int64_t> from, to;
  for (const ReshapeGroup &group : view.groups) {
    from.push_back(group.from);
    to.push_back(group.to);
  }
  return ReshapeViewOp::create(builder, loc, type, base,
                               buildSizes(type, view.resultSizes, extents),
                               cast<RankedTensorType>(type).getShape(), from, to);
}

Value ViewBuilder::build(Value base, Type type, const HostView &view, ExtentValues &extents) const {
  if (view.isReshape())
    return buildReshape(base, type, view, extents);
  SmallVector<Value> offsets, sizes;
  SmallVector<int64_t> staticOffsets = resolve(view.offsets, offsets, extents);
  // A size is static if and only if it is static in the type, even if facts determine it.
  SmallVector<int64_t> staticSizes(view.sizes.size(), 1);
  for (auto [dim, size] : llvm::enumerate(view.sizes)) {
    const int64_t *position = llvm::find(view.dims, int64_t(dim));
    if (position == view.dims.end())
      continue;
    staticSizes[dim] = cast<RankedTensorType>(type).getDimSize(position - view.dims.begin());
    if (ShapedType::isDynamic(staticSizes[dim]))
      sizes.push_back(extents.build(size));
  }
  bool hasSteps = llvm::any_of(view.steps, [](int64_t step) { return step != 1; });
  return ViewOp::create(
      builder, loc, type, base, offsets, sizes, builder.getDenseI64ArrayAttr(staticOffsets),
      builder.getDenseI64ArrayAttr(staticSizes),
      hasSteps ? builder.getDenseI64ArrayAttr(view.steps) : DenseI64ArrayAttr(),
      view.keepsDims() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(view.dims));
}
