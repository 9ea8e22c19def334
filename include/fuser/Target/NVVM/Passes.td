//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_TARGET_NVVM_PASSES_TD
#define FUSER_TARGET_NVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToNVVMPass : Pass<"fuser-lower-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn kernel IR into the llvm and nvvm dialects";
  let description = [{
    Lowers every `gpu.func` of a `gpu.module` as docs/kernel-ir.md describes it:
    structured control flow, the upstream dialects of kernel IR, and the
    operations of `fuser_gpu`. Pointer arguments become bare pointers with
    `llvm.noalias`, `llvm.readonly` and `llvm.align` from the facts on them,
    `index` becomes an integer of `fuser_gpu.index_bits`, and the block size
    becomes `nvvm.maxntid`. Functions that are `llvm.func` already are left
    alone.

    Example:
    ```mlir
    gpu.func @f(%x: memref<f32> {fuser_gpu.readonly, fuser_gpu.noalias}) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      gpu.return
    }
    ```
    becomes
    ```mlir
    llvm.func @f(%x: !llvm.ptr {llvm.noalias, llvm.readonly})
        attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    ```
  }];
}

#endif // FUSER_TARGET_NVVM_PASSES_TD
