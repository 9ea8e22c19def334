// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// RUN: fuser-count-kernel %s | FileCheck %s --check-prefix=COUNT

// Both ops stay where they are: no access moves across the wait.
// CHECK-LABEL: gpu.func @k(
// CHECK: fuser_gpu.launch_dependents
// CHECK: memref.load
// CHECK-NEXT: fuser_gpu.wait_dependencies
// CHECK-NEXT: memref.load
// COUNT: barrier {{.*}}1 launch_dependents, 1 wait_dependencies
gpu.module @m {
  gpu.func @k(%x: memref<f32>, %y: memref<f32>) kernel {
    fuser_gpu.launch_dependents
    %a = memref.load %x[] : memref<f32>
    fuser_gpu.wait_dependencies
    %b = memref.load %x[] : memref<f32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %y[] : memref<f32>
    gpu.return
  }
}
