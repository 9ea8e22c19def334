//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels, loops, branches, buffers and tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_LOOP_LOOPOPS_TD
#define FUSER_DIALECT_LOOP_LOOPOPS_TD

include "fuser/Dialect/Loop/LoopBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

def FuserLoop_KernelOp : FuserLoop_Op<"kernel", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "what one launch computes, as loops";
  let description = [{
    The arguments are the tensors and scalars of the `fuser.kernel`, inputs first, then outputs, and after them the sizes,
    indices and strides that expressions use. `from` states what the host packs into each. The index arguments, in order, are the
    symbols of `assume`, `strides` and `grid`.

    - `stage`: which decisions the body states.
    - `index_bits`: the width of an index, 32 or 64.
    - `assume`: what holds for sizes and scalars at every launch: facts of the `fuser.kernel` and what follows from its
      ops. Sizes are at least 0 in any case.
    - `threads`: threads of a block in x, y and z; `grid`: blocks. `cluster`: so many blocks, adjacent in x, are a
      cluster; `grid` then counts clusters in x. From stage `launched` on.
    - `facts` (in the attribute dictionary): the facts of the `fuser.kernel`, which become guards of the artifact.

    ```mlir
    fuser_loop.kernel @k(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias,
                         %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias,
                         %n: index from #fuser_gpu.size<0, 0>)
        stage loops index_bits 32 assume (symbol(%n) mod 4 == 0) {
      ...
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ArrayAttr:$bindings, FuserLoop_StageAttr:$stage, I64Attr:$index_bits,
                       FuserLoop_ConstraintsAttr:$assumptions, OptionalAttr<DenseI64ArrayAttr>:$threads,
                       OptionalAttr<AffineMapAttr>:$grid, OptionalAttr<ArrayAttr>:$facts,
                       OptionalAttr<I64Attr>:$cluster);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The number of blocks of a cluster; 1 without clusters.
    int64_t getClusterBlocks() { return getCluster().value_or(1); }
    BindingAttr getBinding(unsigned argument) { return ::llvm::cast<BindingAttr>(getBindings()[argument]); }
    /// The index arguments: the symbols of expressions of the kernel itself.
    ::llvm::SmallVector<::mlir::Value> getSymbols();
    /// True if an index has one value in all threads of a block or, for `inWarp`, of each warp.
    bool isUniform(::mlir::Value index, bool inWarp);
    /// True if the launch has more than one index of a block or thread type. From stage launched on.
    bool isSplit(::fuser::ParallelType type);
    /// True if a read of global memory may be of what another thread of the block has written.
    bool readsOtherThreads(AccessAttr read);
    /// The same for what another block has written.
    bool readsOtherBlocks(AccessAttr read);
    /// True if an op reads in a circular buffer what another thread has copied.
    bool sharesCopies(::mlir::Value buffer);
    /// True if other threads of the block may have written what a thread publishes.
    bool publishesForOthers(PublishOp publish);
  }];
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def FuserLoop_ForOp : FuserLoop_Op<"for", [
    RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "a loop, or what all threads or blocks run at once";
  let description = [{
    Runs the body for the indices from 0 to an extent. `parallel` is what runs them:

    - `serial`: one after the other;
    - `unroll`: one after the other, written out up to the extent, or up to `bound` if it is not a constant;
    - `vectorize`: the ops of the body each process all indices at once; the extent is 1, 2, 4, 8 or 16;
    - `mma`: all indices at once, by one instruction of a warp, or of a warp group, together with the `mma` loops directly around
      and inside. The extent is a constant. Up to stage `synchronized`: an instruction then takes the loops' place;
    - `block_*`, `thread_*`: each block or thread runs its own index. An index of the launch that is not less than the
      extent runs nothing;
    - `cluster_x`: each block of a cluster runs its own index. The extent is a constant.

    `unswitch` asks for two versions of a serial or unrolled loop, one of which has no guards
    (`fuser-place-guards`). Up to stage `accessed`.

    A serial loop outside of all others may be run `in_turn`: each iteration by one thread, the next one by the next
    thread of the grid, and so on. Nothing in it is done by several threads together.

    ```mlir
    fuser_loop.for %i to (symbol(%n) * 2) in_turn {
    }
    fuser_loop.for %b to (symbol(%n) ceildiv 128) on block_x {
      fuser_loop.for %t to (128) on thread_x {
        fuser_loop.for %u to (symbol(%m)) on unroll bound 4 unswitch {
        }
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, AffineMapAttr:$extent, FuserLoop_ParallelTypeAttr:$parallel,
                       OptionalAttr<I64Attr>:$bound, UnitAttr:$unswitch, UnitAttr:$in_turn);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$indices, "::mlir::AffineMap":$extent,
                                 "::fuser::ParallelType":$type, "std::optional<int64_t>":$bound)>];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::fuser::ParallelType getType() { return getParallel().getValue(); }
    ::mlir::BlockArgument getInductionVar() { return getBody().getArgument(0); }
    ::mlir::AffineExpr getExtentExpr() { return getExtent().getResult(0); }
    /// The extent, if it is a constant of the text.
    std::optional<int64_t> getConstantExtent();
    /// The number of indices that buffers and code have to provide for: a constant extent, or the bound.
    std::optional<int64_t> getStaticBound();
    /// True unless the loop becomes a loop of kernel IR.
    bool isWrittenOut();
  }];
}

def FuserLoop_IfOp : FuserLoop_Op<"if", [
    RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "runs its body where constraints hold";
  let description = [{
    Runs the body where all constraints hold, and on index 0 of each type in `once`. Elsewhere, what follows `else` runs,
    if there is any: the other version of a loop. From stage `guarded` on. What threads
    execute together stands in branches only whose constraints agree in all of them: shuffles in those of block indices and,
    where rows of threads are whole warps, of thread_y and thread_z.

    ```mlir
    fuser_loop.if (128 * %b + %t < symbol(%n)) once [thread_y] {
    }
    fuser_loop.if (512 * %b + %t + 384 < symbol(%n)) {
    } else {
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, FuserLoop_ConstraintsAttr:$guard, FuserLoop_ParallelTypesAttr:$once);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$otherwise);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$indices, "::fuser::loop::ConstraintsAttr":$guard,
                                 "::fuser::loop::ParallelTypesAttr":$once)>];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Null without `else`.
    ::mlir::Block *getElseBlock() { return getOtherwise().empty() ? nullptr : &getOtherwise().front(); }
  }];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def FuserLoop_BufferOp : FuserLoop_Op<"buffer"> {
  let summary = "memory for a value";
  let description = [{
    A buffer whose lifetime is the block in which it stands: inside of a loop it is new in each iteration. Its elements
    are undefined until they are written. One in shared memory is the same for all threads of a block, also inside of a
    thread loop; from stage `placed` on, it begins at an offset, a multiple of 16 bytes. Buffers that are in use at the
    same time have no byte in common.

    One in global memory is a workspace: all blocks of the launch share it. It is outside of all loops, and its extents
    are expressions over the arguments of the kernel. It is dense, and aligned to 16 bytes. `zeroed`: its elements are 0
    when the kernel begins, and again when it ends.

    The first index of a `distributed` buffer in shared memory is a block of the cluster, which has these elements. The
    blocks of the cluster access each other's.

    `stages N`: a circular buffer in shared memory, whose elements are copied from an argument of the kernel in each iteration
    of the serial loop around it. Up to stage `reduced`, it stands in that loop, and this asks for N stages. From stage
    `pipelined` on, it stands before the loop, its first index is a stage, and iterations take the stages in turn, while the
    copies of later ones are under way (step `copy` of tiles; `by bulk`: step `bulk`). With one stage, copies fill the buffer in any
    loop, and all of them are waited for before the first is read. `role producer`, up to stage `reduced`:
    a warp of its own copies (`fuser_loop.roles`), `registers`: how many a thread of it has, and how many one of the others.

    ```mlir
    %r = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
    %s = fuser_loop.buffer at 512 : !fuser_loop.buffer<8xf32, shared>
    %d = fuser_loop.buffer distributed at 544 : !fuser_loop.buffer<4x4xf32, shared>
    %t = fuser_loop.buffer stages 4 : !fuser_loop.buffer<4x256xf32, shared>
    %u = fuser_loop.buffer stages 4 by bulk : !fuser_loop.buffer<4x256xf32, shared>
    %p = fuser_loop.buffer stages 4 by bulk role producer : !fuser_loop.buffer<256xf32, shared>
    %q = fuser_loop.buffer stages 4 by bulk role producer registers [40, 232] : !fuser_loop.buffer<256xf32, shared>
    %w = fuser_loop.buffer [symbol(%n), 64] : !fuser_loop.buffer<?x64xf32, global>
    %c = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, OptionalAttr<AffineMapAttr>:$extents, UnitAttr:$zeroed,
                       UnitAttr:$distributed, OptionalAttr<I64Attr>:$stages, UnitAttr:$bulk,
                       UnitAttr:$producer, OptionalAttr<DenseI64ArrayAttr>:$registers, OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<FuserLoop_BufferType, "", [MemAlloc]>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::fuser::loop::BufferType":$type, CArg<"bool", "false">:$distributed)>,
                  OpBuilder<(ins "::fuser::loop::BufferType":$type, "::mlir::ValueRange":$indices,
                                 "::mlir::AffineMap":$extents, "bool":$zeroed)>];
  let extraClassDeclaration = [{
    /// True for memory that all blocks share.
    bool isWorkspace() { return getType().getSpace() == ::fuser::MemoryType::Global; }
    /// The elements of a block, in a buffer with constant extents.
    int64_t getNumElements();
    /// The bytes of a block, in a buffer with constant extents: an element is stored in whole bytes.
    int64_t getNumBytes();
    /// The bytes of one element.
    int64_t getElementBytes();
    /// True if a value is a distributed buffer.
    static bool isDistributed(::mlir::Value buffer);
    /// True if a value is a circular buffer.
    static bool isCircular(::mlir::Value buffer);
    /// True if a value is a circular buffer that bulk copies fill.
    static bool isBulk(::mlir::Value buffer);
    /// True if two buffers with offsets have bytes in common.
    bool overlaps(BufferOp other);
  }];
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

def FuserLoop_IndexOp : FuserLoop_Op<"index"> {
  let summary = "an index that is an element of a buffer";
  let description = [{
    Reads an integer and gives it as an index: a dimension of expressions. It serves the tile in the same block whose
    expressions use it, and is read where that tile runs; in a @vectorize loop, each lane has an index of its own. The
    access is that of a read.

    Data may be any number. Each access at the index has a guard with `index < extent`, which is compared in 64 bits,
    before the index has the width of the kernel's.

    ```mlir
    %i = fuser_loop.index %ids[128 * %b + %t] : !fuser_loop.buffer<?xi64, global>
    fuser_loop.tile %r[] = fuser.index_select(%x[%i] where (%i < symbol(%n)), ...
    ```
  }];
  // The effect on the result: an index is not shared between tiles, whose branches may differ.
  let arguments = (ins Arg<FuserLoop_BufferType, "", [MemRead]>:$buffer, Variadic<Index>:$indices,
                       FuserLoop_AccessAttr:$access);
  let results = (outs Res<Index, "", [MemAlloc]>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def FuserLoop_WholeOp : FuserLoop_Op<"whole"> {
  let summary = "an index along a dimension that an op reads whole";
  let description = [{
    An index that the op of a tile (`WholeReadOpInterface`) chooses: it iterates over the dimension, of the given extent,
    by loops of its own. The tile names it in its clause `at`, and the accesses of one input use it.

    ```mlir
    %k = fuser_loop.whole to (symbol(%n))
    fuser_loop.tile %r[] = fuser.scatter(%x[%k] where (%k < symbol(%n)), ...) at [%t, %k]
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, AffineMapAttr:$extent);
  let results = (outs Res<Index, "", [MemAlloc]>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineExpr getExtentExpr() { return getExtent().getResult(0); }
  }];
}

def FuserLoop_XorOp : FuserLoop_Op<"xor", [Pure]> {
  let summary = "the bitwise exclusive or of two indices";
  let description = [{
    The index of a swizzled dimension. In a @vectorize loop, it is that of each lane.

    ```mlir
    %s = fuser_loop.xor (%c, (%r floordiv 4) mod 8)
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, AffineMapAttr:$terms);
  let results = (outs Index:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def FuserLoop_HoldsOp : FuserLoop_Op<"holds", [Pure]> {
  let summary = "whether constraints hold, as an index";
  let description = [{
    1 if all constraints hold, else 0. An index can then depend on a comparison, and a guard can ask that constraints do
    not hold all. It is in no @vectorize loop.

    ```mlir
    %after = fuser_loop.holds (%i - 4 < 28)
    %inside = fuser_loop.holds (%i - 4 < 8, %k < symbol(%n))
    fuser_loop.tile %y[%i + 96 * %after, %k] = ... if (%inside == 0)
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, FuserLoop_ConstraintsAttr:$constraints);
  let results = (outs Index:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

def FuserLoop_TileOp : FuserLoop_Op<"tile", [
    AttrSizedOperandSegments, SingleBlock, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one element of an op from elements of its operands";
  let description = [{
    Reads an element of each buffer among `inputs`, takes scalars as they are, computes one element of the `fuser` op in
    the region and writes it. In a @vectorize loop, it does so for all indices of the loop at once. The op keeps the
    tensor types of the schedule, which its verifier and its interfaces use; its operands are the block's arguments. A
    region without an op yields its argument: the tile moves an element. (A `fuser.set` there would be folded.)

    A reduction (`CombinerOpInterface`) has a tuple of accumulators, each component in a buffer of its own, and so has a
    scan (`ScanOpInterface`): what the elements up to one combine to. Their tiles name their step, and `outputs` are the
    components of one tuple, except for `finalize`:

    - `initial`: the tuple becomes the identity.
    - `accumulate`: an element of each operand is added to the tuple. The element must exist.
    - `finalize`: the results are computed from the tuple in `inputs`; `count`, of a reduction, is the number of elements
      that were reduced.

    Reductions have further steps:

    - `fold`: the tuples of a @vectorize loop, read from `inputs`, are combined in pairs into one.
    - `shuffle N`: the tuple is combined with that of the thread whose number differs in bit N (a power of two below 32).
      All threads of a warp execute it. From stage `reduced` on.
    - `merge`: the tuple read from `inputs` is combined into the tuple; of a scan, it comes after the tuple. In a
      workspace, other blocks may just have written it.

    Scans combine tuples in order, in which one is before another. The order of threads is that of their numbers, or the
    opposite one of a scan with `reverse`. They have `merge` as well as:

    - `lift`: the tuple becomes that of one element, read from `inputs`. The element must exist.
    - `prepend`: the tuple read from `inputs` is combined into the tuple, before it.
    - `replace`: the tuple becomes that read from `inputs`. Unlike a move in registers, it is not done where the guard does
      not hold.
    - `shuffle_up N`: the tuple of the thread N before this one in that order, in its group, is combined into the tuple,
      before it. The first N threads of a group (a power of two below 32) keep theirs. A group is a row of threads along thread_x or, of
      more than 32, those of it that are a warp; all threads of a warp execute the step. From stage `reduced` on.
    - `take`: the tuple becomes that of a thread of the group, read from `inputs` in registers; `from` is its number in
      the group. The identity where this is no number of a thread. As above, all threads of a warp execute it.

    A tile without an op has the step `copy` where it begins a copy from an argument of the kernel to a stage of a circular
    buffer, of 4, 8 or 16 bytes. The copies of a thread since the last `fuser_loop.commit_copies` are done when the thread has
    waited for them (`fuser_loop.wait_copies`). From stage `pipelined` on.

    With the step `bulk`, one thread begins a copy of `count` adjacent elements (the least of these numbers) from an argument of
    the kernel to a stage of a circular buffer `by bulk`: there are none where `count` is less than 1, or the guard of the read
    (`where`) does not hold. The second output is a barrier of the stage, in a buffer that `fuser_loop.init_phases` has
    initialized. At it, the tile is one of the arrivals that the present phase has, also without elements; the phase ends when
    they were copied. From stage `pipelined` on. With `using`, the copy is one of a box by a tensor map (a type and what binds it):
    `at` are the coordinates of its first element, the indices of the read in the order of the binding. Elements that lie outside of
    the argument become 0, and the tile arrives with all bytes of the box.

    With the step `store`, an element is moved from shared memory to an argument of the kernel, by a bulk copy if that is possible:
    before stage `pipelined`, the step asks for it, and `within` are the sizes of the argument. Later on, it is always a box, with `using` and `at` as above, whose
    coordinates are the indices of the write. One thread begins the copy. Elements that lie outside of the argument are not stored. The
    thread waits (`fuser_loop.wait_stores`) before the buffer is written again.

    Other clauses:

    - `at`: the index of each root id of the op, for an op whose element depends on it. After them, for an op that reads
      dimensions whole, the `fuser_loop.whole` of each such dimension, input by input.
    - `if`: the element exists. Otherwise the tile does nothing.
    - `once`: the tile runs on index 0 of these types only, as all others would do the same. From stage `launched` on.
    - `replicated`: each index of these types in the launch runs the tile, whatever the extents of the loops around it.
    - `combine`: the element is combined with the one in memory (`add`, `min` or `max`), by one atomic access. The tile has no op, and
      its output is an argument of the kernel or a buffer in shared memory. A write at an index that is data has a guard (`where`),
      outside of which nothing is written.

    - `using`, and `together` after it: the matrix instruction by which the lanes of a warp `accumulate` together, one of the loops on thread_x around
      the tile; from stage `accessed` on. It takes the place of loops on `mma`. The chunk of a read is then the row of an 8x8
      matrix whose address the lane names, that of the accumulator what the lane has of the product. `#fuser_gpu.mma` says
      which elements these are. With `#fuser_gpu.wgmma`, the 4 warps of a warp group, along thread_y, do it: reads name the first
      elements of the operands, and the accumulators are undefined until `fuser_loop.wait_products`. With `#fuser_gpu.stmatrix`, they
      move elements from registers to shared memory: the chunk of the read is what the lane has of the matrices, that of the write the
      row whose address it names.

    From stage `guarded` on, `if` and `once` are those of a `fuser_loop.if` around the tile. Types follow: those of
    `inputs` and `outputs`, and of the op.

    ```mlir
    fuser_loop.tile %r[%v] = %x[4 * %t + %v] : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
    fuser_loop.tile %s[%k mod 4, %t] = copy %x[%k, %t] : (!fuser_loop.buffer<?x64xf32, global>) -> !fuser_loop.buffer<4x64xf32, shared> of tensor<?x64xf32>
    fuser_loop.tile %s[%k mod 4, 0], %f[%k mod 4] = bulk %x[%k, 0] count [64] if (%k < symbol(%n)) once [thread_x]
      : (!fuser_loop.buffer<?x64xf32, global>) -> (!fuser_loop.buffer<4x64xf32, shared>, !fuser_loop.buffer<4xi64, shared>) of tensor<?x64xf32>
    fuser_loop.tile %s[%k mod 4, 0, 0], %f[%k mod 4] = bulk %x[%b * 64, %k * 64] at [%b * 64, %k * 64] once [thread_x]
      using [!fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<0, dims = [0, 1]>]
      : (!fuser_loop.buffer<?x?xbf16, global>) -> (!fuser_loop.buffer<4x64x64xbf16, shared>, !fuser_loop.buffer<4xi64, shared>) of tensor<?x?xbf16>
    fuser_loop.tile %y[%b * 64, %k * 64] = store %s[0, 0] at [%b * 64, %k * 64] once [thread_x]
      using [!fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, #fuser_gpu.tensor_map<1, dims = [0, 1]>]
      : (!fuser_loop.buffer<64x64xbf16, shared>) -> !fuser_loop.buffer<?x?xbf16, global> of tensor<?x?xbf16>
    fuser_loop.tile %e[%v] = fuser.exp(%r[%v]) if (%t < symbol(%n))
      : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<4xf32, register> of (tensor<?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%i, %t] where (%i < symbol(%m)) = %e[] combine add if (%t < symbol(%n))
      : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?x?xf32, global> of tensor<?x?xf32>
    fuser_loop.tile %a[] = accumulate fuser.sum(%x[%t]) {dims = array<i64: 0>} if (%t < symbol(%n))
      : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %s[] = finalize fuser.sum(%a[]) {dims = array<i64: 0>} count [symbol(%n)]
      : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %p[] = take fuser.cumsum(%t[]) {dim = 0 : i64} from [%t mod 32 - 1]
      : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<?xf32>
    fuser_loop.tile %c{0} by 4 align 4 = accumulate fuser.matmul(%s{%t mod 16 * 32 + %t floordiv 16 * 8} by 8 align 16, %b{%t mod 16 * 64} by 8 align 16)
      using #fuser_gpu.mma<16, 8, 16, bf16, transposed = [false, true]> together
      : (!fuser_loop.buffer<64x32xbf16, shared>, !fuser_loop.buffer<32x64xbf16, shared>) -> !fuser_loop.buffer<1x1x2x2xf32, register> of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{%t * 8} by 8 align 16 = %r{0} by 8 align 4 using #fuser_gpu.stmatrix<4, bf16, transposed = false> together
      : (!fuser_loop.buffer<4x2xbf16, register>) -> !fuser_loop.buffer<32x8xbf16, shared> of tensor<bf16>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<FuserLoop_BufferType>:$outputs, Variadic<Index>:$indices,
                       ArrayAttr:$reads, ArrayAttr:$writes, AffineMapAttr:$roots, FuserLoop_ConstraintsAttr:$guard,
                       FuserLoop_ParallelTypesAttr:$once, FuserLoop_ParallelTypesAttr:$replicated,
                       FuserLoop_TileStepAttr:$step, OptionalAttr<I64Attr>:$distance,
                       OptionalAttr<AnyAttr>:$instruction, OptionalAttr<AnyAttr>:$combination);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The op whose element is computed; null if the tile moves an element.
    ::mlir::Operation *getElementOp();
    /// Null for a scalar.
    AccessAttr getRead(unsigned input) { return ::llvm::dyn_cast<AccessAttr>(getReads()[input]); }
    AccessAttr getWrite(unsigned output) { return ::llvm::cast<AccessAttr>(getWrites()[output]); }
    unsigned getNumDims() { return getRoots().getNumDims(); }
    /// The @vectorize loop around the tile; null if there is none.
    ForOp getVectorLoop() { return findVectorLoop(*this); }
    static ForOp findVectorLoop(::mlir::Operation *op);
    /// The indices that the tile processes at once.
    int64_t getWidth() { return findWidth(*this); }
    static int64_t findWidth(::mlir::Operation *op);
    /// The tile that an op of this block whose result is an index serves; null if there is not exactly one.
    static TileOp findServed(::mlir::Operation *indexOp);
    /// The `fuser_loop.whole` of dimension `dim` of an input, which the op reads whole.
    ::mlir::Value getWhole(unsigned input, unsigned dim);
    /// True if an access is one of memory that other threads see.
    bool touchesMemory();
    /// True if the tile must not run where its element does not exist.
    bool needsGuard() {
      return touchesMemory() || getStep() == TileStep::Accumulate || getStep() == TileStep::Lift ||
             getStep() == TileStep::Merge || getStep() == TileStep::Replace;
    }
    /// True if all threads of a warp execute the tile together.
    bool isConvergent() {
      return getStep() == TileStep::Shuffle || getStep() == TileStep::ShuffleUp ||
             getStep() == TileStep::Take || (getInstruction() && !isBulk());
    }
    /// True for a bulk copy, in either direction.
    bool isBulk() { return getStep() == TileStep::Bulk || getStep() == TileStep::Store; }
    /// The type of the map by which a bulk copy moves a box; null if it moves adjacent elements.
    ::mlir::Type getTensorMap();
    /// The threads of a group whose tuples a scan shuffles: a row along thread_x, or a warp. From stage launched on.
    int64_t getGroupSize();
    /// True if the outputs are read before they are written.
    bool updatesOutputs();
    /// How the element is combined with the one in memory, by an atomic access.
    std::optional<::fuser::ScatterReduce> getCombine();
  }];
}

def FuserLoop_CombineOp : FuserLoop_Op<"combine", [
    SingleBlock, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "combines the tuples of all threads along hardware dimensions";
  let description = [{
    Afterwards, every thread has in `accumulators` (a buffer for each component of a tuple, in registers) what the threads
    along the types of `over` had; with `cluster_x`, these are also those of the blocks of a cluster. If blocks of the grid
    are among these types, the threads of at least one of the blocks have it. A kernel with clusters combines no blocks of
    the grid.
    All threads execute it. The last dimension of the buffers has `lanes` tuples that are processed as a vector.
    `fuser-plan-reductions` replaces it by shuffles and by exchanges through shared memory and workspaces: it occurs
    before stage `reduced` only. The region has the op, as that of a tile.

    ```mlir
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 1
      : !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<FuserLoop_BufferType>:$accumulators, FuserLoop_ParallelTypesAttr:$over, I64Attr:$lanes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Operation *getElementOp() { return &getBody().front().front(); }
  }];
}

def FuserLoop_ScanOp : FuserLoop_Op<"scan", [
    SameVariadicOperandSize, SingleBlock, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "scans the tuples of threads, or of blocks";
  let description = [{
    Tuples of threads: afterwards, every thread has in `before` what the threads before it had in `totals`, combined in
    their order, and in `totals` what all of them had. The threads are those along the types of `over`, the most
    significant type first; of a scan with `reverse`, the last one is before all others.

    Tuples of blocks: `over` is a block type. Afterwards, every block has in `before` what the blocks before it have in
    `totals`, which stay as they are. Blocks do not wait for blocks that begin after them. The threads along the types of
    `equal` have the same tuples.

    There is a buffer in registers for each component of a tuple. All threads execute the op. The last dimension of the
    buffers has `lanes` tuples that are processed as a vector. `fuser-plan-reductions` replaces it: it occurs before stage
    `reduced` only. The region has the op, as that of a tile.

    ```mlir
    fuser_loop.scan %t before %p by fuser.cumsum {dim = 1 : i64} over [thread_y, thread_x] lanes 1
      : !fuser_loop.buffer<1x1xf32, register> of (tensor<?x?xf32>) -> tensor<?x?xf32>
    fuser_loop.scan %s before %b by fuser.cumsum {dim = 1 : i64} over [block_x] equal [thread_y, thread_x] lanes 1
      : !fuser_loop.buffer<1xf32, register> of (tensor<?x?xf32>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Variadic<FuserLoop_BufferType>:$totals, Variadic<FuserLoop_BufferType>:$before,
                       FuserLoop_ParallelTypesAttr:$over, FuserLoop_ParallelTypesAttr:$equal, I64Attr:$lanes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Operation *getElementOp() { return &getBody().front().front(); }
    /// True if it scans the tuples of blocks.
    bool isOfBlocks() { return ::fuser::isBlockType(getOver().getTypes().front()); }
  }];
}

def FuserLoop_YieldOp : FuserLoop_Op<"yield", [
    Pure, Terminator, ParentOneOf<["TileOp", "CombineOp", "ScanOp"]>]> {
  let summary = "the element of a tile";
  let description = [{
    Ends the region of a tile, `combine` or `scan` with the results of its op, or with its argument. It is never printed, as the tile's text
    implies it.

    ```mlir
    fuser_loop.yield %0 : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===----------------------------------------------------------------------===//
// Synchronization
//===----------------------------------------------------------------------===//

def FuserLoop_BarrierOp : FuserLoop_Op<"barrier", [AttrSizedOperandSegments]> {
  let summary = "all threads of a block, or of the grid, wait for each other";
  let description = [{
    What a thread of the block has accessed before is done before any of them goes on. All threads of the block execute
    it: it is in no branch, except of constraints that agree in all of them. `grid`: all threads of all blocks wait for each other, which makes the launch cooperative. They
    count their arrivals in a zeroed workspace of one i32. `if`: not in each copy of the loops around it that are written
    out; their indices alone occur. `role`: the consumers of `fuser_loop.roles` wait for each other. From stage
    `synchronized` on.

    ```mlir
    fuser_loop.barrier
    fuser_loop.barrier if (0 < %u)
    fuser_loop.barrier role
    fuser_loop.barrier grid %c
    ```
  }];
  let arguments = (ins Optional<FuserLoop_BufferType>:$counter, Variadic<Index>:$indices,
                       FuserLoop_ConstraintsAttr:$guard, UnitAttr:$role);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def FuserLoop_CommitCopiesOp : FuserLoop_Op<"commit_copies"> {
  let summary = "makes a group of the copies that a thread has begun";
  let description = [{
    The copies (step `copy` of tiles) that each thread has begun since the last group, which may be none. All threads execute
    it. From stage `pipelined` on.

    ```mlir
    fuser_loop.commit_copies
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserLoop_WaitCopiesOp : FuserLoop_Op<"wait_copies"> {
  let summary = "waits for the copies to a stage of circular buffers";
  let description = [{
    Each thread waits until at most `pending` of its groups, the last ones, are under way. What it has copied to `buffers` in
    the others is visible to it, and to the other threads after a barrier of the block: such a barrier also tells that they
    have read what was in the stage that they read before. All threads execute it. From stage `pipelined` on.

    ```mlir
    fuser_loop.wait_copies %s, %t pending 2 : !fuser_loop.buffer<4x256xf32, shared>, !fuser_loop.buffer<4x64xf32, shared>
    ```
  }];
  let arguments = (ins Arg<Variadic<FuserLoop_BufferType>, "", [MemRead, MemWrite]>:$buffers, I64Attr:$pending);
  let assemblyFormat = "$buffers `pending` $pending attr-dict `:` qualified(type($buffers))";
  let hasVerifier = 1;
}

def FuserLoop_FenceAsyncOp : FuserLoop_Op<"fence_async"> {
  let summary = "shows what threads wrote to shared memory to products of warp groups and to bulk copies";
  let description = [{
    What each thread has stored, or has copied and waited for. A barrier comes after it. From stage
    `synchronized` on.

    ```mlir
    fuser_loop.fence_async
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserLoop_WaitStoresOp : FuserLoop_Op<"wait_stores"> {
  let summary = "waits until bulk copies have read shared memory";
  let description = [{
    Each thread waits until the copies to arguments that it has begun (step `store` of tiles) have read what they copy. A barrier comes
    between this and the next write to it. From stage `synchronized` on.

    ```mlir
    fuser_loop.wait_stores
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserLoop_CommitProductsOp : FuserLoop_Op<"commit_products"> {
  let summary = "makes a group of the products that warps have begun";
  let description = [{
    The products by instructions of warp groups (`using #fuser_gpu.wgmma` of tiles) since the last group, which may be none. All
    threads execute it. From stage `pipelined` on.

    ```mlir
    fuser_loop.commit_products
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserLoop_WaitProductsOp : FuserLoop_Op<"wait_products", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for products of warp groups";
  let description = [{
    Each warp waits until at most `pending` of its groups, the last ones, are under way. The others no longer read shared
    memory: after a barrier, it may be written. `products` are accumulators, in registers, to which no group adds any more: what
    reads them comes after this op. All threads execute it. From stage `pipelined` on.

    In a loop, groups that may be under way read the stages of circular buffers that the iterations before have read. The
    copies that follow are to other stages: those of an iteration that is less than N - `pending` later, of N stages.

    ```mlir
    fuser_loop.wait_products pending 1
    fuser_loop.wait_products pending 0 of %a : !fuser_loop.buffer<16x256xf32, register>
    ```
  }];
  let arguments = (ins I64Attr:$pending, Variadic<FuserLoop_BufferType>:$products);
  let assemblyFormat = "`pending` $pending (`of` $products^ `:` qualified(type($products)))? attr-dict";
  let hasVerifier = 1;
}

def FuserLoop_InitPhasesOp : FuserLoop_Op<"init_phases"> {
  let summary = "initializes barriers, one for each stage of circular buffers";
  let description = [{
    The elements of a buffer of i64 in shared memory become barriers in phase 0. Each of their phases has so many `arrivals`:
    tiles with the step `bulk`, in one iteration of the loop that takes the stages in turn. One thread does it, once: only
    hardware loops are around it. From stage `pipelined` on.

    ```mlir
    fuser_loop.init_phases %f arrivals 1 : !fuser_loop.buffer<4xi64, shared>
    ```
  }];
  let arguments = (ins Arg<FuserLoop_BufferType, "", [MemRead, MemWrite]>:$barriers, I64Attr:$arrivals);
  let assemblyFormat = "$barriers `arrivals` $arrivals attr-dict `:` qualified(type($barriers))";
  let hasVerifier = 1;
}

def FuserLoop_WaitPhaseOp : FuserLoop_Op<"wait_phase", [AttrSizedOperandSegments]> {
  let summary = "waits for the bulk copies to a stage of circular buffers";
  let description = [{
    Each thread waits until a phase of a barrier is complete, and then sees what was copied to this stage of `buffers`. The
    stages are used in turn by all iterations of the loops around the op, in the order of execution: use number `u` has the
    barrier `u mod N` and the phase `u floordiv N` of N stages. A barrier of the block tells that all threads have read what was
    in the stage that is filled next. All threads execute it. From stage `pipelined` on.

    ```mlir
    fuser_loop.wait_phase %s, %t of %f[%k mod 4] phase (%k floordiv 4)
      : !fuser_loop.buffer<4x256xf32, shared>, !fuser_loop.buffer<4x64xf32, shared> of !fuser_loop.buffer<4xi64, shared>
    ```
  }];
  let arguments = (ins Arg<Variadic<FuserLoop_BufferType>, "", [MemRead, MemWrite]>:$buffers,
                       Arg<FuserLoop_BufferType, "", [MemRead]>:$barriers, Variadic<Index>:$indices, AffineMapAttr:$use);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineExpr getPlace() { return getUse().getResult(0); }
    ::mlir::AffineExpr getPhase() { return getUse().getResult(1); }
  }];
}

def FuserLoop_LastBlockOp : FuserLoop_Op<"last_block"> {
  let summary = "tells the block that arrives last that it is the last";
  let description = [{
    The number of blocks that arrive at element `place` of `counter`, a zeroed workspace, is `participants`. `flag`, a
    buffer of one i1 in registers, becomes true in all threads of the last of them: what all of them wrote before is
    visible to it. It becomes false in the others, and no block waits. All threads of a block execute it, as a barrier: it
    is in no branch. From stage `reduced` on.

    ```mlir
    fuser_loop.last_block %flag = %counter[%b] of (symbol(%n) ceildiv 64)
      : !fuser_loop.buffer<i1, register>, !fuser_loop.buffer<?xi32, global>
    ```
  }];
  let arguments = (ins FuserLoop_BufferType:$flag, FuserLoop_BufferType:$counter, Variadic<Index>:$indices,
                       AffineMapAttr:$arrival);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineExpr getPlace() { return getArrival().getResult(0); }
    ::mlir::AffineExpr getParticipants() { return getArrival().getResult(1); }
  }];
}

def FuserLoop_IsLastOp : FuserLoop_Op<"is_last"> {
  let summary = "a flag as an index";
  let description = [{
    1 if the `last_block` that wrote the flag says that this block is the last, else 0. Both are in the same loops, except
    for those on blocks and threads.

    ```mlir
    %last = fuser_loop.is_last %flag : !fuser_loop.buffer<i1, register>
    ```
  }];
  let arguments = (ins Arg<FuserLoop_BufferType, "", [MemRead]>:$flag);
  let results = (outs Index:$result);
  let assemblyFormat = "$flag attr-dict `:` qualified(type($flag))";
  let hasVerifier = 1;
}

def FuserLoop_OrderBlocksOp : FuserLoop_Op<"order_blocks"> {
  let summary = "numbers the blocks in the order in which they begin";
  let description = [{
    The index of a block along each type becomes that of its number, in a grid of `counts` blocks in x, y and z, x the
    fastest: a block of a lower number has begun before one of a higher number. Each block draws its number from
    `counter`, a zeroed workspace of one i32, and tells it its threads in `slot`, a buffer of one i32 in shared memory. All
    threads execute it, as a barrier, outside of all loops, before any block index is used. From stage `reduced` on.

    ```mlir
    fuser_loop.order_blocks %counter of [symbol(%n) ceildiv 64, 4, 1] through %slot
      : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
    ```
  }];
  let arguments = (ins FuserLoop_BufferType:$counter, FuserLoop_BufferType:$slot, Variadic<Index>:$indices,
                       AffineMapAttr:$counts);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def FuserLoop_PublishOp : FuserLoop_Op<"publish", [AttrSizedOperandSegments]> {
  let summary = "tells other blocks that elements of workspaces were written";
  let description = [{
    Counts at element `place` of `flags`, a zeroed workspace: threads that await this element see what this thread has
    written in `memory`. With a barrier of the block before it, they see what all of its threads have written; along the
    types of `follows`, the same index has written it, as for a read. `if`: as that of a tile. From stage `reduced` on.

    ```mlir
    fuser_loop.publish %flags[%b] of %w if (%t == 0) follows [thread_x]
      : !fuser_loop.buffer<?xi32, global>, !fuser_loop.buffer<?x4xf32, global>
    ```
  }];
  let arguments = (ins FuserLoop_BufferType:$flags, Variadic<FuserLoop_BufferType>:$memory, Variadic<Index>:$indices,
                       AffineMapAttr:$place, FuserLoop_ConstraintsAttr:$guard, FuserLoop_ParallelTypesAttr:$follows);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def FuserLoop_AwaitOp : FuserLoop_Op<"await"> {
  let summary = "waits until another block has published";
  let description = [{
    The thread waits until element `place` of `flags` was counted by `publish`. The block that does so has begun before
    this one (`order_blocks`), and does not wait for it. `if`: as that of a tile. From stage `reduced` on.

    ```mlir
    fuser_loop.await %flags[%b - 1] if (0 < %b) : !fuser_loop.buffer<?xi32, global>
    ```
  }];
  let arguments = (ins FuserLoop_BufferType:$flags, Variadic<Index>:$indices, AffineMapAttr:$place,
                       FuserLoop_ConstraintsAttr:$guard);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def FuserLoop_ClusterBarrierOp : FuserLoop_Op<"cluster_barrier"> {
  let summary = "all threads of the blocks of a cluster wait for each other";
  let description = [{
    As `barrier`, for the threads of all blocks of a cluster. Its two halves may be apart: what a thread has accessed
    before it arrives is done when any thread of the cluster has waited. A block has the distributed buffers of its peers
    from the first such barrier to the last one. From stage `synchronized` on.

    ```mlir
    fuser_loop.cluster_barrier arrive
    fuser_loop.cluster_barrier wait
    fuser_loop.cluster_barrier both if (0 < %u)
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, FuserLoop_ConstraintsAttr:$guard, FuserLoop_BarrierPhaseAttr:$phase);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool arrives() { return getPhase() != BarrierPhase::Wait; }
    bool waits() { return getPhase() != BarrierPhase::Arrive; }
  }];
}

include "fuser/Dialect/Loop/RoleOps.td"

#endif // FUSER_DIALECT_LOOP_LOOPOPS_TD
