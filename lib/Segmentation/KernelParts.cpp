//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What kernels store of joined values in addition to whole results: borders, and windows of
// results.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Windows.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// An expression as a sum of another one and a constant.
static std::pair<AffineExpr, int64_t> takeConstant(AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  auto constant = sum && expr.getKind() == AffineExprKind::Add
                      ? dyn_cast<AffineConstantExpr>(sum.getRHS())
                      : AffineConstantExpr();
  return constant ? std::pair(sum.getLHS(), constant.getValue()) : std::pair(expr, int64_t(0));
}

/// The input and the dimension of it that has this size, if any: the kernel has facts about it.
std::optional<std::pair<unsigned, unsigned>>
KernelBuilder::findSize(AffineExpr expr, function_ref<bool(Value)> isAllowed) const {
  for (auto [number, input] : llvm::enumerate(inputs)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (isAllowed && !isAllowed(input))
      continue;
    for (unsigned dim = 0, rank = type ? type.getRank() : 0; dim < rank; ++dim)
      if (AffineExpr extent = analysis.getExtent(input, dim);
          extent && type.isDynamicDim(dim) && analysis.canonicalize(extent) == expr)
        return std::pair(unsigned(number), dim);
  }
  return std::nullopt;
}

/// The arguments of strided results, then the integers that borders and windows need.
void KernelBuilder::collectExtras() {
  extras.clear();
  for (unsigned result = 0, e = outputs.size() + borders.size(); result < e; ++result)
    if (const ViewLayout *box = getBox(result); box && !box->layout.getStrided().empty())
      extras.push_back({result, {}});
  auto add = [&](AffineExpr expr) {
    expr = analysis.canonicalize(expr);
    bool isKnown = isa<AffineConstantExpr>(expr) || findSize(takeConstant(expr).first) ||
                   llvm::any_of(extras, [&](auto &extra) { return extra.expr == expr; });
    if (!isKnown)
      extras.push_back({std::nullopt, expr});
  };
  for (const KernelOutput &output : outputs)
    if (SliceOp slice = output.window)
      for (int64_t dim : getWindowDims(slice, analysis)) {
        add(getOffset(slice, dim, analysis));
        add(analysis.getExtent(slice, dim));
      }
  for (const KernelBorder &border : borders) {
    llvm::for_each(analysis.getExtents(border.value), add);
    for (const HostView &box : border.boxes) {
      llvm::for_each(box.offsets, add);
      llvm::for_each(box.sizes, add);
    }
  }
}

Value KernelBuilder::buildInteger(KernelOp kernel, OpBuilder &builder, Location loc,
                                  AffineExpr expr) {
  expr = analysis.canonicalize(expr);
  auto [size, more] = takeConstant(expr);
  if (auto source = findSize(size)) {
    Value dim =
        tensor::DimOp::create(builder, loc, kernel.getArgument(source->first), source->second);
    return more == 0 ? dim
                     : arith::AddIOp::create(builder, loc, dim,
                                             arith::ConstantIndexOp::create(builder, loc, more))
                           .getResult();
  }
  auto *extra = llvm::find_if(extras, [&](auto &each) { return each.expr == expr; });
  if (extra != extras.end())
    return kernel.getArgument(inputs.size() + (extra - extras.begin()));
  // A size that only facts determine.
  return arith::ConstantIndexOp::create(builder, loc, cast<AffineConstantExpr>(expr).getValue());
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Value KernelBuilder::buildWindow(KernelOp kernel, OpBuilder &builder, SliceOp slice, Value value) {
  const SmallVector<int64_t> dims = getWindowDims(slice, analysis);
  auto build = [&](AffineExpr expr) { return buildInteger(kernel, builder, slice.getLoc(), expr); };
  SmallVector<Value> offsets, sizes;
  for (int64_t dim : dims) {
    offsets.push_back(build(getOffset(slice, dim, analysis)));
    sizes.push_back(build(analysis.getExtent(slice, dim)));
  }
  return WindowOp::create(builder, slice.getLoc(), getWindowType(slice, analysis), value, offsets,
                          sizes, dims, ArrayAttr(), MemoryAttr(), IntegerAttr());
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

Value KernelBuilder::buildBorder(KernelOp kernel, OpBuilder &builder, const KernelBorder &border,
                                 Value fill) {
  SmallVector<Value> sizes, offsets, boxSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  Location loc = border.value.getLoc();
  auto resolve = [&](AffineExpr expr, SmallVector<Value> &values) {
    if (auto constant = dyn_cast<AffineConstantExpr>(analysis.canonicalize(expr)))
      return constant.getValue();
    values.push_back(buildInteger(kernel, builder, loc, expr));
    return ShapedType::kDynamic;
  };
  auto type = cast<RankedTensorType>(border.value.getType());
  for (auto [size, extent] : llvm::zip_equal(type.getShape(), analysis.getExtents(border.value)))
    if (ShapedType::isDynamic(size))
      sizes.push_back(buildInteger(kernel, builder, loc, extent));
  for (const HostView &box : border.boxes)
    for (auto [offset, size] : llvm::zip_equal(box.offsets, box.sizes)) {
      staticOffsets.push_back(resolve(offset, offsets));
      staticSizes.push_back(resolve(size, boxSizes));
    }
  return BorderOp::create(builder, loc, type, fill, sizes, offsets, boxSizes, staticOffsets,
                          staticSizes, ArrayAttr(), MemoryAttr(), IntegerAttr());
}
