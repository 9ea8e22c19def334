// RUN: not fuser-opt %s -fuser-emit-ptx="libdevice=%S/Inputs/denormal-flag.ll ftz=true" 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: expected code that LLVM can compile: linking module flags 'nvvm-reflect-ftz': IDs have conflicting override values in '{{.*}}denormal-flag.ll' and 'm'
// FLAG: error: expected to link '{{.*}}denormal-flag.ll'

// RUN: not fuser-opt %s -fuser-lower-to-nvvm=libdevice=%S/Inputs/no-cfi.ll 2>&1 | FileCheck %s --check-prefix=DIALECT
// DIALECT: error: unhandled constant: ptr no_cfi @__nv_f since no_cfi is unsupported
// DIALECT: libdevice-invalid.mlir:[[#@LINE+9]]:1: error: expected functions of libdevice that the llvm dialect can express

// A function of libdevice that has the name of the kernel gets another one, also where it is called.
// RUN: fuser-opt %s -fuser-lower-to-nvvm=libdevice=%S/Inputs/called-like-the-kernel.ll | FileCheck %s --check-prefix=NAME
// NAME: llvm.func @m(%{{.*}}: !llvm.ptr)
// NAME: llvm.func internal @__nv_f(
// NAME: llvm.call @m_0() : () -> ()
// NAME: llvm.func internal @m_0()

gpu.module @m {
  llvm.func @__nv_f(f32) -> f32
  gpu.func @m(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = llvm.call @__nv_f(%0) : (f32) -> f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
