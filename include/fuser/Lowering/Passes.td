//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LOWERING_PASSES
#define FUSER_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def FuserResolveIds : Pass<"fuser-resolve-ids", "::fuser::KernelOp"> {
  let summary = "Decide which loops ops share and what their dimensions of size 1 stand for";
  let description = [{
    Writes `fuser_gpu.ids` (#fuser_gpu.resolved_ids) on every op of a scheduled kernel: the first `inline_at` loops of
    a producer are those of its consumers, and a broadcast takes the extent of what it shares a loop with. What
    contradicts that is a diagnostic at the op (ADR 48).

    `fuser-lower-kernels` reads the attribute, and computes the same on a kernel without it.

    Example: test/Lowering/resolve-ids.mlir
  }];
  let dependentDialects = ["::fuser::kernel_ir::FuserGPUDialect"];
}

def FuserVerifySchedules : Pass<"fuser-verify-schedules", "::mlir::ModuleOp"> {
  let summary = "Verify that every scheduled kernel can be lowered";
  let description = [{
    Emits the diagnostics of `fuser-lower-kernels` for all kernels of the module, not for the first one alone, and
    changes nothing: the walk over the loops that lowering does is done without writing code. For schedules that are
    written by hand or by a script, and for schedulers under development.

    Example: test/Lowering/verify-schedules.mlir
  }];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "227 * 1024",
           "the shared memory that a block of the target can have, in bytes">,
    Option<"maxClusterBlocks", "max-cluster-blocks", "int64_t", "8",
           "the blocks that a cluster of the target can have; 1: it has no clusters">,
  ];
}

// The stages of a kernel between its schedule and kernel IR. Each pass adds one decision to the text of fuser_loop.kernel
// and does nothing to a kernel that is not in the stage before.

def FuserBuildLoops : Pass<"fuser-build-loops", "::mlir::ModuleOp"> {
  let summary = "Replace the schedules of kernels by loops, buffers and accesses";
  let description = [{
    Replaces each `fuser.kernel` that the loop dialect can express (elementwise ops, reductions, scans) by
    a `fuser_loop.kernel` of the same name in stage `loops`: one tile for each op, one buffer for each value at the scope
    of its inline position, the index of each access, and what must hold for an element to exist. Its text has no
    domains.

    A `fuser.border` becomes loops over the elements outside of its boxes, which the threads of the grid run in turn, as
    vectors of the widest power of two that divides offsets, sizes, strides and address
    (test/Lowering/BuildLoops/borders.mlir).

    Emits the diagnostics of `fuser-verify-schedules`.

    Example: test/Lowering/BuildLoops/build-loops.mlir
  }];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "227 * 1024",
           "the shared memory that a block of the target can have, in bytes">,
    Option<"maxClusterBlocks", "max-cluster-blocks", "int64_t", "8",
           "the blocks that a cluster of the target can have; 1: it has no clusters">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::fuser::loop::FuserLoopDialect"];
}

def FuserPlanLaunch : Pass<"fuser-plan-launch", "::fuser::loop::KernelOp"> {
  let summary = "Decide the threads of a block and the blocks of the grid";
  let description = [{
    Threads are the maxima of all loops on their types, blocks the extent that is provably the largest, and at least one
    where an element is stored outside of the loop over them. A tile that stores to memory outside of every loop of a
    type that has more than one index gets `once`: index 0 alone stores. A tile that reads an argument that the kernel
    writes gets `once` and the equations that are conditions of all stores of what is computed from it: others would read
    what these have overwritten.

    Example: test/Lowering/PlanLaunch/plan-launch.mlir
  }];
}

def FuserPlanReductions : Pass<"fuser-plan-reductions", "::fuser::loop::KernelOp"> {
  let summary = "Decide how threads and blocks combine what each has accumulated";
  let description = [{
    Replaces each `combine`. Threads along thread_x combine by shuffles if they are a power of two below a warp, or whole
    warps: then the first thread of each warp stores its tuple to a slot in shared memory, and every warp combines the
    slots of its row, and of other rows that it is to combine with, if these are at most 32. Along other thread types, and along thread_x of another size, each thread stores to a slot and
    combines the slots of its group in one order. A type with one thread needs nothing.

    Replaces each `scan`. Threads along thread_x of such a number scan by shuffles, and warps by slots as above; others read
    the slots of all in order. Blocks publish their tuples in a workspace, and wait for those of the blocks before them. They
    are numbered in the order in which they begin, and form groups of 256: a block combines the tuple of all groups before
    its own, which the last block of the preceding group publishes, with those of its group. A chain has no loop around it.

    Up to four combinations that do not depend on each other, and are done by shuffles and slots of warps, are done together:
    one barrier orders the slots of all (test/Lowering/PlanReductions/together.mlir).

    Blocks write their tuples to a workspace, which has a place for each iteration of the loops around. The last block to
    arrive (`last_block`) merges them in the order of the blocks, and what is stored once is stored by it. All blocks merge
    them, after a barrier of the grid, if a tile that reads the result is in a loop over those blocks, outside of a loop
    in which the reduction is finished, or reads the results of several such reductions. Combinations over the same blocks
    that do not depend on each other have one last block, so that a tile may read the results of all of them
    (test/Lowering/Schedules/one-last-block.mlir), unless all blocks need one of them. Threads with the same tuple share
    the work. It fails if the extent of a loop around is not over arguments of the kernel.

    In a serial loop in which threads combine, what an iteration loads from arguments that the kernel does not write is read
    in the iteration before, if a thread has at most 96 bytes of it (ADR 93).

    Reads of a row in registers after a reduction over threads that it feeds get `keep`, if its elements are short, a
    thread has at least 64 bytes of them, and the block at least 512 threads.

    Example: test/Lowering/PlanReductions/plan-reductions.mlir, test/Lowering/PlanReductions/blocks.mlir
  }];
}

def FuserPipelineLoops : Pass<"fuser-pipeline-loops", "::fuser::loop::KernelOp"> {
  let summary = "Decide which copies of a loop are under way while it computes";
  let description = [{
    A buffer with `stages N` in a serial loop becomes a circular buffer before the loop. The copies of the first N - 1
    iterations are begun before the loop, each a group of its own. An iteration waits for its copies, begins those of the
    iteration N - 1 later, to the stage that was read before, and reads its own stage. Copies of iterations that do not exist
    are guarded, and their groups are empty, so that the last iterations wait as the others do. The buffers of one loop have
    one number of stages, and copy from arguments that the kernel does not write, at indices of loops.

    A buffer with `stages 1` stays where it is: its copies are a group that ends with the loops that copy, and all threads
    wait for it before the first op of the same block that reads it.

    Products of warp groups (loops on @mma of more than 8 columns) that read such buffers may be under way while the next
    iteration begins, if there are at least 3 stages and nothing else in the loop uses their accumulators: copies are then begun
    N - 2 iterations before, to the stage whose products the iteration has waited for.

    A tile of a buffer `by bulk` is copied in pieces that are contiguous in both memories, each by one thread. Its threads wait
    for a phase of a barrier in shared memory, whose number is that of the iteration, over all loops, divided by N. Facts
    have to say that addresses and sizes are multiples of 16 bytes; a piece may end before its last element. Where that does
    not hold, all threads copy, with a remark.

    With `role producer`, a warp of its own begins the copies, or a warp group whose threads, and all others, have the `registers`
    that the buffer asks for; a remark has the reason where this is not possible.

    A tile with the step `store` is copied from shared memory to an output in boxes, by one thread; or by all threads, with a remark.

    Example: test/Lowering/PipelineLoops/pipeline-loops.mlir, test/Lowering/PipelineLoops/bulk-copies.mlir
  }];
  let options = [
    Option<"bulkCopies", "bulk-copies", "bool", "true",
           "the target has copies of long pieces that one thread begins (sm_90 or later)">,
    Option<"warpGroups", "warp-groups", "bool", "true",
           "warp groups of the target can have different numbers of registers (sm_90a)">,
  ];
}

def FuserPlaceBuffers : Pass<"fuser-place-buffers", "::fuser::loop::KernelOp"> {
  let summary = "Decide where buffers are in shared memory";
  let description = [{
    Buffers of more than 512 bytes that are not in use at the same time share memory. A buffer is in use from its first to
    its last access, and through all iterations of a loop that only some of its accesses are in. More shared memory than
    a block can have is a diagnostic with the size of each buffer. A circular buffer shares its place with no other.
    A kernel without any may come from stage `reduced`.

    Example: test/Lowering/PlaceBuffers/place-buffers.mlir
  }];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "227 * 1024",
           "the shared memory that a block of the target can have, in bytes">,
  ];
}

def FuserInsertBarriers : Pass<"fuser-insert-barriers", "::fuser::loop::KernelOp"> {
  let summary = "Decide where the threads of a block, or all blocks, wait for each other";
  let description = [{
    A barrier separates accesses to buffers in shared memory that have bytes in common, one of which is a write, unless
    both are writes to the same buffer, and a read of global memory from the write before it. The read waits for all
    blocks if the launch has several along a type that it does not follow, which makes the launch cooperative, else for
    its block if the same holds for threads. A barrier is outside of the loops of the later access, and at the end of a serial loop if an iteration needs
    one before the next. A wait for copies to circular buffers is the write of a stage for the reads after it, and the end
    of the reads before it for the next copy: one barrier after the wait orders both. A thread that reads what it has copied
    itself needs none. A loop that may have no iteration separates nothing. In loops that are written out, a barrier is
    in the copies that need it. An index that is data and the tile that it serves wait together, before the index.

    Example: test/Lowering/InsertBarriers/insert-barriers.mlir, test/Lowering/InsertBarriers/global-memory.mlir,
    test/Lowering/InsertBarriers/data.mlir
  }];
}

def FuserVectorizeAccesses : Pass<"fuser-vectorize-accesses", "::fuser::loop::KernelOp"> {
  let summary = "Decide the offset of each access and how many elements it moves at once";
  let description = [{
    Replaces the indices of each access by one offset: row-major in registers and shared memory, by the strides of the
    binding in global memory. Dimensions that are merged in the loops and contiguous in memory need no division. In a @vectorize loop, an
    access gets the largest chunk of lanes that are one element or consecutive, under one guard, aligned as the pointer
    and the strides are known to be; a store has all lanes or is done one by one. A vector of which only some lanes may
    exist is computed for all of them; its reads and stores of memory are guarded in chunks that exist or do not. If only
    the guard keeps them from being vectors, they are in a branch of two versions: for a vector all of whose lanes exist, and for its lanes one by one.
    Elements that are combined in memory are vectors of up to 16 bytes if they are sums of f32 and the target has such atomics.

    Loops on @mma become matrix instructions: 16 x 8 x 16 or 16 x 8 x 8 elements that of a warp, 16 x N x 16 that of a warp group,
    whose 4 warps are next to each other along thread_y. In a kernel with such loops, stores of 16-bit results to shared memory become stores
    of matrices, if a lane has 2 elements of each row of 8: the unrolled loops around them then have the loop of the stores after them.

    Example: test/Lowering/VectorizeAccesses/vectorize-accesses.mlir, test/Lowering/VectorizeAccesses/partial-vectors.mlir,
    test/Lowering/VectorizeAccesses/warp-groups.mlir, test/Lowering/VectorizeAccesses/matrix-stores.mlir
  }];
  let options = [
    Option<"matrixStores", "matrix-stores", "bool", "true",
           "the target has stores of matrices to shared memory (sm_90 or later)">,
    Option<"vectorAtomics", "vector-atomics", "bool", "true",
           "the target adds vectors of f32 to global memory (sm_90 or later)">,
    Option<"warpGroups", "warp-groups", "bool", "true",
           "the target has products of matrices by warp groups (sm_90a)">,
  ];
}

def FuserPlaceGuards : Pass<"fuser-place-guards", "::fuser::loop::KernelOp"> {
  let summary = "Decide which branches skip elements that do not exist";
  let description = [{
    Drops what extents, the launch and assumptions prove, adds what a loop with fewer indices than the launch requires,
    and moves the rest from tiles to branches: items in a row with one guard share a branch, which is placed around
    loops that do not change it. Tiles that only use registers run unguarded, but take the guard that all of their
    readers have: they are in one branch with these, and do not end it.

    A loop marked `unswitch` becomes the two versions of a branch. In the first one, no guard can fail: the branch checks
    each guard at the largest index of the loops within (of one that may be below 0, also at the smallest), as an
    expression over the indices around. Guards of data and equalities stay guards. The second version has all guards; it
    is omitted if none of its tiles would run. The loop stays one loop if nothing has to be checked, or if threads execute something in it together.

    Example: test/Lowering/PlaceGuards/unswitch.mlir
    Example: test/Lowering/PlaceGuards/place-guards.mlir
  }];
}

def FuserExpandLoops : Pass<"fuser-expand-loops", "::mlir::ModuleOp"> {
  let summary = "Replace kernels in the last stage by kernel IR";
  let description = [{
    Replaces each `fuser_loop.kernel` in stage `guarded` by a `gpu.module` of the same name, and redirects its launches.
    It makes no decision: loops become hardware indices, `scf.for` or copies, expressions become `arith`, elements are
    built by the interfaces of the ops. A register buffer becomes SSA values if all offsets are constants in the copies of
    one scope.

    A selection that the scalar form of an op marks as rare becomes a branch with what only its true value needs
    (test/Lowering/rare-functions.mlir). One of two elements of one argument becomes a load at a selected index
    (test/Lowering/Programs/selected-loads.mlir). Loads are before the first division or square root of their branch
    (test/Lowering/ExpandLoops/early-loads.mlir), and those of several branches in a row, each of which waits for them to
    store, are before the first of these (test/Lowering/ExpandLoops/loads-of-guarded-parts.mlir). In kernels without loops and
    exchanges between threads, guards that ranges decide disappear, what all guards have in common is one branch, and
    loads of what a thread has loaded before are shared. A constant outside of the guard of a vector is the other result of
    the branch that loads it (test/Lowering/ExpandLoops/guarded-loads.mlir, docs/adr/0185-loads-under-guards.md). Threads far from
    the borders of tensors execute a version without guards and selections (test/Lowering/Programs/interior-version.mlir,
    docs/adr/0187-interiors-and-shared-addresses.md). Sums with a product by a
    power of two, which is not rounded, are multiply-adds in kernels that instructions limit
    (test/Lowering/scaled-sums.mlir).

    The registers of a cooperative launch are limited (`min_blocks_per_sm`) so that all of its blocks are resident, if
    their number is a constant.

    Example: test/Lowering/ExpandLoops/expand-loops.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
                           "::fuser::kernel_ir::FuserGPUDialect"];
  let options = [
    Option<"approximateMath", "approximate-math", "bool", "false",
           "compute f32 functions and divisions by the GPU's approximations (docs/approximate-math.md): changes results">,
    Option<"multiprocessors", "multiprocessors", "int64_t", "0",
           "multiprocessors of the target, to which the blocks of a cooperative launch are promised; 0: unknown">,
  ];
}

def FuserLowerKernels : Pass<"fuser-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower scheduled kernels to kernel IR: loops, indices, predicates, memory, barriers";
  let description = [{
    Replaces each `fuser.kernel` by a `gpu.module` of the same name with one `gpu.func` that computes what the domains,
    memory types and inline positions on its ops say (docs/lowering.md), whatever put them there. Launches in
    `fuser.host` are redirected. What a schedule relies on and the kernel's facts do not prove (a vector width that
    does not divide, a register value without a bound, loops that cannot be shared) is a diagnostic at the op.

    A kernel passes through the stages of `fuser_loop.kernel`; one that is in a stage continues there.

    Kernels are lowered in the threads of the context, if it has any; the result and the order of diagnostics do not depend
    on them. If some kernel is refused, the others are checked as well.

    Does nothing to a module without kernels.

    Example: test/Lowering/pointwise.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
                           "::fuser::kernel_ir::FuserGPUDialect", "::fuser::loop::FuserLoopDialect"];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "227 * 1024",
           "the shared memory that a block of the target can have, in bytes">,
    Option<"maxClusterBlocks", "max-cluster-blocks", "int64_t", "8",
           "the blocks that a cluster of the target can have; 1: it has no clusters">,
    Option<"approximateMath", "approximate-math", "bool", "false",
           "compute f32 functions and divisions by the GPU's approximations (docs/approximate-math.md): changes results">,
    Option<"bulkCopies", "bulk-copies", "bool", "true",
           "the target has copies of long pieces that one thread begins (sm_90 or later)">,
    Option<"matrixStores", "matrix-stores", "bool", "true",
           "the target has stores of matrices to shared memory (sm_90 or later)">,
    Option<"vectorAtomics", "vector-atomics", "bool", "true",
           "the target adds vectors of f32 to global memory (sm_90 or later)">,
    Option<"warpGroups", "warp-groups", "bool", "true",
           "the target has products of matrices by warp groups (sm_90a)">,
    Option<"multiprocessors", "multiprocessors", "int64_t", "0",
           "multiprocessors of the target, to which the blocks of a cooperative launch are promised; 0: unknown">,
  ];
  let statistics = [Statistic<"numKernels", "kernels", "Number of kernels lowered">];
}

def FuserMergeLaunches : Pass<"fuser-merge-launches", "::mlir::ModuleOp"> {
  let summary = "Merge launches of one batch into one launch, whose grid consists of theirs";
  let description = [{
    Launches of a `fuser.host` with the same `fuser_sched.batch` (`fuser-segment-fusions`) become one: a kernel whose
    blocks are those of all of them, one after the other. A block finds its part by bisection of the numbers of first
    blocks, and executes the code of the part with the arguments of the part (`fuser_gpu.part_argument`). Code that
    several parts have is in the kernel once, whatever their sizes. Ops of the host function are reordered where
    launches of a batch are not adjacent.

    A batch is a hint. Launches stay as they are if they depend on each other, have blocks of different numbers of
    threads or different index widths, or need the whole grid: cooperative launches, clusters.

    Example: test/Lowering/merge-launches.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::fuser::kernel_ir::FuserGPUDialect"];
  let statistics = [
    Statistic<"numBatches", "batches", "Number of launches that consist of several">,
    Statistic<"numLaunches", "launches", "Number of launches that they replace">,
  ];
}

def FuserAssignStreams : Pass<"fuser-assign-streams", "::mlir::ModuleOp"> {
  let summary = "Put launches on streams, ordered by events where their boxes overlap";
  let description = [{
    Launches of a `fuser.host` with a `fuser_sched.stream` (`fuser-segment-fusions`) run on the stream of this number:
    `fuser.stream` selects it, and `fuser.record` and `fuser.wait` order ops of different streams of which one writes an
    element that the other accesses (docs/adr/0091-launches-overlap-on-streams.md). An op waits for an event only if what
    its stream waited for before does not imply the order. Each stream begins after the start of the call, and the stream
    of the call waits for the ends of the others. Buffers are allocated before all launches and freed after them.

    ```mlir
    %2 = fuser.launch @f ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser_sched.stream = 1} -> tensor<8xf32>
    // becomes
    fuser.record 0
    fuser.stream 1
    fuser.wait 0
    %2 = fuser.launch @f ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    fuser.record 1
    fuser.stream 0
    fuser.wait 1
    ```

    The number is a hint: launches without one are on stream 0, and no choice of numbers changes a result. Does nothing to
    host functions with loops over streams, or if all launches are on stream 0.

    Example: test/Lowering/assign-streams.mlir
  }];
  let dependentDialects = ["::fuser::FuserDialect"];
  let statistics = [
    Statistic<"numStreams", "streams", "Number of streams of functions that use several">,
    Statistic<"numEvents", "events", "Number of events">,
  ];
}

def FuserChainLaunches : Pass<"fuser-chain-launches", "::mlir::ModuleOp"> {
  let summary = "Let launches begin before the launches before them have ended";
  let description = [{
    A launch of a `fuser.host` with `fuser.dependent` directly after another one in the same stream may begin while that one
    runs, so that the latency of a launch and the prologue of its kernel are hidden
    (docs/adr/0115-launches-depend-on-launches.md). Its kernel gets a `fuser_gpu.wait_dependencies` before the first access
    to memory that a launch of the program writes, or that it writes itself. With `fuser.dependent = "early"`, the other
    kernel gets a `fuser_gpu.launch_dependents` as its first op, else its blocks let the launch begin as they end. Barriers, indices and loads of arguments that no launch writes may precede
    the wait. A branch around all that threads do is split at the wait: what it loads before is in a branch of its own.
    Arguments that a launch writes lose `fuser_gpu.readonly`: they change while the kernel runs.

    The attribute is removed, with a remark, from the first launch, launches after other work (copies, library routines,
    events, loops), launches in loops, cooperative launches and those after them, and all launches if the target has no
    dependent launches. Ops that a kernel has already stay where they are.

    ```mlir
    %3 = fuser.launch @sum_1::@sum_1 ins(%1 : tensor<132xf32>) outs(%2 : tensor<f32>) {fuser.dependent} -> tensor<f32>
    ```

    Example: test/Lowering/chain-launches.mlir
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::fuser::kernel_ir::FuserGPUDialect"];
  let options = [
    Option<"all", "all", "bool", "false", "every launch that can be dependent, not only those with the attribute">,
    Option<"supported", "supported", "bool", "true", "the target has dependent launches (sm_90 or later)">,
  ];
  let statistics = [Statistic<"numDependent", "dependent", "Number of dependent launches">];
}

#endif // FUSER_LOWERING_PASSES
