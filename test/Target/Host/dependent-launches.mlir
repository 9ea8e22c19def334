// RUN: fuser-opt --fuser-lower-to-host %s | FileCheck %s
// RUN: fuser-opt --fuser-lower-to-host=check-accesses %s | FileCheck %s --check-prefix=CHECKED

// The wait is a call, also without checks: the loader refuses dependent launches of kernels without one. An argument that
// is a fact not to change is read as such (4), any other one as memory (0).
// CHECK-LABEL: module @k
// CHECK: llvm.func internal @fuser_host_entry_k(%[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.call @fuser_host_wait_dependencies(%[[CTX]])
// CHECK: llvm.mlir.constant(256 : i32)
// The size of the element, then the kind.
// CHECKED: llvm.mlir.constant(4 : i32)
// CHECKED-NEXT: %[[UNCHANGED:.*]] = llvm.mlir.constant(4 : i32)
// CHECKED-NEXT: llvm.call @fuser_host_check_access({{.*}}, %[[UNCHANGED]])
// CHECKED: llvm.call @fuser_host_wait_dependencies
// CHECKED: llvm.mlir.constant(4 : i32)
// CHECKED-NEXT: %[[MEMORY:.*]] = llvm.mlir.constant(0 : i32)
// CHECKED-NEXT: llvm.call @fuser_host_check_access({{.*}}, %[[MEMORY]])
gpu.module @k {
  gpu.func @k(%w: memref<f32> {fuser_gpu.readonly}, %x: memref<f32>, %y: memref<f32>) kernel {
    fuser_gpu.launch_dependents
    %weight = memref.load %w[] : memref<f32>
    fuser_gpu.wait_dependencies
    %v = memref.load %x[] : memref<f32>
    %sum = arith.addf %v, %weight : f32
    memref.store %sum, %y[] : memref<f32>
    gpu.return
  }
}
