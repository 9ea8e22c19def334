// RUN: fuser-opt %s --fuser-lower-to-nvvm=chip=sm_90 | FileCheck %s --implicit-check-not='struct<"'

// The functions that a kernel calls are defined in its module. Their named types lose the name, which would depend on
// what other threads import into the same context.

// CHECK-LABEL: gpu.module @first
// CHECK: llvm.call @__nv_sinf
// CHECK: llvm.func {{.*}}@__nv_sinf
// CHECK: llvm.mlir.undef : !llvm.struct<(i32, i32)>
gpu.module @first {
  gpu.func @first(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.sin %0 : f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @second
// CHECK: llvm.mlir.undef : !llvm.struct<(i32, i32)>
gpu.module @second {
  gpu.func @second(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.cos %0 : f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
