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
  ];
}

def FuserLowerKernels : Pass<"fuser-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower scheduled kernels to kernel IR: loops, indices, predicates, memory, barriers";
  let description = [{
    Replaces each `fuser.kernel` by a `gpu.module` of the same name with one `gpu.func` that computes what the domains,
    memory types and inline positions on its ops say (docs/lowering.md), whatever put them there. Launches in
    `fuser.host` are redirected. What a schedule relies on and the kernel's facts do not prove (a vector width that
    does not divide, a register value without a bound, loops that cannot be shared) is a diagnostic at the op.

    Does nothing to a module without `fuser.kernel`.

    Example: test/Lowering/pointwise.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::fuser::kernel_ir::FuserGPUDialect"];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "227 * 1024",
           "the shared memory that a block of the target can have, in bytes">,
    Option<"approximateMath", "approximate-math", "bool", "false",
           "compute f32 functions and divisions by the GPU's approximations (docs/approximate-math.md): changes results">,
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

#endif // FUSER_LOWERING_PASSES
