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
    Replaces each `fuser.host @f`, whose launches name kernel IR, by `func.func @f` in stock dialects: arguments and results
    are memrefs with strided layouts, sizes are `memref.dim` and `arith`, buffers `gpu.alloc` and `gpu.dealloc`, copies
    `gpu.memcpy`, and each launch a `gpu.launch_func` with its block, grid and shared memory; a launch whose grid may be
    empty stands in an `scf.if`. What a call must satisfy (facts of the fusion and of its kernels) becomes `cf.assert`.

    A kernel gets bare pointers: the memref without dimensions that stands for one starts at the first element of the
    buffer or view. An element of type i1 is a byte in memory.

    Where stock dialects have no word, a private function stands for it, which the embedder supplies, and a remark says so:

    | function | does |
    |---|---|
    | `fuser_launch_cooperative_KERNEL(grid x, y, z, block x, y, z, shared bytes: index, operands of the kernel)` | a launch whose blocks may wait for each other |
    | `fuser_library_NAME(inputs, outputs)` | a routine of a library |

    A loop over streams becomes an `scf.for` that runs in order; a remark says that too. Returned buffers belong to the
    caller. Kernels are left alone: `fuser-lower-to-nvvm` takes them further, and the result holds no op of fuser then.

    Does nothing to a module without `fuser.host`. Fails at a launch of a kernel that is not lowered.

    Example: `test/Export/convert-host-to-gpu.mlir`.
  }];
  let statistics = [Statistic<"numHosts", "hosts", "Host functions converted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // FUSER_EXPORT_PASSES
