//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"

using namespace mlir;
using namespace fuser;

static void replaceAll(MutableArrayRef<AffineExpr> exprs, const ExprReplacement &replacement) {
  for (AffineExpr &expr : exprs)
    expr = expr.replace(replacement);
}

static void replaceAll(Constraints &constraints, const ExprReplacement &replacement) {
  for (Constraint &constraint : constraints) {
    constraint.lhs = constraint.lhs.replace(replacement);
    constraint.rhs = constraint.rhs.replace(replacement);
  }
}

void fuser::replaceAll(TileExprs &exprs, const ExprReplacement &replacement) {
  auto replaceIn = [&](AccessExprs &access) {
    ::replaceAll(access.results, replacement);
    ::replaceAll(access.guard, replacement);
  };
  for (std::optional<AccessExprs> &read : exprs.reads)
    if (read)
      replaceIn(*read);
  llvm::for_each(exprs.writes, replaceIn);
  ::replaceAll(exprs.roots, replacement);
  ::replaceAll(exprs.guard, replacement);
}
