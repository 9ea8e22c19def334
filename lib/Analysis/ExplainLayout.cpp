//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-explain-layout.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/LayoutExplanation.h"
#include "fuser/Analysis/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace fuser {
#define GEN_PASS_DEF_FUSEREXPLAINLAYOUT
#include "fuser/Analysis/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
struct ExplainLayout : fuser::impl::FuserExplainLayoutBase<ExplainLayout> {
  using FuserExplainLayoutBase::FuserExplainLayoutBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!isa<FusionOp, KernelOp, HostOp>(function.getOperation()))
        continue;
      SmallVector<LayoutRow> rows = explainLayouts(function);
      if (!table) {
        for (const LayoutRow &row : rows)
          emitRemark(row.loc) << describeRow(row);
        continue;
      }
      llvm::outs() << function->getName() << " @" << function.getName() << "\n";
      printTable(llvm::outs(), rows);
      llvm::outs() << "\n";
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
