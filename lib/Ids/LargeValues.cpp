//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/LargeValues.h"
#include "fuser/Dialect/IR/Updates.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

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

SmallVector<Value> fuser::findLargeValues(FunctionOpInterface program,
                                          const ExtentAnalysis &extents, int64_t most) {
  Block &body = program.getFunctionBody().front();
  auto isKnown = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) &&
           llvm::all_of(extents.getExtents(value), [](AffineExpr extent) { return bool(extent); });
  };
  SmallVector<SmallVector<AffineExpr>> ends;
  auto addEnd = [&](Value value) {
    // An argument that nothing reads is but a place for an output.
    auto argument = dyn_cast<BlockArgument>(value);
    if (isKnown(value) && !(argument && isOnlyPlace(argument)))
      ends.push_back(getFactors(extents, value));
  };
  llvm::for_each(body.getArguments(), addEnd);
  llvm::for_each(body.getTerminator()->getOperands(), addEnd);
  auto fits = [&](Value value) {
    if (!isKnown(value))
      return true;
    SmallVector<AffineExpr> factors = getFactors(extents, value);
    AffineExpr elements = getProduct(factors, program.getContext());
    std::optional<int64_t> bound = extents.getUpperBound(elements);
    return (bound && *bound <= most) || llvm::any_of(ends, [&](auto &other) {
             return isWithin(extents, factors, other) ||
                    extents.isProvablyEqual(elements, getProduct(other, program.getContext()));
           });
  };
  SmallVector<Value> large;
  for (Operation &op : body.without_terminator())
    llvm::copy_if(op.getResults(), std::back_inserter(large),
                  [&](Value value) { return !fits(value); });
  return large;
}
