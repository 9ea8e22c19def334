//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that run schedulers, and that state facts on which a schedule relies.

#ifndef FUSER_TRANSFORM_SCHEDULE_OPS
#define FUSER_TRANSFORM_SCHEDULE_OPS

include "fuser/Dialect/TransformOps/TransformOpBase.td"

def FuserTransform_FactArray : TypedArrayAttrBase<Fuser_FactAttr, "array of #fuser.fact">;

def FuserTransform_AddFactsOp : FuserTransform_EditOp<"add_facts"> {
  let summary = "states what a schedule relies on";
  let description = [{
    Adds `facts` to each kernel that lacks them. A call for which one does not hold runs other code: facts are guards. Vectors
    and unrolled loops need them.

    ```mlir
    transform.fuser.add_facts %kernel [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, FuserTransform_FactArray:$facts);
  let assemblyFormat = "$kernel $facts attr-dict `:` type($kernel)";
  let primitives = ["addFacts"];
}

def FuserTransform_LaunchDependentOp : FuserTransform_EditOp<"launch_dependent"> {
  let summary = "lets the launches of a kernel begin before those before them have ended";
  let description = [{
    Gives each `fuser.launch` of the kernels a `fuser.dependent`: on chips from sm_90 on, it begins as the blocks of the launch
    before it end, or when all of them have begun (`early`), and waits for its end where it needs this
    (`fuser-chain-launches`). The result is the same. With `early`, each block of the launch before it has one
    instruction more, which is slow in a grid that does not fit on the device at once. Silenceable where nothing launches a kernel.

    ```mlir
    transform.fuser.launch_dependent %kernel : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, UnitAttr:$early);
  let assemblyFormat = "$kernel (`early` $early^)? attr-dict `:` type($kernel)";
}

def FuserTransform_ChooseOp : FuserTransform_EditOp<"choose"> {
  let summary = "chooses a scheduler and its parameters";
  let description = [{
    Writes parameters to the `schedule` of each kernel, and what they rely on to its facts:
    - `using` these parameters, which name their scheduler;
    - else `with` the scheduler of that name choosing;
    - else as the scheduler of the registry with the least predicted time chooses.

    A scheduler chooses for the device `target` and for `sizes`, as `fuser-choose-schedules` takes them (absent: the kernel's
    `fuser_sched.sizes`). Silenceable where it refuses, with its reason, and where ops of the kernel are scheduled already. A
    `schedule` that is there is replaced.

    ```mlir
    transform.fuser.choose %kernel : !transform.any_op
    transform.fuser.choose %kernel with "inner_persistent" {sizes = "64,1024"} : !transform.any_op
    transform.fuser.choose %kernel using(#fuser_sched.pointwise<vector = 4>) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, OptionalAttr<StrAttr>:$scheduler,
                       OptionalAttr<AnyAttr>:$parameters,
                       DefaultValuedOptionalAttr<StrAttr, "\"sm_90\"">:$device, OptionalAttr<StrAttr>:$sizes);
  let assemblyFormat = "$kernel (`with` $scheduler^)? (`using` `(` $parameters^ `)`)? attr-dict `:` type($kernel)";
  let hasVerifier = 1;
  let primitives = ["chooseSchedule"];
}

def FuserTransform_ApplyOp : FuserTransform_RewriteKernelOp<"apply"> {
  let summary = "turns the parameters of a kernel into loops on its ops";
  let description = [{
    Lets the scheduler that the kernel's `schedule` names put domains, memory types and inline positions on its ops. The handle
    to the kernel, and those to ops in it, end; the result is the kernel, whose schedule may be changed further. A definite
    failure where the parameters do not fit: the kernel may be changed by then.

    ```mlir
    %scheduled = transform.fuser.apply %kernel : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let primitives = ["applySchedule"];
}

#endif // FUSER_TRANSFORM_SCHEDULE_OPS
