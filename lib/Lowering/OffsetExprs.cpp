//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OffsetExprs.h"
#include "KernelOperands.h"

using namespace mlir;
using namespace fuser;

int64_t OffsetExprs::getAlignment(Value buffer) {
  if (buffer.getDefiningOp<loop::BufferOp>())
    return kWidestAccess;
  return kernel.getBinding(cast<BlockArgument>(buffer).getArgNumber()).getAlignment();
}

/// Row-major in buffers of the kernel, by the strides of the binding in an argument.
AffineExpr OffsetExprs::getOffset(Value buffer, ArrayRef<AffineExpr> indices) {
  auto type = cast<loop::BufferType>(buffer.getType());
  AffineExpr offset = getAffineConstantExpr(0, context);
  if (type.getSpace() != MemoryType::Global) {
    const unsigned numPeers = loop::BufferOp::isDistributed(buffer) ? 1 : 0;
    for (auto [index, extent] :
         llvm::drop_begin(llvm::zip_equal(indices, type.getShape()), numPeers))
      offset = offset * extent + index;
    return type.getSpace() == MemoryType::Shared ? joinTerms(simplify(offset)) : offset;
  }
  if (auto workspace = buffer.getDefiningOp<loop::BufferOp>()) {
    for (auto [index, extent] : llvm::zip_equal(indices, workspace.getExtents()->getResults()))
      offset = offset * facts.lift(extent, workspace.getIndices(), /*numDims=*/0) + index;
    return joinTerms(fold(joinTerms(offset)));
  }
  // Symbols of the kernel are numbered as those of its bindings.
  AffineMap strides = kernel.getBinding(cast<BlockArgument>(buffer).getArgNumber()).getStrides();
  for (auto [index, stride] : llvm::zip_equal(indices, strides.getResults()))
    offset = offset + index * stride;
  return joinTerms(fold(joinTerms(offset)));
}

AffineExpr OffsetExprs::fold(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = fold(binary.getLHS()), rhs = fold(binary.getRHS());
  const AffineExprKind kind = expr.getKind();
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  auto inner = dyn_cast<AffineBinaryOpExpr>(lhs);
  if (kind == AffineExprKind::FloorDiv && constant && inner &&
      inner.getKind() == AffineExprKind::FloorDiv && isa<AffineConstantExpr>(inner.getRHS())) {
    lhs = inner.getLHS();
    rhs = inner.getRHS() * rhs;
    constant = cast<AffineConstantExpr>(rhs);
  }
  const bool isDivision = kind == AffineExprKind::FloorDiv || kind == AffineExprKind::Mod;
  if (isDivision && constant && constant.getValue() > 0) {
    const IntegerRange range = facts.get().getRange(lhs);
    if (range.lower >= 0 && range.upper < constant.getValue())
      return kind == AffineExprKind::Mod ? lhs : getAffineConstantExpr(0, context);
  }
  return getAffineBinaryOpExpr(kind, lhs, rhs);
}

/// The terms of scale * sum, with products by constants distributed over sums.
static void addTerms(AffineExpr sum, int64_t scale, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  auto factor = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
  if (binary && sum.getKind() == AffineExprKind::Add) {
    addTerms(binary.getLHS(), scale, terms);
    addTerms(binary.getRHS(), scale, terms);
  } else if (factor && sum.getKind() == AffineExprKind::Mul) {
    addTerms(binary.getLHS(), scale * factor.getValue(), terms);
  } else {
    terms.push_back(sum * scale);
  }
}

/// A multiple of the divisor, divided by it.
static AffineExpr divideTerm(AffineExpr term, int64_t divisor) {
  auto product = dyn_cast<AffineBinaryOpExpr>(term);
  auto factor = product ? dyn_cast<AffineConstantExpr>(product.getRHS()) : AffineConstantExpr();
  return factor && term.getKind() == AffineExprKind::Mul && factor.getValue() % divisor == 0
             ? product.getLHS() * (factor.getValue() / divisor)
             : term.floorDiv(divisor);
}

AffineExpr OffsetExprs::simplify(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  const AffineExpr lhs = simplify(binary.getLHS()), rhs = simplify(binary.getRHS());
  const AffineExprKind kind = expr.getKind();
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  const bool isDivision = kind == AffineExprKind::FloorDiv || kind == AffineExprKind::Mod;
  if (!isDivision || !divisor || divisor.getValue() <= 0)
    return getAffineBinaryOpExpr(kind, lhs, rhs);
  SmallVector<AffineExpr> terms;
  addTerms(lhs, 1, terms);
  AffineExpr rest = getAffineConstantExpr(0, context), quotient = rest;
  for (AffineExpr term : terms) {
    if (facts.getDivisor(term) % divisor.getValue() == 0)
      quotient = quotient + divideTerm(term, divisor.getValue());
    else
      rest = rest + term;
  }
  rest = fold(getAffineBinaryOpExpr(kind, rest, rhs));
  return kind == AffineExprKind::Mod ? rest : quotient + rest;
}

/// True if a quotient or a remainder is part of the expression.
static bool hasDivision(AffineExpr expr) {
  return expr
      .walk([](AffineExpr part) {
        const AffineExprKind kind = part.getKind();
        return kind == AffineExprKind::FloorDiv || kind == AffineExprKind::Mod
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The terms of scale * sum, in order. A product with a sum is one term unless it has a part that
/// may be joined: apart, its terms would each need registers.
static void collectTerms(AffineExpr sum, AffineExpr scale, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  if (binary && sum.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), scale, terms);
    collectTerms(binary.getRHS(), scale, terms);
  } else if (binary && sum.getKind() == AffineExprKind::Mul && hasDivision(binary.getLHS())) {
    collectTerms(binary.getLHS(), binary.getRHS() * scale, terms);
  } else {
    terms.push_back(sum * scale);
  }
}

static SmallVector<AffineExpr> getTerms(AffineExpr sum) {
  SmallVector<AffineExpr> terms;
  collectTerms(sum, getAffineConstantExpr(1, sum.getContext()), terms);
  return terms;
}

static AffineExpr getSum(ArrayRef<AffineExpr> terms, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (AffineExpr term : terms)
    sum = sum + term;
  return sum;
}

/// The e of a term (e floordiv c) * c * s, or of ((e mod m) floordiv c) * c * s with a multiple m
/// of c, whose remainder is `value` mod c; null for another term.
AffineExpr OffsetExprs::getDividend(AffineExpr term, AffineExpr value, AffineExpr divisor,
                                    AffineExpr scale) const {
  const AffineExpr quotient = value.floorDiv(divisor) * (divisor * scale);
  if (term == quotient || facts.get().isEqual(term, quotient))
    return value;
  auto product = dyn_cast<AffineBinaryOpExpr>(term);
  if (!product || term.getKind() != AffineExprKind::Mul || product.getRHS() != divisor * scale ||
      product.getLHS().getKind() != AffineExprKind::FloorDiv)
    return {};
  auto division = cast<AffineBinaryOpExpr>(product.getLHS());
  auto rest = dyn_cast<AffineBinaryOpExpr>(division.getLHS());
  if (!rest || rest.getKind() != AffineExprKind::Mod || division.getRHS() != divisor ||
      rest.getLHS() != value)
    return {};
  auto factor = dyn_cast<AffineConstantExpr>(divisor);
  auto multiple = dyn_cast<AffineConstantExpr>(rest.getRHS());
  return factor && multiple && factor.getValue() > 0 && multiple.getValue() % factor.getValue() == 0
             ? AffineExpr(rest)
             : AffineExpr();
}

/// Replaces (e floordiv c) * c * s + (e mod c) * s by e * s; false if there is no such pair.
bool OffsetExprs::joinPair(SmallVectorImpl<AffineExpr> &terms) const {
  for (AffineExpr &term : terms) {
    // A remainder, perhaps times a stride.
    auto product = dyn_cast<AffineBinaryOpExpr>(term);
    const bool isScaled = product && term.getKind() == AffineExprKind::Mul;
    const AffineExpr part = isScaled ? product.getLHS() : term;
    const AffineExpr scale = isScaled ? product.getRHS() : getAffineConstantExpr(1, context);
    if (part.getKind() != AffineExprKind::Mod)
      continue;
    const AffineExpr value = cast<AffineBinaryOpExpr>(part).getLHS();
    const AffineExpr divisor = cast<AffineBinaryOpExpr>(part).getRHS();
    for (AffineExpr *other = terms.begin(); other != terms.end(); ++other)
      if (AffineExpr dividend = getDividend(*other, value, divisor, scale)) {
        term = dividend * scale;
        terms.erase(other);
        return true;
      }
  }
  return false;
}

AffineExpr OffsetExprs::joinTerms(AffineExpr sum) const {
  SmallVector<AffineExpr> terms = getTerms(sum);
  while (joinPair(terms)) {
    sum = getSum(terms, context);
    terms = getTerms(sum);
  }
  return sum;
}
