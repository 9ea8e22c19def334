//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//

#ifndef FUSER_TRANSFORMOPS_PASSES_TD
#define FUSER_TRANSFORMOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserInterpretSchedules : Pass<"fuser-interpret-schedules", "::mlir::ModuleOp"> {
  let summary = "runs the schedule script of the module, and takes it away";
  let description = [{
    Interprets the named sequence `@__transform_main` in the module, or in a module inside of it, on the module, as upstream's
    `transform-interpreter` does; then erases the other named sequences, and their module if it becomes empty. A
    module without such a sequence stays as it is. It is the first pass of the phase `choose`: a script sees the kernels that
    segmentation made, and what it leaves without a schedule is scheduled as ever.

    ```mlir
    // before, test/Dialect/TransformOps/interpret-schedules.mlir; after: the loop of the set is split
    module @schedule attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%module: !transform.any_op) {
        %kernel = transform.fuser.get_kernel @copy in %module : (!transform.any_op) -> !transform.any_op
        %y = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> !transform.any_op
        transform.fuser.split %y at 0 by 4 : !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let options = [
    Option<"onlyErase", "only-erase", "bool", "false", "erase scripts that were interpreted before, without interpreting them">,
  ];
  // Of variances and means that scripts decompose.
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FUSER_TRANSFORMOPS_PASSES_TD
