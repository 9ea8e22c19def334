//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace fuser;

void fuser::applyPatterns(FusionOp fusion, RewritePatternSet &&patterns) {
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
