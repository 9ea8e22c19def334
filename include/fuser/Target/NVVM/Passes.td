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

    The module then defines the functions of libdevice that it calls, as private
    functions, and calls intrinsics by name, so that upstream's
    `gpu-lower-to-nvvm-pipeline` and `gpu-module-to-binary` compile it as it is.
    `fuser-convert-host-to-gpu` has to run before, for it reads the bindings of
    arguments.

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
  let options = [
    Option<"libdevice", "libdevice", "std::string", /*default=*/"",
           "path of libdevice.10.bc; empty: the one that the build found">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "GPU architecture whose instructions may be used; empty: those of all">
  ];
}

def EmitPTXPass : Pass<"fuser-emit-ptx", "::mlir::ModuleOp"> {
  let summary = "Compile each kernel to PTX text, in a gpu.binary";
  let description = [{
    Replaces every `gpu.module`, which holds one kernel as kernel IR or lowered,
    by a `gpu.binary` of the same name with one object: the PTX. With `output`
    the text is also written to a file, one kernel after another. A module
    without a `gpu.module` is left as it is.

    Example: `fuser-opt kernel.mlir --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null`
    prints the PTX of

    ```mlir
    gpu.module @empty {
      gpu.func @empty() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
        gpu.return
      }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "GPU architecture: sm_80, sm_90, sm_90a, sm_100a, sm_120, ...">,
    Option<"ptxVersion", "ptx-version", "unsigned", /*default=*/"0",
           "version of the PTX language times ten; 0: the oldest that the chip needs">,
    Option<"libdevice", "libdevice", "std::string", /*default=*/"",
           "path of libdevice.10.bc; empty: the one that the build found">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "LLVM's optimisation level, 0 to 3">,
    Option<"ftz", "ftz", "bool", /*default=*/"false", "treat f32 denormals as zero">,
    Option<"output", "output", "std::string", /*default=*/"",
           "file for the text, - for standard output; empty: none">,
    Option<"times", "times", "bool", /*default=*/"false",
           "add the milliseconds of each stage to the text, as a comment">
  ];
}

#endif // FUSER_TARGET_NVVM_PASSES_TD
