// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s
// Less than a warp of threads along x, next to those along y: shuffles combine both if both are to be combined.
!x = !fuser_loop.buffer<?x?x?xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

// Eight rows of 16 threads are four warps.
// CHECK-LABEL: fuser_loop.kernel @warps(
// CHECK-COUNT-5: shuffle {{[0-9]+}} fuser.sum
// CHECK-NOT: shuffle
// CHECK: %[[E:.*]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<4xf32, shared>
// CHECK: fuser_loop.for %[[R:.*]] to (8) on thread_y
// CHECK: fuser_loop.for %[[T:.*]] to (16) on thread_x
// CHECK: fuser_loop.tile %[[E]][(%[[R]] * 16 + %[[T]]) floordiv 32] = %{{.*}}[] if ((%[[R]] * 16 + %[[T]]) mod 32 == 0)
// CHECK: fuser_loop.barrier
// CHECK: = %[[E]][%[[T]] mod 4]
// CHECK: shuffle 2 fuser.sum
// CHECK: shuffle 1 fuser.sum
// CHECK-NOT: shuffle
fuser_loop.kernel @warps(%x: !x from #fuser_gpu.pointer<0> strides [128, 16, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [16, 8, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1, 2>} replicated [block_x] : () -> !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %r to (8) on thread_y {
      fuser_loop.for %t to (16) on thread_x {
        fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %r, %t]) {dims = array<i64: 1, 2>} : (!x) -> !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
      }
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1, 2>} over [thread_y, thread_x] lanes 1 : !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%b] = finalize fuser.sum(%a[]) {dims = array<i64: 1, 2>} count [1] once [thread_x, thread_y] replicated [thread_x, thread_y] : (!a) -> !y of (tensor<?x?x?xf32>) -> tensor<?xf32>
  }
}

// Four rows of four threads are half of a warp: planes need nothing in common.
// CHECK-LABEL: fuser_loop.kernel @half_a_warp(
// CHECK-COUNT-4: shuffle {{[0-9]+}} fuser.sum
// CHECK-NOT: shuffle
// CHECK-NOT: shared
// CHECK-NOT: barrier
// CHECK: finalize
fuser_loop.kernel @half_a_warp(%x: !x from #fuser_gpu.pointer<0> strides [16, 4, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias)
    stage launched index_bits 64 threads [4, 4, 8] grid [1, 1, 1] {
  fuser_loop.for %b to (8) on thread_z {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1, 2>} replicated [thread_z] : () -> !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %r to (4) on thread_y {
      fuser_loop.for %t to (4) on thread_x {
        fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %r, %t]) {dims = array<i64: 1, 2>} : (!x) -> !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
      }
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1, 2>} over [thread_y, thread_x] lanes 1 : !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%b] = finalize fuser.sum(%a[]) {dims = array<i64: 1, 2>} count [1] once [thread_x, thread_y] replicated [thread_x, thread_y] : (!a) -> !y of (tensor<?x?x?xf32>) -> tensor<?xf32>
  }
}

// Three rows of eight threads are no power of two: slots of threads combine the rows.
// CHECK-LABEL: fuser_loop.kernel @three_rows(
// CHECK-COUNT-3: shuffle {{[0-9]+}} fuser.sum
// CHECK-NOT: shuffle
// CHECK: fuser_loop.buffer at 0 : !fuser_loop.buffer<24xf32, shared>
// CHECK: merge fuser.sum
fuser_loop.kernel @three_rows(%x: !x from #fuser_gpu.pointer<0> strides [24, 8, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [8, 3, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1, 2>} replicated [block_x] : () -> !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %r to (3) on thread_y {
      fuser_loop.for %t to (8) on thread_x {
        fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %r, %t]) {dims = array<i64: 1, 2>} : (!x) -> !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
      }
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1, 2>} over [thread_y, thread_x] lanes 1 : !a of (tensor<?x?x?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%b] = finalize fuser.sum(%a[]) {dims = array<i64: 1, 2>} count [1] once [thread_x, thread_y] replicated [thread_x, thread_y] : (!a) -> !y of (tensor<?x?x?xf32>) -> tensor<?xf32>
  }
}
