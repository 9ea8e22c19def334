//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_PASSES_TD
#define FUSER_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserPrintExtents : Pass<"fuser-print-extents", "::mlir::ModuleOp"> {
  let summary = "Say what is known of the extents of every fusion and kernel";
  let description = [{
    Emits remarks and changes nothing. At a fusion or kernel: what its symbols stand for, with the
    range and divisor that facts prove, and the sizes that must be equal for the program to make
    sense. At each op with tensor results: the extents of the ids of result 0, in the order of their
    numbers.

    Fails where an extent does not follow from arguments. Says nothing of modules without a fusion
    or kernel.

    Example: `test/Analysis/print-extents.mlir`.
  }];
}

def FuserPrintIds : Pass<"fuser-print-ids", "::mlir::ModuleOp"> {
  let summary = "Say which ids of every fusion and kernel correspond";
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
    Changes nothing. An order is written down at several sites: where a buffer is allocated, in the
    layouts and required orders of the kernels that read and write it, in the allocation of a
    kernel's store, in the requirement of the program. A stage that changes one of them and not the
    others is found here: LV1 inputs of launches, LV2 outputs of launches, LV3 required orders of
    returned buffers, LV4 allocations of stores (docs/layout.md).

    Says nothing of a fusion, whose own verifier sees all there is.

    Example: `test/Analysis/verify-layouts.mlir`.
  }];
}

def FuserExplainLayout : Pass<"fuser-explain-layout", "::mlir::ModuleOp"> {
  let summary = "Say in what order every value lies, and who said so";
  let description = [{
    Changes nothing. For each argument, tensor result and output of a fusion, kernel or host
    function: whether its order is a fact, a requirement, a hint, frozen in an allocation or
    row-major by default; the order; rule and reference of a hint; and what became of it. As remarks
    at the ops, or with `table` as one table for each function on the standard output.

    Says nothing of functions of other dialects.

    Example: `test/Analysis/explain-layout.mlir`.
  }];
  let options = [
    Option<"table", "table", "bool", "false", "Print tables to the standard output, no remarks">,
  ];
}

#endif // FUSER_ANALYSIS_PASSES_TD
