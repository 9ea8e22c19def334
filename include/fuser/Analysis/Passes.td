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

def FuserPrintIdModel : Pass<"fuser-print-id-model", "::mlir::ModuleOp"> {
  let summary = "Say which ids of every fusion and kernel correspond";
  let description = [{
    Emits remarks and changes nothing. At each op with tensor results: the class of each id of
    result 0 in the exact, the broadcast and the permissive graph. Classes are numbered as they
    appear, arguments first; equal numbers are mapped ids.

    Example: `test/Analysis/print-id-model.mlir`.
  }];
}

#endif // FUSER_ANALYSIS_PASSES_TD
