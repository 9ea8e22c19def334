// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s
// Combinations that do not depend on each other are done together: one barrier orders the slots of both.
!x = !fuser_loop.buffer<?x64xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

// CHECK-LABEL: fuser_loop.kernel @independent(
// CHECK-COUNT-5: shuffle {{.*}} fuser.sum
// CHECK-COUNT-5: shuffle {{.*}} fuser.max
// CHECK-NOT: barrier
// CHECK: fuser_loop.tile %[[SUMS:.*]][%{{.*}} floordiv 32] =
// CHECK-NOT: barrier
// CHECK: fuser_loop.tile %[[MAXIMA:.*]][%{{.*}} floordiv 32] =
// CHECK: fuser_loop.barrier
// CHECK: = %[[SUMS]][
// CHECK-NOT: barrier
// CHECK: = %[[MAXIMA]][
// CHECK: finalize fuser.sum
// CHECK: finalize fuser.max
// CHECK-NOT: barrier
fuser_loop.kernel @independent(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %z: !y from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [64, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    %c = fuser_loop.buffer : !a
    fuser_loop.tile %c[] = initial fuser.max() {dims = array<i64: 1>} replicated [block_x] : () -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %t]) {dims = array<i64: 1>} : (!x) -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
      fuser_loop.tile %c[] = accumulate fuser.max(%x[%b, %t]) {dims = array<i64: 1>} : (!x) -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !a of (tensor<?x64xf32>) -> tensor<?xf32>
    %s = fuser_loop.buffer : !a
    fuser_loop.tile %s[] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [64] replicated [thread_x] : (!a) -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    %d = fuser_loop.buffer : !a
    fuser_loop.tile %d[] = %c[] replicated [block_x] : (!a) -> !a of tensor<f32>
    fuser_loop.combine %d by fuser.max {dims = array<i64: 1>} over [thread_x] lanes 1 : !a of (tensor<?x64xf32>) -> tensor<?xf32>
    fuser_loop.tile %z[%b] = finalize fuser.max(%d[]) {dims = array<i64: 1>} count [64] once [thread_x] replicated [thread_x] : (!a) -> !y of (tensor<?x64xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%b] = %s[] once [thread_x] replicated [thread_x] : (!a) -> !y of tensor<?xf32>
  }
}

// The second accumulates what the first has combined.
// CHECK-LABEL: fuser_loop.kernel @dependent(
// CHECK-COUNT-5: shuffle {{.*}} fuser.sum
// CHECK: fuser_loop.barrier
// CHECK: finalize fuser.sum
// CHECK: accumulate fuser.max
// CHECK: shuffle {{.*}} fuser.max
// CHECK: fuser_loop.barrier
fuser_loop.kernel @dependent(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [64, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %t]) {dims = array<i64: 1>} : (!x) -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !a of (tensor<?x64xf32>) -> tensor<?xf32>
    %s = fuser_loop.buffer : !a
    fuser_loop.tile %s[] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [64] replicated [thread_x] : (!a) -> !a of (tensor<?x64xf32>) -> tensor<?xf32>
    %c = fuser_loop.buffer : !a
    fuser_loop.tile %c[] = initial fuser.max() {dims = array<i64: 0>} replicated [block_x] : () -> !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %c[] = accumulate fuser.max(%s[]) {dims = array<i64: 0>} replicated [thread_x] : (!a) -> !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.combine %c by fuser.max {dims = array<i64: 0>} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %y[%b] = finalize fuser.max(%c[]) {dims = array<i64: 0>} count [1] once [thread_x] replicated [thread_x] : (!a) -> !y of (tensor<?xf32>) -> tensor<f32>
  }
}
