//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pattern infrastructure of the rewrites in this room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_PATTERNS_H
#define FUSER_LIB_PRESEG_PATTERNS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser {

/// A pattern that counts its rewrites and skips ops that carry a schedule. `BaseT` is the pattern
/// class for ops (the default) or for an interface.
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

  /// The op of type T that defines `value`, if it carries no schedule.
  template <typename T> static T getDefiningOp(mlir::Value value) {
    auto op = value.getDefiningOp<T>();
    return op && !detail::isScheduled(op) ? op : T();
  }

private:
  unsigned &count;
};

/// Applies the patterns to the ops of `fusion` until none matches, and erases dead ops. Disables
/// folding and CSE, so that a pass changes only what it documents.
void applyPatterns(FusionOp fusion, mlir::RewritePatternSet &&patterns);

/// The same for patterns of these types, which are made with `args`. Returns how often they
/// matched.
template <typename... PatternTs, typename... Args>
unsigned applyCounted(FusionOp fusion, Args... args) {
  unsigned count = 0;
  mlir::RewritePatternSet patterns(fusion.getContext());
  patterns.add<PatternTs...>(fusion.getContext(), count, args...);
  applyPatterns(fusion, std::move(patterns));
  return count;
}

/// Repeats a round of rewrites until one changes nothing, and returns the number of all rewrites;
/// fails if a round does.
mlir::FailureOr<unsigned>
repeatRounds(FusionOp fusion, llvm::function_ref<mlir::FailureOr<unsigned>(FusionOp)> round);

/// Erases ops that have no effect and no use, users before their operands.
void eraseDeadOps(FusionOp fusion);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_PATTERNS_H
