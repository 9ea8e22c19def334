//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace fuser;

/// True if an op of the fusion is a root that one of the patterns may match. To set up the driver
/// takes longer than most passes on a fusion without such ops.
static bool hasRoots(FusionOp fusion, RewritePatternSet &patterns) {
  auto isRoot = [](const Pattern &pattern, Operation *op) {
    if (std::optional<OperationName> name = pattern.getRootKind())
      return op->getName() == *name;
    if (std::optional<TypeID> interface = pattern.getRootInterfaceID())
      return op->getName().hasInterface(*interface);
    return true;
  };
  auto isRootOfAny = [&](Operation *op) {
    return llvm::any_of(patterns.getNativePatterns(),
                        [&](const auto &pattern) { return isRoot(*pattern, op); });
  };
  return fusion
      .walk([&](Operation *op) {
        return op != fusion && isRootOfAny(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void fuser::applyPatterns(FusionOp fusion, RewritePatternSet &&patterns) {
  if (!hasRoots(fusion, patterns)) {
    eraseDeadOps(fusion);
    return;
  }
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true)
      .enableFolding(false)
      .enableConstantCSE(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .setMaxIterations(GreedyRewriteConfig::kNoLimit);
  // Every pattern of this room terminates by a measure of its own; without iteration limits the
  // driver cannot fail.
  (void)applyPatternsGreedily(fusion.getOperation(), std::move(patterns), config);
}

void fuser::eraseDeadOps(FusionOp fusion) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(fusion.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

FailureOr<unsigned> fuser::repeatRounds(FusionOp fusion,
                                        llvm::function_ref<FailureOr<unsigned>(FusionOp)> round) {
  unsigned total = 0;
  while (true) {
    FailureOr<unsigned> count = round(fusion);
    if (failed(count) || *count == 0)
      return failed(count) ? count : FailureOr<unsigned>(total);
    total += *count;
  }
}
