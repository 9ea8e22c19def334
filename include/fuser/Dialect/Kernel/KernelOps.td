//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The low-level GPU operations of kernel IR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_KERNELOPS_TD
#define FUSER_DIALECT_KERNEL_KERNELOPS_TD

include "fuser/Dialect/Kernel/MatrixOps.td"
include "fuser/Dialect/Kernel/WarpGroupOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FuserGPU_F32OrVector
    : AnyTypeOf<[F32, VectorOfNonZeroRankOf<[F32]>], "f32 or a vector of f32">;
def FuserGPU_Counter : MemRefOf<[I32]>;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

def FuserGPU_ShuffleOp : FuserGPU_Op<"shuffle", [
    FuserGPU_Convergent, AllTypesMatch<["value", "result"]>]> {
  let summary = "reads a value from another lane of the warp";
  let description = [{
    The warp is cut into groups of `width` lanes (a power of two, 2 to 32). A
    lane with number `l` in its group reads the value of lane

    - `xor`: `l xor offset`,
    - `up`: `l - offset`,
    - `down`: `l + offset`,
    - `idx`: `offset`

    of the same group, and gets its own value where that lane lies outside of
    the group. An offset is at least 0 and less than `width`; with another one
    the result is some lane's value. The value is a scalar of up to 64 bits or a vector of one
    dimension of such; the target moves it in pieces of 32 bits. All lanes of the warp
    that exist execute the op together.

    Example:
    ```mlir
    %other = fuser_gpu.shuffle xor %sum, %offset width 32 : f32
    %pair = fuser_gpu.shuffle down %mean_m2, %offset width 16 : vector<2xf32>
    ```
  }];
  let arguments = (ins FuserGPU_ShuffleModeAttr:$mode, AnyType:$value, I32:$offset,
                       DefaultValuedAttr<I32Attr, "32">:$width);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $mode $value `,` $offset `width` $width attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Parts of a batched launch
//===----------------------------------------------------------------------===//

def FuserGPU_PartArgumentOp : FuserGPU_Op<"part_argument", [Pure]> {
  let summary = "the argument of one part of a batched launch";
  let description = [{
    One of `arguments`, which are consecutive arguments of the kernel: that with the number `part`, which is less than
    their number. Targets pass such arguments as one array, so that this is a load from it. Two ops read the same
    arguments or no common one.

    Example:
    ```mlir
    %x = fuser_gpu.part_argument %part of %x0, %x1, %x2 : memref<f32>
    ```
  }];
  let arguments = (ins Index:$part, Variadic<AnyType>:$arguments);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of the first of `arguments` among those of the kernel.
    unsigned getFirst() { return ::llvm::cast<::mlir::BlockArgument>(getArguments().front()).getArgNumber(); }
  }];
}

//===----------------------------------------------------------------------===//
// Approximate math
//===----------------------------------------------------------------------===//

def FuserGPU_ApproxOp : FuserGPU_Op<"approx", [
    Pure, SameOperandsAndResultType, Elementwise, Scalarizable, Vectorizable, Tensorizable]> {
  let summary = "a function in the precision of the GPU's one-instruction approximation";
  let description = [{
    Error bounds on the GPU, as the PTX manual gives them: `exp2` 2 ulp,
    `log2` absolute 2^-22 (relative outside of [0.5, 2]), `rcp` 1 ulp, `rsqrt`
    relative 2^-22.9, `sqrt` relative 2^-23, `tanh` relative 2^-11, `sin` and
    `cos` absolute 2^-20.5 on [-pi, pi] and growing outside. With `ftz`
    denormal inputs and results count as zero (`tanh` keeps them). The host
    device is as exact as its math library: tests compare with a tolerance.

    Example:
    ```mlir
    %e = fuser_gpu.approx exp2 %x ftz : vector<4xf32>
    ```
  }];
  let arguments = (ins FuserGPU_ApproxFunctionAttr:$function, FuserGPU_F32OrVector:$operand,
                       UnitAttr:$ftz);
  let results = (outs FuserGPU_F32OrVector:$result);
  let assemblyFormat = [{
    $function $operand (`ftz` $ftz^)? attr-dict `:` type($operand)
  }];
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

def FuserGPU_KeepOp : FuserGPU_Op<"keep", [SameOperandsAndResultType]> {
  let summary = "a value in the registers that hold it, opaque to the optimizer";
  let description = [{
    The operand itself. What is computed from the result is not merged with what
    was computed from the operand, so that a row that is kept packed over a
    barrier is unpacked again after it, instead of being kept unpacked as well.
    On the GPU an empty statement over the registers, on the host device nothing.

    Example:
    ```mlir
    %again = fuser_gpu.keep %row : vector<8xbf16>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, AnyFloat,
      VectorOfNonZeroRankOf<[AnySignlessInteger, AnyFloat]>]>:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def FuserGPU_LoadOp : FuserGPU_Op<"load"> {
  let summary = "reads an element or a vector from global memory with a cache hint";
  let description = [{
    Like `memref.load` and `vector.load`, with a hint:

    - `none`: as the target likes; `nc` where the argument is `readonly` and `noalias`;
    - `ca`: all levels; `cg`: only the second level, so that writes of other
      blocks are seen after a fence; `cs`: streaming, likely read once;
    - `no_allocate`, `evict_first`: the first level's policy;
    - `nc`: through the read-only path; the memory must not be written while the
      kernel runs.

    `alignment` is what the caller promises of the address, in bytes; without
    it the size of one element. A vector lies along the last dimension, whose
    stride is 1.

    Example:
    ```mlir
    %v = fuser_gpu.load %x[%i] cache cs align 16 : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "the memory to read", [MemRead]>:$base,
                       Variadic<Index>:$indices, FuserGPU_CacheHintAttr:$hint,
                       OptionalAttr<I64Attr>:$alignment);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $base `[` $indices `]` `cache` $hint (`align` $alignment^)? attr-dict
    `:` type($base) `,` type($result)
  }];
  let extraClassDeclaration = [{
    /// Bytes that divide the address: `alignment`, else the size of one element.
    int64_t getAlignmentInBytes();
  }];
  let hasVerifier = 1;
}

def FuserGPU_StoreOp : FuserGPU_Op<"store"> {
  let summary = "writes an element or a vector to global memory with a cache hint";
  let description = [{
    The counterpart of `fuser_gpu.load`; the hints `ca` and `nc` do not exist
    for a store.

    Example:
    ```mlir
    fuser_gpu.store %v, %y[%i] cache cs align 16 : vector<8xbf16>, memref<?xbf16, strided<[1]>>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "the memory to write", [MemWrite]>:$base,
                       Variadic<Index>:$indices, FuserGPU_CacheHintAttr:$hint,
                       OptionalAttr<I64Attr>:$alignment);
  let assemblyFormat = [{
    $value `,` $base `[` $indices `]` `cache` $hint (`align` $alignment^)? attr-dict
    `:` type($value) `,` type($base)
  }];
  let extraClassDeclaration = [{
    /// Bytes that divide the address: `alignment`, else the size of one element.
    int64_t getAlignmentInBytes();
  }];
  let hasVerifier = 1;
}

def FuserGPU_AtomicAddOp : FuserGPU_Op<"atomic_add"> {
  let summary = "adds the elements of a vector to global memory";
  let description = [{
    Like a `memref.atomic_rmw` for each element, whose previous value is not
    returned: each element is updated by one atomic access, which orders no other
    accesses, and the vector is not updated at once. f32 only, 2 or 4 elements
    along the last dimension, whose stride is 1; `alignment` divides the address
    and is at least the bytes of the vector.

    Example:
    ```mlir
    fuser_gpu.atomic_add %v, %y[%i] align 16 : vector<4xf32>, memref<?xf32, strided<[1]>>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "the memory to update", [MemRead, MemWrite]>:$base,
                       Variadic<Index>:$indices, I64Attr:$alignment);
  let assemblyFormat = [{
    $value `,` $base `[` $indices `]` `align` $alignment attr-dict `:` type($value) `,` type($base)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

def FuserGPU_CopyAsyncOp : FuserGPU_Op<"copy_async", [AttrSizedOperandSegments]> {
  let summary = "begins a copy from global to shared memory";
  let description = [{
    The thread begins to copy `count` elements, which are 4, 8 or 16 bytes, and goes on. The copy becomes a part of the next
    group that the thread commits (`fuser_gpu.copy_commit`), and is done when the thread has waited for this group
    (`fuser_gpu.copy_wait`): until then, no thread may access the elements of `target` or write those of `source`. Other
    threads see the copy after a barrier that follows the wait. A thread waits for all of its copies before it returns.

    Both addresses are multiples of the bytes that are copied. Vectors lie along the last dimensions, whose strides are 1. With
    `existing`, only that many elements are read, and the others become 0; with 0, nothing is read.

    Example:
    ```mlir
    fuser_gpu.copy_async 4 of %x[%i] to %s[%j] : memref<?xf32, strided<[1]>>, memref<1024xf32, #gpu.address_space<workgroup>>
    fuser_gpu.copy_async 8 of %y[%i] to %t[%j] existing %n
      : memref<?xbf16, strided<[1]>>, memref<1024xbf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins I64Attr:$count, Arg<AnyMemRef, "the memory to read", [MemRead]>:$source,
                       Variadic<Index>:$sourceIndices, Arg<AnyMemRef, "the memory to write", [MemWrite]>:$target,
                       Variadic<Index>:$targetIndices, Optional<Index>:$existing);
  let assemblyFormat = [{
    $count `of` $source `[` $sourceIndices `]` `to` $target `[` $targetIndices `]` (`existing` $existing^)? attr-dict `:`
    type($source) `,` type($target)
  }];
  let extraClassDeclaration = [{
    /// Bytes that are copied, which divide both addresses.
    int64_t getBytes();
  }];
  let hasVerifier = 1;
}

def FuserGPU_CopyCommitOp : FuserGPU_Op<"copy_commit", [FuserGPU_OrdersMemory]> {
  let summary = "makes a group of the copies that the thread has begun since the last one";
  let description = [{
    The group may be empty.

    Example:
    ```mlir
    fuser_gpu.copy_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_CopyWaitOp : FuserGPU_Op<"copy_wait", [FuserGPU_OrdersMemory]> {
  let summary = "waits until all but the last groups of copies of the thread are done";
  let description = [{
    At most `pending` groups, the ones that the thread committed last, may be under way afterwards.

    Example:
    ```mlir
    fuser_gpu.copy_wait 2
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

def FuserGPU_Barrier : MemRefOf<[I64]>;

def FuserGPU_MBarrierInitOp : FuserGPU_Op<"mbarrier_init", [FuserGPU_OrdersMemory]> {
  let summary = "makes an element of shared memory a barrier whose phases complete one after the other";
  let description = [{
    One thread: phase 0 of the barrier begins. A phase is complete when `count` arrivals (`fuser_gpu.mbarrier_expect`,
    `fuser_gpu.mbarrier_arrive`) have happened and all bytes that they expect have been copied
    (`fuser_gpu.copy_bulk`, `fuser_gpu.copy_tensor`);
    then the next one begins, with no arrival and no bytes.

    Before the first copy, the thread executes `fuser_gpu.mbarrier_fence`. Other threads use the barrier after a barrier of
    the block that follows the init. Nothing else accesses the element until the block ends.

    Example:
    ```mlir
    fuser_gpu.mbarrier_init %full[%i] count 1 : memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins FuserGPU_Barrier:$barrier, Variadic<Index>:$indices, I64Attr:$count);
  let assemblyFormat = "$barrier `[` $indices `]` `count` $count attr-dict `:` type($barrier)";
  let hasVerifier = 1;
}

def FuserGPU_MBarrierFenceOp : FuserGPU_Op<"mbarrier_fence", [FuserGPU_OrdersMemory]> {
  let summary = "shows the barriers that the thread has initialized to the engine that copies";
  let description = [{
    Copies are done by an engine that sees the accesses of threads after such a fence only.

    Example:
    ```mlir
    fuser_gpu.mbarrier_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_MBarrierExpectOp : FuserGPU_Op<"mbarrier_expect", [FuserGPU_OrdersMemory]> {
  let summary = "arrives at a barrier, whose present phase waits for more bytes";
  let description = [{
    One of the `count` arrivals of the present phase. `bytes`, which may be 0, are those that copies which complete at
    the barrier are going to write.

    Example:
    ```mlir
    fuser_gpu.mbarrier_expect %full[%i] bytes %bytes : memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins FuserGPU_Barrier:$barrier, Variadic<Index>:$indices, Index:$bytes);
  let assemblyFormat = "$barrier `[` $indices `]` `bytes` $bytes attr-dict `:` type($barrier)";
  let hasVerifier = 1;
}

def FuserGPU_CopyBulkOp : FuserGPU_Op<"copy_bulk", [AttrSizedOperandSegments, FuserGPU_OrdersMemory]> {
  let summary = "begins a copy of many elements from global to shared memory";
  let description = [{
    One thread begins to copy `count` elements, more than 0, and goes on. They lie along the last dimensions, whose strides are
    1. Both addresses, and the number of bytes, are multiples of 16. The bytes count for the present phase of the barrier
    `signal`: until a thread has waited for this phase (`fuser_gpu.mbarrier_wait`), it may not access the elements of `target`
    or write those of `source`. The block waits for all of its copies before it ends.

    Example:
    ```mlir
    fuser_gpu.copy_bulk %count of %x[%i] to %s[%stage, %c0] signal %full[%stage]
      : memref<?xf32, strided<[1]>>, memref<4x1024xf32, #gpu.address_space<workgroup>>, memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins Index:$count, AnyMemRef:$source, Variadic<Index>:$sourceIndices, AnyMemRef:$target,
                       Variadic<Index>:$targetIndices, FuserGPU_Barrier:$barrier, Variadic<Index>:$barrierIndices);
  let assemblyFormat = [{
    $count `of` $source `[` $sourceIndices `]` `to` $target `[` $targetIndices `]` `signal` $barrier `[` $barrierIndices `]`
    attr-dict `:` type($source) `,` type($target) `,` type($barrier)
  }];
  let extraClassDeclaration = [{
    /// Bytes that divide both addresses and the size.
    static constexpr int64_t kGranule = 16;
    int64_t getElementBytes();
  }];
  let hasVerifier = 1;
}

def FuserGPU_MBarrierWaitOp : FuserGPU_Op<"mbarrier_wait", [FuserGPU_OrdersMemory]> {
  let summary = "waits until a phase of a barrier is complete";
  let description = [{
    The thread then sees what was copied for this phase, and what the threads that arrived accessed, or saw, before they did. `phase` is the number of the phase since the init: the present one, or the one before. (The GPU is told whether the
    number is odd, so that it would take any other one for one of these two.)

    Example:
    ```mlir
    fuser_gpu.mbarrier_wait %full[%i] phase %k : memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins FuserGPU_Barrier:$barrier, Variadic<Index>:$indices, Index:$phase);
  let assemblyFormat = "$barrier `[` $indices `]` `phase` $phase attr-dict `:` type($barrier)";
  let hasVerifier = 1;
}

def FuserGPU_CopyTensorOp : FuserGPU_Op<"copy_tensor", [AttrSizedOperandSegments, FuserGPU_OrdersMemory]> {
  let summary = "begins a copy of a box of a tensor to shared memory";
  let description = [{
    One thread begins to copy the box of `map` whose first element is at `coordinates`, and goes on. Elements of the box that lie
    outside of the tensor, also at negative coordinates, become 0. Otherwise as `fuser_gpu.copy_bulk`: the bytes of the whole box
    count for the present phase of the barrier `signal`. They are adjacent from the address of `target` on, which is a multiple
    of 128, with a swizzle of 8 times its bytes.

    Example:
    ```mlir
    fuser_gpu.copy_tensor %map[%row, %column] to %s[%stage, %c0, %c0] signal %full[%stage]
      : !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>, memref<4x64x64xbf16, #gpu.address_space<workgroup>>, memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins FuserGPU_TensorMapType:$map, Variadic<Index>:$coordinates, AnyMemRef:$target,
                       Variadic<Index>:$targetIndices, FuserGPU_Barrier:$barrier, Variadic<Index>:$barrierIndices);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `to` $target `[` $targetIndices `]` `signal` $barrier `[` $barrierIndices `]` attr-dict `:`
    qualified(type($map)) `,` type($target) `,` type($barrier)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def FuserGPU_StoreTensorOp : FuserGPU_Op<"store_tensor", [AttrSizedOperandSegments, FuserGPU_OrdersMemory]> {
  let summary = "begins a copy of a box of a tensor from shared memory";
  let description = [{
    One thread begins to copy to the box of `map` whose first element is at `coordinates`, and goes on. Elements of the box that lie
    outside of the tensor are not copied. The box is in shared memory as `fuser_gpu.copy_tensor` leaves it.

    The copy is one of the group that the thread makes next (`store_commit`). Until it has waited for the group (`store_wait`), nothing
    may write the elements of the box in shared memory, or access those in global memory. What threads wrote to shared memory is
    visible after `fuser_gpu.fence_async` in each of them, and a barrier.

    Example:
    ```mlir
    fuser_gpu.store_tensor %s[%c0, %c0] to %map[%row, %column]
      : memref<64x64xbf16, #gpu.address_space<workgroup>>, !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Variadic<Index>:$sourceIndices, FuserGPU_TensorMapType:$map,
                       Variadic<Index>:$coordinates);
  let assemblyFormat = [{
    $source `[` $sourceIndices `]` `to` $map `[` $coordinates `]` attr-dict `:` type($source) `,` qualified(type($map))
  }];
  let hasVerifier = 1;
}

def FuserGPU_StoreCommitOp : FuserGPU_Op<"store_commit", [FuserGPU_OrdersMemory]> {
  let summary = "makes a group of the `fuser_gpu.store_tensor` that the thread has begun since the last one";
  let description = [{
    The group may be empty.

    Example:
    ```mlir
    fuser_gpu.store_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_StoreWaitOp : FuserGPU_Op<"store_wait", [FuserGPU_OrdersMemory]> {
  let summary = "waits until all but the last groups of `fuser_gpu.store_tensor` of the thread have read shared memory";
  let description = [{
    At most `pending` groups, the ones that the thread committed last, may still read what they copy. The others may be
    writing to global memory: the next launch sees that. A thread waits for all of its groups before it returns.

    Example:
    ```mlir
    fuser_gpu.store_wait 0
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def FuserGPU_MBarrierArriveOp : FuserGPU_Op<"mbarrier_arrive", [FuserGPU_OrdersMemory]> {
  let summary = "arrives at a barrier, without bytes to wait for";
  let description = [{
    One of the `count` arrivals of the present phase. A thread that has waited for the phase sees what this thread accessed, or
    saw, before it arrived.

    Example:
    ```mlir
    fuser_gpu.mbarrier_arrive %empty[%i] : memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins FuserGPU_Barrier:$barrier, Variadic<Index>:$indices);
  let assemblyFormat = "$barrier `[` $indices `]` attr-dict `:` type($barrier)";
  let hasVerifier = 1;
}

def FuserGPU_RoleBarrierOp : FuserGPU_Op<"role_barrier", [FuserGPU_OrdersMemory]> {
  let summary = "the threads of a role wait for each other";
  let description = [{
    As `gpu.barrier`, for `threads` threads of the block, whole warps, which execute the op together. `id` (1 to 15) tells the
    barriers of roles that run at once apart.

    Example:
    ```mlir
    fuser_gpu.role_barrier 1 threads 256
    ```
  }];
  let arguments = (ins I64Attr:$id, I64Attr:$threads);
  let assemblyFormat = "$id `threads` $threads attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Synchronisation between blocks
//===----------------------------------------------------------------------===//

def FuserGPU_FenceOp : FuserGPU_Op<"fence", [FuserGPU_OrdersMemory]> {
  let summary = "orders this thread's memory accesses as seen by others";
  let description = [{
    Acquire and release: what this thread wrote, or saw, before the fence is
    visible to a thread of the scope that observes a write made after it.

    Example:
    ```mlir
    fuser_gpu.fence device
    ```
  }];
  let arguments = (ins FuserGPU_FenceScopeAttr:$scope);
  let assemblyFormat = "$scope attr-dict";
}

def FuserGPU_TicketOp : FuserGPU_Op<"ticket", [FuserGPU_OrdersMemory]> {
  let summary = "draws the next number of a counter, with release and acquire";
  let description = [{
    One thread: atomically returns the counter and adds 1 to it, modulo
    `participants`. So `participants` draws return 0, 1, ... in the order of
    arrival and leave the counter at zero for the next use. What the drawing
    thread wrote or saw before (so, after `gpu.barrier`, what its block wrote)
    is visible to every thread that draws a later number. The counter starts
    at zero.

    Example:
    ```mlir
    %t = fuser_gpu.ticket %counter[%i], %blocks : memref<?xi32>
    ```
  }];
  let arguments = (ins FuserGPU_Counter:$counter, Variadic<Index>:$indices, I32:$participants);
  let results = (outs I32:$ticket);
  let assemblyFormat = [{
    $counter `[` $indices `]` `,` $participants attr-dict `:` type($counter)
  }];
  let hasVerifier = 1;
}

def FuserGPU_AwaitOp : FuserGPU_Op<"await", [FuserGPU_OrdersMemory]> {
  let summary = "waits until a ticket of a counter was drawn, with acquire";
  let description = [{
    One thread: waits until the counter is not zero. What the threads that drew its
    tickets wrote or saw before is then visible to this one. The tickets must
    be drawn without waiting for this thread, and must not bring the counter
    back to zero: so a block may wait for one that has begun before it, whose
    ticket of another counter is a lower number.

    Example:
    ```mlir
    fuser_gpu.await %flags[%i] : memref<?xi32>
    ```
  }];
  let arguments = (ins FuserGPU_Counter:$counter, Variadic<Index>:$indices);
  let assemblyFormat = "$counter `[` $indices `]` attr-dict `:` type($counter)";
  let hasVerifier = 1;
}

def FuserGPU_LastBlockOp : FuserGPU_Op<"last_block", [FuserGPU_OrdersMemory]> {
  let summary = "tells the block that arrives last that it is the last";
  let description = [{
    All threads of the block execute it together: a block barrier, one
    `fuser_gpu.ticket`, and a broadcast of the answer. The result is the same
    in all threads of a block, and true in exactly one of `participants`
    blocks: then everything that those blocks wrote before the op is visible
    to all threads of this one. Nobody waits for another block. The counter
    starts at zero and is zero again afterwards.

    Example:
    ```mlir
    %last = fuser_gpu.last_block %counter[%i], %blocks : memref<?xi32>
    scf.if %last { ... }
    ```
  }];
  let arguments = (ins FuserGPU_Counter:$counter, Variadic<Index>:$indices, I32:$participants);
  let results = (outs I1:$isLast);
  let assemblyFormat = [{
    $counter `[` $indices `]` `,` $participants attr-dict `:` type($counter)
  }];
  let hasVerifier = 1;
}

def FuserGPU_GridSyncOp : FuserGPU_Op<"grid_sync", [FuserGPU_OrdersMemory]> {
  let summary = "waits until all blocks of the grid have arrived";
  let description = [{
    All threads of all blocks execute it together; afterwards everything
    written before it is visible to all. The launch must be cooperative. It
    may be executed any number of times on one counter: the counter's lower 31
    bits are zero between uses, the top bit flips, and a fresh counter is zero;
    the next launch may go on with it.

    Example:
    ```mlir
    fuser_gpu.grid_sync %counter[] : memref<i32>
    ```
  }];
  let arguments = (ins FuserGPU_Counter:$counter, Variadic<Index>:$indices);
  let assemblyFormat = "$counter `[` $indices `]` attr-dict `:` type($counter)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

// What a thread of a cluster waits for, or whose memory it accesses: the launch has clusters.
class FuserGPU_ClusterOp<string opMnemonic, list<Trait> traits = []> : FuserGPU_Op<opMnemonic, traits> {
  let hasVerifier = 1;
}

def FuserGPU_ClusterArriveOp : FuserGPU_ClusterOp<"cluster_arrive", [FuserGPU_OrdersMemory]> {
  let summary = "arrives at the barrier of the cluster, with release";
  let description = [{
    All threads of all blocks of the cluster execute it together with a `fuser_gpu.cluster_wait` after it. No thread
    arrives a second time before its wait. A thread may work in between, but what it accesses then is not ordered with
    the accesses of other threads by this barrier.

    Example:
    ```mlir
    fuser_gpu.cluster_arrive
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_ClusterWaitOp : FuserGPU_ClusterOp<"cluster_wait", [FuserGPU_OrdersMemory]> {
  let summary = "waits until all threads of the cluster have arrived, with acquire";
  let description = [{
    What the threads of the cluster accessed before their `fuser_gpu.cluster_arrive` is done. It orders the threads of
    one block as `gpu.barrier` does.

    Example:
    ```mlir
    fuser_gpu.cluster_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_PeerLoadOp : FuserGPU_ClusterOp<"peer_load"> {
  let summary = "reads an element or a vector from the shared memory of a block of the cluster";
  let description = [{
    Reads what `base[indices]` is in the block with the number `rank` in the cluster (x fastest). That block has begun
    and has not ended: a barrier of the cluster is before the access, and another one after it. `alignment` as in
    `fuser_gpu.load`.

    Example:
    ```mlir
    %v = fuser_gpu.peer_load %slots[%i] of %rank align 8 : memref<8xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "the memory to read", [MemRead]>:$base, Variadic<Index>:$indices, Index:$rank,
                       OptionalAttr<I64Attr>:$alignment);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $base `[` $indices `]` `of` $rank (`align` $alignment^)? attr-dict `:` type($base) `,` type($result)
  }];
  let extraClassDeclaration = [{
    /// Bytes that divide the address: `alignment`, else the size of one element.
    int64_t getAlignmentInBytes();
  }];
}

def FuserGPU_PeerStoreOp : FuserGPU_ClusterOp<"peer_store"> {
  let summary = "writes an element or a vector to the shared memory of a block of the cluster";
  let description = [{
    The counterpart of `fuser_gpu.peer_load`.

    Example:
    ```mlir
    fuser_gpu.peer_store %v, %slots[%i] of %rank : f32, memref<8xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "the memory to write", [MemWrite]>:$base,
                       Variadic<Index>:$indices, Index:$rank, OptionalAttr<I64Attr>:$alignment);
  let assemblyFormat = [{
    $value `,` $base `[` $indices `]` `of` $rank (`align` $alignment^)? attr-dict `:` type($value) `,` type($base)
  }];
  let extraClassDeclaration = [{
    /// Bytes that divide the address: `alignment`, else the size of one element.
    int64_t getAlignmentInBytes();
  }];
}

//===----------------------------------------------------------------------===//
// Launches that overlap
//===----------------------------------------------------------------------===//

def FuserGPU_WaitDependenciesOp : FuserGPU_Op<"wait_dependencies", [FuserGPU_OrdersMemory]> {
  let summary = "waits until the launches before this one have ended, with acquire";
  let description = [{
    A dependent launch (`fuser.launch dependent`) may begin before the launches before it have ended. Their accesses are done,
    and what they wrote is visible, in a thread that has executed this op. Before it, a thread only reads what no launch writes
    that may still be running. An argument that one of them writes is not `fuser_gpu.readonly`: that memory changes while
    this kernel runs.

    Each thread executes it, also one that accesses nothing, so that a launch has not ended before those before it: the op is
    in the entry block of the kernel. In any other launch, it does not wait.

    Example:
    ```mlir
    fuser_gpu.wait_dependencies
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def FuserGPU_LaunchDependentsOp : FuserGPU_Op<"launch_dependents", [FuserGPU_Convergent]> {
  let summary = "lets a dependent launch after this one begin";
  let description = [{
    A dependent launch may begin when a thread of each block of the launch before it has executed this op, or has returned. The op
    orders no memory: the dependent launch waits for the end of this one (`fuser_gpu.wait_dependencies`), so that the
    place of the op only decides when its blocks take what the multiprocessors have left.

    Example:
    ```mlir
    fuser_gpu.launch_dependents
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FUSER_DIALECT_KERNEL_KERNELOPS_TD
