//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the rewrites of this room are applied.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_PATTERNS_H
#define FUSER_LIB_PRESEG_PATTERNS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser {

/// A pattern that counts its rewrites, and leaves ops alone that carry a schedule. `BaseT` is the
/// pattern class of ops (the default) or of an interface.
template <typename OpT, typename BaseT = mlir::OpRewritePattern<OpT>>
class CountedPattern : public BaseT {
public:
  /// Each rewrite adds 1 to `count`.
  CountedPattern(mlir::MLIRContext *context, unsigned &count) : BaseT(context), count(count) {}

  mlir::LogicalResult matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const final {
    if (detail::isScheduled(op))
      return rewriter.notifyMatchFailure(op, "it carries a schedule");
    mlir::LogicalResult result = rewrite(op, rewriter);
    if (mlir::succeeded(result))
      ++count;
    return result;
  }

protected:
  virtual mlir::LogicalResult rewrite(OpT op, mlir::PatternRewriter &rewriter) const = 0;

  /// The op of type T that defines `value`, where it carries no schedule.
  template <typename T> static T getDefiningOp(mlir::Value value) {
    auto op = value.getDefiningOp<T>();
    return op && !detail::isScheduled(op) ? op : T();
  }

private:
  unsigned &count;
};

/// Applies the patterns to the ops of `fusion` until none matches. Folds and merges nothing
/// besides, so that a pass does what it says and no more; ops without uses go.
void applyPatterns(FusionOp fusion, mlir::RewritePatternSet &&patterns);

/// Erases ops that have no effect and no use, users before their operands.
void eraseDeadOps(FusionOp fusion);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_PATTERNS_H
