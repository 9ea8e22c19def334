// RUN: fuser-translate %s --fuser-to-ptx | FileCheck %s
// Functions of libdevice are linked into kernel IR.

// CHECK-NOT: .extern
// CHECK: .visible .entry k(
// CHECK-NOT: __nv_
gpu.module @k {
  gpu.func @k(%x: memref<f32>) kernel {
    %0 = memref.load %x[] : memref<f32>
    %1 = math.erf %0 : f32
    memref.store %1, %x[] : memref<f32>
    gpu.return
  }
}
