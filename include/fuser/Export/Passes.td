//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_EXPORT_PASSES
#define FUSER_EXPORT_PASSES

include "mlir/Pass/PassBase.td"

def FuserConvertHostToGPU : Pass<"fuser-convert-host-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn host functions into func.func with gpu.launch_func, for embedders with a runtime of their own";
  let description = [{
    Replaces each `fuser.host @f`, whose launches name kernel IR, by `func.func @f` in upstream dialects: arguments, results
    are memrefs with strided layouts, sizes are `memref.dim` and `arith`, buffers `gpu.alloc` and `gpu.dealloc`, copies
    `gpu.memcpy`, and each launch a `gpu.launch_func` with its block, grid and shared memory; a launch whose grid may be
    empty is nested in an `scf.if`. Preconditions of a call (facts of the fusion and of its kernels) become `cf.assert`.

    A launch passes the address of a buffer or view as `!llvm.ptr`, and an index as an integer of the kernel's width; the
    parameters of launched kernels get these types, with a cast to those of kernel IR. An element of type i1 is a byte in
    memory. Calls of host functions (`fuser.call`) become `func.call`; they have to be on buffers.

    Ops that upstream dialects cannot express become calls of private functions that the embedder supplies, with a remark:

    | function | does |
    |---|---|
    | `fuser_launch_cooperative_KERNEL(grid x, y, z, block x, y, z, shared bytes: index, operands of the kernel)` | a launch whose blocks may wait for each other |
    | `fuser_library_NAME(inputs, outputs)` | a routine of a library |

    A loop over streams becomes an `scf.for` that runs in order, with a remark. The caller owns returned buffers.

    Then `fuser-lower-to-nvvm` or `fuser-emit-ptx` lowers the kernels, the module contains no op of fuser, and upstream's
    `gpu-lower-to-nvvm-pipeline` takes it to the llvm dialect (docs/guides/embed-fuser.md).

    Does nothing to a module without fusions and hosts. Fails at a fusion, at a launch of a kernel that is not lowered to
    kernel IR or that is lowered further, and at a call on tensors; the message names the pass to run first.

    Example: `test/Export/convert-host-to-gpu.mlir`.
  }];
  let statistics = [Statistic<"numHosts", "hosts", "Host functions converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // FUSER_EXPORT_PASSES
