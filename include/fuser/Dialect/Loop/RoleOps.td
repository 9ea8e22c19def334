//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Roles: a warp that copies while the others compute.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_LOOP_ROLEOPS_TD
#define FUSER_DIALECT_LOOP_ROLEOPS_TD

include "fuser/Dialect/Loop/LoopBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FuserLoop_RolesOp : FuserLoop_Op<"roles", [
    RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "what two groups of threads of a block run at the same time";
  let description = [{
    The block has `threads` threads more than `threads` of the kernel states: these are the producers, which run the first region.
    All others run the second one. The producers follow the others: they have further indices along the slowest of x, y and z
    that the kernel splits, and whole warps. In the first region, an index of a thread counts from the first producer.

    The op is the last one of the body of its block, in which no serial loop and no thread loop is around it. No barrier of the
    block, or of more threads, is in a region: the consumers wait for each other at `barrier role`. The regions order what they
    share by phases: a producer `acquires` a stage of a circular buffer before it begins the bulk copies to it, which the consumers
    wait for (`wait_phase`) and `release`. From stage `pipelined` on.

    `registers`, of both or of none: how many registers a thread of the role has (a multiple of 8 from 24 to 256), in place of the equal
    share of all threads. Both roles are then whole warp groups (128 threads), and together have at most what
    the launch gives to the block (`fuser_gpu.set_max_registers`).

    ```mlir
    fuser_loop.roles producers 32 {
      fuser_loop.for %k to (symbol(%n)) {
        fuser_loop.acquire %s of %e[%k mod 4] phase (%k floordiv 4 - 1) if (3 < %k)
          : !fuser_loop.buffer<4x256xf32, shared> of !fuser_loop.buffer<4xi64, shared>
        // ... bulk copies to %s[%k mod 4]
      }
    } consumers {
      fuser_loop.for %k to (symbol(%n)) {
        fuser_loop.wait_phase %s of %f[%k mod 4] phase (%k floordiv 4)
          : !fuser_loop.buffer<4x256xf32, shared> of !fuser_loop.buffer<4xi64, shared>
        // ... reads of %s[%k mod 4]
        fuser_loop.release %s of %e[%k mod 4] : !fuser_loop.buffer<4x256xf32, shared> of !fuser_loop.buffer<4xi64, shared>
      }
    }
    fuser_loop.roles producers 128 registers 40 {
      // ...
    } consumers registers 232 {
      // ...
    }
    ```
  }];
  let arguments = (ins I64Attr:$threads, OptionalAttr<I64Attr>:$producerRegisters, OptionalAttr<I64Attr>:$consumerRegisters);
  let regions = (region SizedRegion<1>:$producers, SizedRegion<1>:$consumers);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getProducerBlock() { return getProducers().front(); }
    ::mlir::Block &getConsumerBlock() { return getConsumers().front(); }
    /// The roles of a kernel; null without.
    static RolesOp find(KernelOp kernel);
    /// True if an op is in the region of the producers, or in that of the consumers.
    static bool isProducer(::mlir::Operation *op);
    static bool isConsumer(::mlir::Operation *op);
    /// The slowest type of threads that a kernel splits: producers have further indices along it.
    static ::fuser::ParallelType getSlowestType(KernelOp kernel);
    /// The fewest producers of a kernel with these threads: whole warps (`inGroups`: warp groups), and whole rows of
    /// threads. 0 if its own threads are no whole warps (warp groups).
    static int64_t countProducers(KernelOp kernel, bool inGroups = false);
    bool hasRegisters() { return getProducerRegisters().has_value(); }
  }];
}

def FuserLoop_AcquireOp : FuserLoop_Op<"acquire", [AttrSizedOperandSegments]> {
  let summary = "waits until a stage of circular buffers was read";
  let description = [{
    A producer waits until the consumers have released what was in the stage before. Use number `u` of a stage is that of
    `wait_phase`; the one before it in this stage is phase `u floordiv N - 1` of N stages. `if`: the stage has been used before.

    ```mlir
    fuser_loop.acquire %s of %e[%k mod 4] phase (%k floordiv 4 - 1) if (3 < %k)
      : !fuser_loop.buffer<4x256xf32, shared> of !fuser_loop.buffer<4xi64, shared>
    ```
  }];
  let arguments = (ins Arg<Variadic<FuserLoop_BufferType>, "", [MemRead, MemWrite]>:$buffers,
                       Arg<FuserLoop_BufferType, "", [MemRead]>:$barriers, Variadic<Index>:$indices, AffineMapAttr:$use,
                       FuserLoop_ConstraintsAttr:$guard);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineExpr getPlace() { return getUse().getResult(0); }
    ::mlir::AffineExpr getPhase() { return getUse().getResult(1); }
  }];
}

def FuserLoop_ReleaseOp : FuserLoop_Op<"release", [AttrSizedOperandSegments]> {
  let summary = "tells the producers that a stage of circular buffers was read";
  let description = [{
    The threads of the consumers arrive at the barrier of the stage, each after its reads of this stage of `buffers`. All of them
    execute it.

    ```mlir
    fuser_loop.release %s of %e[%k mod 4] : !fuser_loop.buffer<4x256xf32, shared> of !fuser_loop.buffer<4xi64, shared>
    ```
  }];
  let arguments = (ins Arg<Variadic<FuserLoop_BufferType>, "", [MemRead, MemWrite]>:$buffers,
                       Arg<FuserLoop_BufferType, "", [MemRead, MemWrite]>:$barriers, Variadic<Index>:$indices,
                       AffineMapAttr:$use);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineExpr getPlace() { return getUse().getResult(0); }
  }];
}

#endif // FUSER_DIALECT_LOOP_ROLEOPS_TD
