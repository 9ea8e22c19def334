//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on fusions, before segmentation.

#ifndef FUSER_PRESEG_PASSES_TD
#define FUSER_PRESEG_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserStripHints : Pass<"fuser-strip-hints", "::mlir::ModuleOp"> {
  let summary = "Remove every layout hint: what is left says the same";
  let description = [{
    Removes the attribute `fuser.layout_hints` from every op of the module, at whatever stage it is. Hints are advice, so
    results and required strides stay what they are; an order that is already in an allocation domain is frozen
    by it, because the hint was the licence to change it. Meant for tests of just that.

    Does nothing to a module without hints.

    Example: test/Preseg/strip-hints.mlir
  }];
  let statistics = [Statistic<"numStripped", "hints", "Number of hints removed">];
}

#endif // FUSER_PRESEG_PASSES_TD
