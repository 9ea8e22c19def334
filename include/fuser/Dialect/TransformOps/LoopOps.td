//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The domain primitives: each changes every op of its target, or none.

#ifndef FUSER_TRANSFORM_LOOP_OPS
#define FUSER_TRANSFORM_LOOP_OPS

include "fuser/Dialect/TransformOps/TransformOpBase.td"

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def FuserTransform_SplitOp : FuserTransform_EachOp<"split", "splitLoop"> {
  let summary = "splits a loop in two";
  let description = [{
    The loop at `position` (0 is the outermost) becomes two in its place: the inner one has `factor` iterations, or with
    `outer` the outer one. The loop must be serial, the factor at least 1.

    ```mlir
    transform.fuser.split %y at 1 by 4 : !transform.any_op
    transform.fuser.split %y at 0 by outer 2 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$position, I64Attr:$factor, UnitAttr:$outer);
  let assemblyFormat = "$target `at` $position `by` (`outer` $outer^)? $factor attr-dict `:` type($target)";
}

def FuserTransform_MergeOp : FuserTransform_EachOp<"merge", "mergeLoops"> {
  let summary = "merges two loops";
  let description = [{
    The loops at `outer` and `inner` become one at the place of `outer`, whose index is outer * extent(inner) + inner. Both
    must be serial, and both reductions or both not.

    ```mlir
    transform.fuser.merge %y at 0, 1 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$outer, I64Attr:$inner);
  let assemblyFormat = "$target `at` $outer `,` $inner attr-dict `:` type($target)";
}

def FuserTransform_ReorderOp : FuserTransform_EachOp<"reorder", "reorderLoops"> {
  let summary = "puts loops in another order";
  let description = [{
    `order[i]` is the present position of the loop that comes to position i. All loops are in it, each once; a vectorized
    one stays innermost.

    ```mlir
    transform.fuser.reorder %y to [1, 0, 2] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, DenseI64ArrayAttr:$order);
  let assemblyFormat = "$target `to` $order attr-dict `:` type($target)";
}

def FuserTransform_SwizzleOp : FuserTransform_EachOp<"swizzle", "swizzleLoops"> {
  let summary = "permutes one loop by another";
  let description = [{
    The index of the loop at `inner` becomes inner xor (outer / period mod extent(inner)). Both keep their places and must be
    serial, both reductions or both not, and neither a broadcast; the extent of `inner` is a constant power of two. Only a constant that
    is none is refused here: a later fact may state the extent.

    ```mlir
    transform.fuser.swizzle %y at 0, 1 period 4 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$outer, I64Attr:$inner, I64Attr:$period);
  let assemblyFormat = "$target `at` $outer `,` $inner `period` $period attr-dict `:` type($target)";
}

def FuserTransform_ResizeOp : FuserTransform_EachOp<"resize", "resizeLoop"> {
  let summary = "widens a loop";
  let description = [{
    The loop at `position` gets `before` more iterations at its start and `after` at its end: what its consumers read at offsets is
    then computed for all of them. The loop must be serial, and neither number negative.

    ```mlir
    transform.fuser.resize %x at 0 before 1 after 2 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$position, I64Attr:$before, I64Attr:$after);
  let assemblyFormat = "$target `at` $position `before` $before `after` $after attr-dict `:` type($target)";
}

def FuserTransform_ParallelizeOp : FuserTransform_EachOp<"parallelize", "parallelizeLoop"> {
  let summary = "says what runs the iterations of a loop";
  let description = [{
    Binds the loop at `position` to a parallel type: `serial`, `unroll`, `unswitch`, `vectorize` (the innermost loop),
    `block_x` ... `block_z`, `thread_x` ... `thread_z`, `mma` (the innermost loops over rows,
    columns and the sum of a product), `cluster_x`; and those of distributed programs and streams (`device_x`, `stream`), which
    lowering to a kernel refuses. An op has each block, thread, cluster and vector type once. A constant extent has to be one
    that the type can have: 1, 2, 4, 8 or 16 of a vector, at most 1024 of threads (`thread_z`: 64), at most 8 of a cluster, at
    most 4096 of an unrolled loop.

    ```mlir
    transform.fuser.parallelize %y at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 2 as vectorize : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$position, Fuser_ParallelType:$parallel);
  let assemblyFormat = "$target `at` $position `as` custom<ParallelType>($parallel) attr-dict `:` type($target)";
}

//===----------------------------------------------------------------------===//
// Where values live
//===----------------------------------------------------------------------===//

def FuserTransform_SetMemoryOp : FuserTransform_EachOp<"set_memory", "setMemory"> {
  let summary = "says where a value lives";
  let description = [{
    Keeps the results in `register`, `shared` or `global` memory. Results that a kernel returns must be in global memory, and copies with
    stages (`pipeline`) in shared memory.

    ```mlir
    transform.fuser.set_memory %tile to shared : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, Fuser_MemoryType:$memory);
  let assemblyFormat = "$target `to` custom<MemoryType>($memory) attr-dict `:` type($target)";
}

def FuserTransform_PipelineOp : FuserTransform_EachOp<"pipeline", "pipelineCopy"> {
  let summary = "copies iterations before a loop reads";
  let description = [{
    Makes each copy in shared memory a circular buffer of `stages` stages: while an iteration of the serial loop that the copy
    is inlined to computes, the copies for the next `stages - 1` iterations are under way. With one stage, the copies are
    begun where the copy stands, in any loop, and waited for where the first of them is read; with 0, they are loads and stores
    as before. The copy is a
    `fuser.set` of an argument that the kernel does not write, and each thread copies 4, 8 or 16 bytes at once. `by bulk`, with at least 2 stages: one thread copies
    the pieces of a tile that are contiguous in both memories, such as whole rows, or a box of a strided argument, on targets that
    have such copies. Other tiles are copied by all threads, with a remark that gives the reason. `role producer`: a warp that does
    nothing else begins these copies and waits for the others to have read a stage, instead of one of their threads. `registers`: how many
    a thread of the producer has, and how many one of the others, in place of the equal share of all threads (multiples of 8 from 24 to 256). The
    producer is then a warp group, as are each four warps of the others; a remark has the reason if they are not, or if the target cannot do it.

    ```mlir
    transform.fuser.pipeline %tile stages 4 : !transform.any_op
    transform.fuser.pipeline %strip stages 1 : !transform.any_op
    transform.fuser.pipeline %rows stages 4 by bulk : !transform.any_op
    transform.fuser.pipeline %rows stages 4 by bulk role producer : !transform.any_op
    transform.fuser.pipeline %rows stages 4 by bulk role producer registers [40, 232] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$stages, UnitAttr:$bulk,
                       UnitAttr:$producer, OptionalAttr<DenseI64ArrayAttr>:$registers);
  let assemblyFormat = [{
    $target `stages` $stages (`by` `bulk` $bulk^)? (`role` `producer` $producer^)? (`registers` $registers^)?
    attr-dict `:` type($target)
  }];
}

def FuserTransform_StoreByBulkOp : FuserTransform_EachOp<"store_by_bulk", "storeByBulk"> {
  let summary = "stores an output by bulk copies";
  let description = [{
    Asks that one thread copies the boxes of a tile from shared memory to an output of the kernel, by a tensor map, on targets that
    have such copies. The op is a `fuser.set` to the output (`transform.fuser.cache_store`) of a value in shared memory that the kernel
    computes, whose rows may be swizzled. Other tiles are stored by all threads, with a remark that gives the reason.

    ```mlir
    transform.fuser.store_by_bulk %y : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def FuserTransform_OrderAllocationOp : FuserTransform_EachOp<"order_allocation", "orderAllocation"> {
  let summary = "says in which order the dimensions of a value lie";
  let description = [{
    The results lie densely with the dimensions in this order, slowest first: a permutation of them. An output of a kernel that a
    program launches keeps its order.

    ```mlir
    transform.fuser.order_allocation %tile to [1, 0] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, DenseI64ArrayAttr:$order);
  let assemblyFormat = "$target `to` $order attr-dict `:` type($target)";
}

def FuserTransform_AllocateLoopsOp : FuserTransform_EachOp<"allocate_loops", "allocateLoops"> {
  let summary = "lets a value lie as its loops are now";
  let description = [{
    The results lie as the loops at `positions`, slowest first, are made of dimensions now: all loops but reductions, each
    once. Later transforms of loops do not change it.

    ```mlir
    transform.fuser.allocate_loops %tile to [0, 2, 1, 3] : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, DenseI64ArrayAttr:$positions);
  let assemblyFormat = "$target `to` $positions attr-dict `:` type($target)";
}

def FuserTransform_SwizzleAllocationOp : FuserTransform_EachOp<"swizzle_allocation", "swizzleAllocation"> {
  let summary = "permutes where elements lie";
  let description = [{
    As `swizzle`, of two positions of the allocation: the loops stay, and elements move. So the columns of a tile in shared
    memory come to lie in different banks.

    ```mlir
    transform.fuser.swizzle_allocation %tile at 2, 3 period 1 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$outer, I64Attr:$inner, I64Attr:$period);
  let assemblyFormat = "$target `at` $outer `,` $inner `period` $period attr-dict `:` type($target)";
}

//===----------------------------------------------------------------------===//
// Inline positions
//===----------------------------------------------------------------------===//

def FuserTransform_InlineAtOp : FuserTransform_EachOp<"inline_at", "inlineAt"> {
  let summary = "shares loops with consumers";
  let description = [{
    The value shares its first `position` loops with its consumers; none of them may reduce. Whether the loops correspond is
    checked when the kernel is lowered; `inline_most` finds positions that do.

    ```mlir
    transform.fuser.inline_at %x at 2 : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$position);
  let assemblyFormat = "$target `at` $position attr-dict `:` type($target)";
}

#endif // FUSER_TRANSFORM_LOOP_OPS
