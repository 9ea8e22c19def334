//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that find the payload of a schedule.

#ifndef FUSER_TRANSFORM_MATCH_OPS
#define FUSER_TRANSFORM_MATCH_OPS

include "fuser/Dialect/TransformOps/TransformOpBase.td"

def FuserTransform_GetKernelOp : FuserTransform_NavigationOp<"get_kernel"> {
  let summary = "the kernel of a name";
  let description = [{
    The `fuser.kernel` called `name` in the module `root`. Segmentation calls the kernels of a fusion `@f` by the names
    `@f_0`, `@f_1`, ... Silenceable where there is none.

    ```mlir
    %kernel = transform.fuser.get_kernel @softmax_0 in %module : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$root, FlatSymbolRefAttr:$name);
  let results = (outs TransformHandleTypeInterface:$kernel);
  let assemblyFormat = "$name `in` $root attr-dict `:` functional-type(operands, results)";
}

def FuserTransform_MatchOp : FuserTransform_NavigationOp<"match"> {
  let summary = "the ops of some names";
  let description = [{
    All ops in `root` whose name is one of `names`, in the order of the program. Silenceable where there is none.
    `transform.split_handle` takes several apart.

    ```mlir
    %sums = transform.fuser.match ["fuser.max", "fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$root, StrArrayAttr:$names);
  let results = (outs TransformHandleTypeInterface:$ops);
  let assemblyFormat = "$names `in` $root attr-dict `:` functional-type(operands, results)";
}

def FuserTransform_GetOutputOp : FuserTransform_NavigationOp<"get_output"> {
  let summary = "the op that defines an output of a kernel";
  let description = [{
    The op that defines output number `output` of each kernel. Silenceable where there is no such output, or where it is an
    argument (which the output overwrites).

    ```mlir
    %y = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, FuserTransform_Position:$output);
  let results = (outs TransformHandleTypeInterface:$op);
  let assemblyFormat = "$kernel `[` $output `]` attr-dict `:` functional-type(operands, results)";
}

class FuserTransform_NeighboursOp<string mnemonic> : FuserTransform_NavigationOp<mnemonic> {
  let arguments = (ins TransformHandleTypeInterface:$target, UnitAttr:$all);
  let results = (outs TransformHandleTypeInterface:$ops);
  let assemblyFormat = "(`all` $all^)? $target attr-dict `:` functional-type(operands, results)";
}

def FuserTransform_GetProducersOp : FuserTransform_NeighboursOp<"get_producers"> {
  let summary = "the ops that some ops read from";
  let description = [{
    The ops with domains that define an operand of an op of `target`, each once, in the order of the program; with `all`,
    also those that these read from, and so on. The result may be empty. (`transform.get_producer_of_operand` is for one operand.)

    ```mlir
    %before = transform.fuser.get_producers all %sums : (!transform.any_op) -> !transform.any_op
    ```
  }];
}

def FuserTransform_GetConsumersOp : FuserTransform_NeighboursOp<"get_consumers"> {
  let summary = "the ops that read from some ops";
  let description = [{
    The ops with domains that read a result of an op of `target`, each once, in the order of the program; with `all`, also
    those that read from these, and so on. The result may be empty. (`transform.get_consumers_of_result` is for one result.)

    ```mlir
    %readers = transform.fuser.get_consumers %x : (!transform.any_op) -> !transform.any_op
    ```
  }];
}

#endif // FUSER_TRANSFORM_MATCH_OPS
