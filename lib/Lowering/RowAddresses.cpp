//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowAddresses.h"
#include "Warps.h"

using namespace mlir;
using namespace fuser;

AffineExpr RowAddresses::getLane(Value thread) {
  const AffineExpr index = facts.getExpr(thread);
  return (*kernel.getThreads())[0] == kWarp ? index : index % kWarp;
}

AffineExpr RowAddresses::substitute(OpBuilder &builder, AffineExpr expr,
                                    ExprReplacement &replacement) {
  const AffineExpr zero = getAffineConstantExpr(0, builder.getContext());
  bool isFixed = true;
  auto getLeaf = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  expr.walk([&](AffineExpr leaf) {
    if (!isa<AffineDimExpr>(leaf) || replacement.contains(leaf))
      return;
    Value value = facts.getValue(leaf);
    auto swizzled = value ? value.getDefiningOp<loop::XorOp>() : loop::XorOp();
    if (!swizzled)
      return;
    SmallVector<AffineExpr, 2> terms;
    bool isSame = true;
    for (AffineExpr term : swizzled.getTerms().getResults()) {
      const AffineExpr lifted =
          facts.lift(term, swizzled.getIndices(), swizzled.getTerms().getNumDims());
      const AffineExpr replaced = substitute(builder, lifted, replacement);
      isFixed &= replaced && lanes.isFixed(replaced);
      isSame &= replaced == lifted;
      terms.push_back(replaced);
    }
    if (!isFixed || isSame)
      return;
    for (unsigned number = 0; number < 2; ++number)
      if (getFolded(terms[number]) == zero)
        replacement[leaf] = terms[1 - number];
    if (!replacement.contains(leaf))
      replacement[leaf] = facts.getExpr(
          createXor(builder, swizzled.getLoc(), terms[0], terms[1], getLeaf).getResult());
  });
  return isFixed ? getFolded(expr.replace(replacement)) : AffineExpr();
}

bool RowAddresses::findRow(OpBuilder &builder, Value buffer, ExprReplacement replacement,
                           AccessExprs &access) {
  SmallVector<AffineExpr, 4> results;
  for (AffineExpr result : access.results)
    results.push_back(substitute(builder, result, replacement));
  if (llvm::is_contained(results, AffineExpr()))
    return false;
  const AffineExpr offset = offsets.getOffset(buffer, results);
  const std::optional<LaneSplit> parts = lanes.split(offset, kMatrix);
  if (!parts || !parts->hasLane || facts.getDivisor(parts->base) % kMatrix != 0)
    return false;
  const ExprReplacement atFirst = {{element, getAffineConstantExpr(0, builder.getContext())}};
  for (AffineExpr &result : results)
    result = offsets.simplify(result.replace(atFirst));
  access.results = results;
  return true;
}

int64_t RowAddresses::evaluate(AffineExpr expr, const llvm::DenseMap<AffineExpr, int64_t> &at) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    if (auto it = at.find(expr); it != at.end())
      return it->second;
    Value value = isa<AffineDimExpr>(expr) ? facts.getValue(expr) : Value();
    auto swizzled = value ? value.getDefiningOp<loop::XorOp>() : loop::XorOp();
    int64_t result = 0;
    if (swizzled)
      for (AffineExpr term : swizzled.getTerms().getResults())
        result ^=
            evaluate(facts.lift(term, swizzled.getIndices(), swizzled.getTerms().getNumDims()), at);
    return result;
  }
  const int64_t lhs = evaluate(binary.getLHS(), at), rhs = evaluate(binary.getRHS(), at);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}
