//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_PASSES_TD
#define FUSER_SEGMENTATION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserOutlineKernels : Pass<"fuser-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn every fusion into one kernel and the host function that launches it";
  let description = [{
    Replaces each `fuser.fusion @f` by `fuser.kernel @f_0`, which computes the same, and by
    `fuser.host @f`, which sizes and allocates the outputs, launches the kernel and returns. The
    kernel keeps arguments, layouts, facts, requirements, aliases and front-end ids; an argument
    that nothing uses stays. An output is allocated in its required order, else in the order of its
    allocation domain, else row-major; an aliased output is stored in its argument.

    An output that is itself an argument is no work for a kernel: it becomes a `fuser.copy` in the
    host function, or nothing where it is aliased to that argument. A fusion of such outputs alone
    has no kernel.

    Sizes that must be equal for the program to make sense, and that no fact makes equal, become
    facts of both functions, so that every call is checked for them.

    Does nothing to a module without a `fuser.fusion`. Fails at a fusion whose output sizes its
    arguments do not determine.

    Example: `test/Segmentation/outline-kernels.mlir`.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels outlined">,
    Statistic<"numCopies", "copies", "Outputs that are arguments and had to be copied">,
  ];
  let dependentDialects = ["::fuser::FuserDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // FUSER_SEGMENTATION_PASSES_TD
