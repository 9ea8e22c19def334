// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s

!y = !fuser_loop.buffer<?xf32, global>
!d = !fuser_loop.buffer<2x2xf32, shared>
// CHECK-LABEL: fuser_loop.kernel @exchange(
// CHECK: stage accessed index_bits 64 threads [2, 1, 1] grid [1, 1, 1] cluster 2 {
fuser_loop.kernel @exchange(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4)
    stage accessed index_bits 64 threads [2, 1, 1] grid [1, 1, 1] cluster 2 {
  // CHECK-NEXT: fuser_loop.cluster_barrier arrive
  fuser_loop.cluster_barrier arrive
  // CHECK-NEXT: %[[D:.*]] = fuser_loop.buffer distributed at 16 : !fuser_loop.buffer<2x2xf32, shared>
  %d = fuser_loop.buffer distributed at 16 : !d
  // CHECK-NEXT: fuser_loop.cluster_barrier wait
  fuser_loop.cluster_barrier wait
  // CHECK-NEXT: fuser_loop.for %[[C:.*]] to (2) on cluster_x {
  fuser_loop.for %c to (2) on cluster_x {
    fuser_loop.for %t to (2) on thread_x {
      // CHECK: fuser_loop.tile %[[D]]{%[[T:.*]], %[[C]]} by 1 align 4 = %{{.*}}{%[[T]]} by 1 align 4
      fuser_loop.tile %d{%t, %c} by 1 align 4 = %y{%t} by 1 align 4 : (!y) -> !d of tensor<?xf32>
      // CHECK: fuser_loop.cluster_barrier both
      fuser_loop.cluster_barrier both
      fuser_loop.tile %y{%t} by 1 align 4 = %d{%c, %t} by 1 align 4 : (!d) -> !y of tensor<f32>
    }
  }
}
