//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_PASSES_TD
#define FUSER_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserPrintExtents : Pass<"fuser-print-extents", "::mlir::ModuleOp"> {
  let summary = "Print the known extents of every fusion and kernel";
  let description = [{
    Emits remarks and changes nothing. At a fusion or kernel: the meaning of its symbols, with the
    range and divisor that facts prove, and the sizes that the program requires to be equal. At each
    op with tensor results: the extents of the ids of result 0, in the order of their numbers.

    Fails where an extent does not follow from arguments. Prints nothing for modules without a
    fusion or kernel.

    Example: `test/Analysis/print-extents.mlir`.
  }];
}

def FuserPrintIds : Pass<"fuser-print-ids", "::mlir::ModuleOp"> {
  let summary = "Print which ids of every fusion and kernel correspond";
  let description = [{
    Emits remarks and changes nothing. At each op with tensor results: the classes of the ids of
    result 0 before loops exist, root ids first, numbered as they appear; the products that a
    reshape states over classes; and how many of its loops each computed operand can share with the
    op.

    Example: `test/Analysis/print-ids.mlir`.
  }];
}

def FuserVerifyLayouts : Pass<"fuser-verify-layouts", "::mlir::ModuleOp"> {
  let summary = "Check that host functions and kernels agree on the order of every buffer";
  let description = [{
    Changes nothing. The IR states an order at several sites: at the allocation of a buffer, in the
    layouts and required orders of the kernels that read and write it, in the allocation of a
    kernel's store, in the requirement of the program. This pass detects a stage that changes only
    some of them: LV1 inputs of launches, LV2 outputs of launches, LV3 required orders of returned
    buffers, LV4 allocations of stores (docs/layout.md).

    Ignores fusions, because their own verifier covers them.

    Example: `test/Analysis/verify-layouts.mlir`.
  }];
}

def FuserExplainLayout : Pass<"fuser-explain-layout", "::mlir::ModuleOp"> {
  let summary = "Print the memory order of every value, and what determines it";
  let description = [{
    Changes nothing. For each argument, tensor result and output of a fusion, kernel or host
    function: whether its order is a fact, a requirement, a hint, frozen in an allocation or
    row-major by default; the order; rule and reference of a hint; and its effect. Prints remarks at
    the ops, or with `table` one table for each function on the standard output.

    Ignores functions of other dialects.

    Example: `test/Analysis/explain-layout.mlir`.
  }];
  let options = [
    Option<"table", "table", "bool", "false", "Print tables to the standard output, no remarks">,
  ];
}

#endif // FUSER_ANALYSIS_PASSES_TD
