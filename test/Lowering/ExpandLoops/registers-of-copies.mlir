// Each copy of a loop that is written out has registers of its own: what a guard leaves undefined in one is not what the copy before had.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser-expand-loops)" | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>

// CHECK-LABEL: gpu.func @copies
// CHECK-DAG: %[[FIRST:.*]] = memref.alloca() {{.*}} : memref<1xf32>
// CHECK-DAG: %[[SECOND:.*]] = memref.alloca() {{.*}} : memref<1xf32>
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[ONE:.*]][%{{.*}}] : memref<1xf32>
// CHECK: memref.load %[[ONE]]
// CHECK: scf.if
// CHECK-NOT: memref.store %{{.*}}, %[[ONE]][
// CHECK: memref.store %{{.*}}, %[[OTHER:.*]][%{{.*}}] : memref<1xf32>
// CHECK-NOT: memref.load %[[ONE]]
// CHECK: memref.load %[[OTHER]]
fuser_loop.kernel @copies(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 threads [128, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (128) on thread_x {
    fuser_loop.for %u to (2) on unroll {
      %r = fuser_loop.buffer : !r
      fuser_loop.if (%u * 128 + %t < symbol(%n)) {
        fuser_loop.tile %r{0} by 1 align 4 = %x{%u * 128 + %t} by 1 align 4 : (!x) -> !r of tensor<?xf32>
      }
      fuser_loop.tile %y{%u * 128 + %t} by 1 align 4 = fuser.exp(%r{0} by 1 align 4) : (!r) -> !x of (tensor<?xf32>) -> tensor<?xf32>
    }
  }
}
