//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/ElementBuilder.h"

using namespace mlir;
using namespace fuser;

LayoutAttr fuser::getOutputLayout(KernelOp kernel, unsigned output) {
  LayoutInfo info(kernel);
  if (std::optional<unsigned> alias = info.getAlias(output))
    return kernel.getArgLayout(*alias);
  return LayoutAttr::get(kernel.getContext(), info.getOutputOrder(output).order,
                         ArrayRef<int64_t>());
}

llvm::SmallDenseSet<int64_t> fuser::getWrittenInputs(KernelOp kernel) {
  llvm::SmallDenseSet<int64_t> written;
  if (auto aliases = kernel.getAliases())
    for (AliasAttr alias : aliases->getAsRange<AliasAttr>())
      if (!kernel.getArgument(alias.getInput()).use_empty())
        written.insert(alias.getInput());
  return written;
}

Type fuser::getStorageType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return ElementBuilder::getRegisterType(element);
}

//===----------------------------------------------------------------------===//
// Width of indices
//===----------------------------------------------------------------------===//

/// What 32 bits address, with room for the last tiles.
static constexpr int64_t kMax32BitElements =
    std::numeric_limits<int32_t>::max() - (int64_t(1) << 24);

/// The extents of a value that are not 1, in normal form.
static SmallVector<AffineExpr> getFactors(const ExtentAnalysis &extents, Value value) {
  SmallVector<AffineExpr> factors;
  for (AffineExpr extent : extents.getExtents(value))
    if (extents.getConstant(extent) != 1)
      factors.push_back(extents.simplify(extent));
  return factors;
}

static AffineExpr getProduct(ArrayRef<AffineExpr> factors, MLIRContext *context) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr factor : factors)
    product = product * factor;
  return product;
}

/// True where a value has no more elements than `other` has, as each of its extents is one of its,
/// or less.
static bool isWithin(const ExtentAnalysis &extents, ArrayRef<AffineExpr> factors,
                     SmallVector<AffineExpr> other) {
  return llvm::all_of(factors, [&](AffineExpr factor) {
    auto *it = llvm::find(other, factor);
    if (it == other.end())
      it = llvm::find_if(
          other, [&](AffineExpr larger) { return extents.getLowerBound(larger - factor) >= 0; });
    if (it == other.end())
      return false;
    other.erase(it);
    return true;
  });
}

bool fuser::fitsIn32Bits(KernelOp kernel, const ExtentAnalysis &extents) {
  SmallVector<Value> ends(kernel.getArguments());
  llvm::append_range(ends, kernel.getBody().front().getTerminator()->getOperands());
  SmallVector<SmallVector<AffineExpr>> fitting;
  for (auto [number, value] : llvm::enumerate(ends)) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    // An argument that nothing reads is but a place for an output.
    if (!tensor || (isa<BlockArgument>(value) && value.use_empty()))
      continue;
    std::optional<int64_t> bound = extents.getElementsAtMost(number);
    // The strides of an output in a part of a buffer are those of the buffer.
    const bool isStrided =
        number >= kernel.getNumArguments() &&
        !getOutputLayout(kernel, number - kernel.getNumArguments()).getStrided().empty();
    if (!bound && !isStrided && tensor.hasStaticShape())
      bound = tensor.getNumElements();
    if (!bound || *bound > kMax32BitElements)
      return false;
    fitting.push_back(getFactors(extents, value));
  }
  // An outer product that is reduced again is larger than both.
  auto fits = [&](Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    SmallVector<AffineExpr> factors = getFactors(extents, value);
    AffineExpr elements = getProduct(factors, kernel.getContext());
    std::optional<int64_t> bound = extents.getUpperBound(elements);
    return (bound && *bound <= kMax32BitElements) || llvm::any_of(fitting, [&](auto &other) {
             return isWithin(extents, factors, other) ||
                    extents.isProvablyEqual(elements, getProduct(other, kernel.getContext()));
           });
  };
  return llvm::all_of(kernel.getBody().front().without_terminator(),
                      [&](Operation &op) { return llvm::all_of(op.getResults(), fits); });
}
