//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that create copies and partial results, and propagate and share loops.

#ifndef FUSER_TRANSFORM_VALUE_OPS
#define FUSER_TRANSFORM_VALUE_OPS

include "fuser/Dialect/TransformOps/TransformOpBase.td"

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

def FuserTransform_CacheLoadOp : FuserTransform_EditOp<"cache_load"> {
  let summary = "a copy of an argument that everybody reads instead";
  let description = [{
    Puts a `fuser.set` of tensor argument number `argument` at the start of each kernel and lets its readers, or those among
    `users`, read that; ops that read at an offset or at an index that is data go on reading the argument, unless they are
    among `users`. Returns an existing copy if there is one. Silenceable if there is no such use.

    ```mlir
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, FuserTransform_Position:$argument,
                       Optional<TransformHandleTypeInterface>:$users);
  let results = (outs TransformHandleTypeInterface:$load);
  let assemblyFormat = "$kernel `[` $argument `]` (`for` $users^)? attr-dict `:` functional-type(operands, results)";
  let primitives = ["cacheLoad"];
}

def FuserTransform_CacheStoreOp : FuserTransform_EditOp<"cache_store"> {
  let summary = "a copy through which an output is stored";
  let description = [{
    Returns output number `output` of each kernel through a new `fuser.set` in global memory, which lies in the output's
    order; what was returned stays in registers. The copy that exists where there is one. Silenceable where the output is an
    argument (which it overwrites).

    ```mlir
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, FuserTransform_Position:$output);
  let results = (outs TransformHandleTypeInterface:$store);
  let assemblyFormat = "$kernel `[` $output `]` attr-dict `:` functional-type(operands, results)";
  let primitives = ["cacheStore"];
}

def FuserTransform_CacheValueOp : FuserTransform_EditOp<"cache_value"> {
  let summary = "a copy after an op that replaces its other uses";
  let description = [{
    Inserts a `fuser.set` after each op of `target`, which replaces all other uses of result number `number`. (What other
    compilers call "cache after".)

    ```mlir
    %tile = transform.fuser.cache_value %x[0] : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, FuserTransform_Position:$number);
  let results = (outs TransformHandleTypeInterface:$copy);
  let assemblyFormat = "$target `[` $number `]` attr-dict `:` functional-type(operands, results)";
  let primitives = ["cacheValue"];
}

def FuserTransform_CacheUseOp : FuserTransform_EditOp<"cache_use"> {
  let summary = "a copy before an op, for one operand";
  let description = [{
    Inserts a `fuser.set` of operand number `operand` before each op of `target`, only for that use. (What other compilers call
    "cache before".)

    ```mlir
    %weight = transform.fuser.cache_use %mul[1] : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, FuserTransform_Position:$operand);
  let results = (outs TransformHandleTypeInterface:$copy);
  let assemblyFormat = "$target `[` $operand `]` attr-dict `:` functional-type(operands, results)";
  let primitives = ["cacheUse"];
}

//===----------------------------------------------------------------------===//
// Other ops for the same values
//===----------------------------------------------------------------------===//

def FuserTransform_SplitBroadcastsOp : FuserTransform_EditOp<"split_broadcasts"> {
  let summary = "gives each use of a broadcast its own";
  let description = [{
    Each op of a kernel that reads a value of size-1 dimensions which a `fuser.broadcast` made gets a broadcast of its own, so
    that each can be scheduled with its consumer. Does nothing where each has one reader.

    ```mlir
    transform.fuser.split_broadcasts %kernel : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel);
  let assemblyFormat = "$kernel attr-dict `:` type($kernel)";
  let primitives = ["splitBroadcasts"];
}

def FuserTransform_RecomputeOp : FuserTransform_EditOp<"recompute"> {
  let summary = "computes a value again for some of its readers";
  let description = [{
    Clones the pointwise ops that compute the only op of `target` from results of `available` (or from arguments) before
    the first of `users`, without schedules, and lets `users` read the clone, which is the result. The users must be after
    the op in its kernel and read its first result. Silenceable where an op on the way is not pointwise.

    ```mlir
    %again = transform.fuser.recompute %e for %div from %x : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, TransformHandleTypeInterface:$users,
                       Optional<TransformHandleTypeInterface>:$available);
  let results = (outs TransformHandleTypeInterface:$clone);
  let assemblyFormat = "$target `for` $users (`from` $available^)? attr-dict `:` functional-type(operands, results)";
  let primitives = ["recomputeFor"];
}

def FuserTransform_RFactorOp : FuserTransform_EditOp<"rfactor"> {
  let summary = "splits a reduction in two";
  let description = [{
    The loop at `position` of each sum, prod, min or max of `target` reduces and was made by a transform. A new op, the result,
    reduces the other reduction loops and keeps this one as its innermost dimension; the old op, whose loops are trivial
    again, then reduces that.

    ```mlir
    %partial = transform.fuser.rfactor %sum at 2 : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$position);
  let results = (outs TransformHandleTypeInterface:$partial);
  let assemblyFormat = "$target `at` $position attr-dict `:` functional-type(operands, results)";
  let primitives = ["rfactor"];
}

def FuserTransform_DecomposeVarianceOp : FuserTransform_RewriteKernelOp<"decompose_variance"> {
  let summary = "rewrites var_mean as two means";
  let description = [{
    Each unscheduled `fuser.var_mean` of f32 or f64 becomes the mean m of x and the mean of (x - m)^2 (with a correction, their sum
    divided by the number of elements less the correction): a second pass over what stays on chip costs less than the
    divisions of Welford's algorithm. The handle to the kernel, and those to ops in it, end; the result is the kernel.

    ```mlir
    %means = transform.fuser.decompose_variance %kernel : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let primitives = ["decomposeVariance"];
}

def FuserTransform_DecomposeMeansOp : FuserTransform_RewriteKernelOp<"decompose_means"> {
  let summary = "rewrites means as sums that are divided";
  let description = [{
    Each unscheduled `fuser.mean` of f32 or f64 becomes a sum and a division, so that the sum can be split into
    partial sums (`transform.fuser.rfactor`). The handle to the kernel, and those to ops in it, end; the result is the kernel.

    ```mlir
    %sums = transform.fuser.decompose_means %kernel : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let primitives = ["decomposeMean", "decomposeMeans"];
}

def FuserTransform_ComposeSoftmaxSumsOp : FuserTransform_RewriteKernelOp<"compose_softmax_sums"> {
  let summary = "rewrites a maximum and a sum of exponentials as one reduction";
  let description = [{
    Each unscheduled pair of max(x) and sum(exp(x - max(x))) of f32 or f64 becomes a `fuser.max_sum_exp`, which reads x once.
    The handle to the kernel, and those to ops in it, end; the result is the kernel.

    ```mlir
    %once = transform.fuser.compose_softmax_sums %kernel : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let primitives = ["composeSoftmaxSums"];
}

//===----------------------------------------------------------------------===//
// Loops of several ops
//===----------------------------------------------------------------------===//

def FuserTransform_PropagateOp : FuserTransform_EditOp<"propagate"> {
  let summary = "gives other ops the loops of one";
  let description = [{
    Replays the loops of the only op of `reference`, transforms and parallel types, on the ops of `targets`, or on all others
    of its kernel: an op lacks the loops of dimensions that it lacks, and a reduction reduces. Outputs keep their order in
    memory. An op with a dimension that the reference lacks, or that it has twice, is refused, and then nothing changes.

    ```mlir
    transform.fuser.propagate %y : !transform.any_op
    transform.fuser.propagate %y to %before : !transform.any_op, !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$reference, Optional<TransformHandleTypeInterface>:$targets);
  let assemblyFormat = "$reference (`to` $targets^)? attr-dict `:` type(operands)";
  let extraClassDeclaration = "bool allowsRepeatedHandleOperands() { return true; }";
  let primitives = ["propagateTransforms"];
}

def FuserTransform_InlineMostOp : FuserTransform_EditOp<"inline_most"> {
  let summary = "shares as many loops as possible";
  let description = [{
    Sets the inline position of every op of the kernel as high as its consumers and the order of loop nests allow. An op of
    the handle `limited[i]` shares at most `positions[i]` loops: loads that stop before their unrolled loop are all under way
    before the first is used.

    ```mlir
    transform.fuser.inline_most %kernel : !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [1] : !transform.any_op, !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel, Variadic<TransformHandleTypeInterface>:$limited,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$positions);
  let assemblyFormat = "$kernel (`limit` $limited^ `to` $positions)? attr-dict `:` type(operands)";
  let hasVerifier = 1;
  let primitives = ["inlineMost"];
}

def FuserTransform_InlineUpToOp : FuserTransform_EditOp<"inline_up_to"> {
  let summary = "shares as many loops as possible, up to a position";
  let description = [{
    As `inline_most`, but the ops of `target` share at most `position` loops, and all others at most as many as they do now.

    ```mlir
    transform.fuser.inline_up_to %x at 1 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, FuserTransform_Position:$position);
  let assemblyFormat = "$target `at` $position attr-dict `:` type($target)";
  let primitives = ["inlineUpTo"];
}

#endif // FUSER_TRANSFORM_VALUE_OPS
