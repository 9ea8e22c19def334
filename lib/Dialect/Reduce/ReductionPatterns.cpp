//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pattern that tries edits of a fusion on copies of its module.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Reduce/ReductionPatterns.h"
#include "FusionEdits.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;
using namespace fuser;

namespace {

/// A separate module with the fusion that is being reduced.
struct Candidate {
  OwningOpRef<ModuleOp> module;
  FusionOp fusion;

  explicit Candidate(FusionOp original) {
    IRMapping mapping;
    auto parent = original->getParentOfType<ModuleOp>();
    while (auto outer = parent->getParentOfType<ModuleOp>())
      parent = outer;
    module = cast<ModuleOp>(parent->clone(mapping));
    fusion = cast<FusionOp>(mapping.lookup(original.getOperation()));
  }
};

class ReduceFusion : public OpRewritePattern<FusionOp> {
public:
  ReduceFusion(MLIRContext *context, Tester &tester) : OpRewritePattern(context), tester(tester) {}

  LogicalResult matchAndRewrite(FusionOp fusion, PatternRewriter &rewriter) const override {
    std::unique_ptr<Candidate> best;
    while (std::unique_ptr<Candidate> next = findStep(best ? best->fusion : fusion))
      best = std::move(next);
    if (!best)
      return rewriter.notifyMatchFailure(fusion, "no smaller fusion is interesting");
    rewriter.clone(*best->fusion);
    rewriter.eraseOp(fusion);
    return success();
  }

private:
  /// The first edit whose result is valid and interesting; null if there is none.
  std::unique_ptr<Candidate> findStep(FusionOp fusion) const {
    for (const fuser::detail::FusionEdit &edit : fuser::detail::listEdits(fusion)) {
      auto candidate = std::make_unique<Candidate>(fusion);
      edit(candidate->fusion);
      fuser::detail::eraseDeadOps(candidate->fusion);
      if (isValid(*candidate->module) &&
          tester.isInteresting(*candidate->module).first == Tester::Interestingness::True)
        return candidate;
    }
    return nullptr;
  }

  static bool isValid(ModuleOp module) {
    ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) {});
    return succeeded(verify(module));
  }

  Tester &tester;
};

class FuserReductionPatterns : public DialectReductionPatternInterface {
public:
  explicit FuserReductionPatterns(Dialect *dialect) : DialectReductionPatternInterface(dialect) {}

  // The only pattern calls the tester.
  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<ReduceFusion>(patterns.getContext(), tester);
  }
};

} // namespace

void fuser::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, FuserDialect *dialect) {
    dialect->addInterfaces<FuserReductionPatterns>();
  });
}
