// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// A block that reduces one row after the other over its threads reads the next row while it computes.
!x = !fuser_loop.buffer<?x64xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>
!l = !fuser_loop.buffer<32xf32, register>

// Before the loop the first row, and in it the next one, if there is one. The guard of the load stays.
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK: fuser_loop.for %[[B:.*]] to (8) on block_x {
// CHECK-NEXT: %[[NEXT:.*]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %{{.*}} to (16) on thread_x {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[NEXT]][%{{.*}}] = %{{.*}}[%[[B]] * (symbol(%[[M:.*]]) ceildiv 8), {{.*}}] if (0 < symbol(%[[M]]) ceildiv 8, %[[B]] * (symbol(%[[M]]) ceildiv 8) < symbol(%[[M]]))
// CHECK: fuser_loop.for %[[ROW:.*]] to (symbol(%[[M]]) ceildiv 8) {
// CHECK-NEXT: %[[OWN:.*]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK: fuser_loop.tile %[[OWN]][%{{.*}}] = %[[NEXT]][%{{.*}}]
// CHECK-NOT: if
// CHECK: fuser_loop.tile %[[NEXT]][%{{.*}}] = %{{.*}}[{{.*}}%[[ROW]]{{.*}} + 1, {{.*}}] if (%[[ROW]] + 1 < symbol(%[[M]]) ceildiv 8, {{.*}}
// CHECK: accumulate fuser.sum(%[[OWN]][
fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [16, 1, 1] grid [8, 1, 1] {
  fuser_loop.for %b to (8) on block_x {
    fuser_loop.for %row to (symbol(%m) ceildiv 8) {
      %r = fuser_loop.buffer : !r
      fuser_loop.for %t to (16) on thread_x {
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %r[%v] = %x[%b * (symbol(%m) ceildiv 8) + %row, 4 * %t + %v] if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!x) -> !r of tensor<?x64xf32>
        }
      }
      %a = fuser_loop.buffer : !r
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %a[%v] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !r of (tensor<?x64xf32>) -> tensor<?xf32>
      }
      fuser_loop.for %t to (16) on thread_x {
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %a[%v] = accumulate fuser.sum(%r[%v]) {dims = array<i64: 1>} if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!r) -> !r of (tensor<?x64xf32>) -> tensor<?xf32>
        }
      }
      %s = fuser_loop.buffer : !s
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %s[] = fold fuser.sum(%a[%v]) {dims = array<i64: 1>} replicated [block_x] : (!r) -> !s of (tensor<?x64xf32>) -> tensor<?xf32>
      }
      fuser_loop.combine %s by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !s of (tensor<?x64xf32>) -> tensor<?xf32>
      fuser_loop.tile %y[%b * (symbol(%m) ceildiv 8) + %row] = finalize fuser.sum(%s[]) {dims = array<i64: 1>} count [64] if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) once [thread_x] : (!s) -> !y of (tensor<?x64xf32>) -> tensor<?xf32>
    }
  }
}

// 128 bytes of a thread: more registers than it has to spare.
// CHECK-LABEL: fuser_loop.kernel @long_rows(
// CHECK: on block_x {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (symbol(%{{.*}}) ceildiv 8) {
// CHECK-NEXT: %[[ROW:.*]] = fuser_loop.buffer : !fuser_loop.buffer<32xf32, register>
// CHECK-NOT: = %[[ROW]][
fuser_loop.kernel @long_rows(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [2, 1, 1] grid [8, 1, 1] {
  fuser_loop.for %b to (8) on block_x {
    fuser_loop.for %row to (symbol(%m) ceildiv 8) {
      %r = fuser_loop.buffer : !l
      fuser_loop.for %t to (2) on thread_x {
        fuser_loop.for %v to (32) on unroll {
          fuser_loop.tile %r[%v] = %x[%b * (symbol(%m) ceildiv 8) + %row, 32 * %t + %v] if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!x) -> !l of tensor<?x64xf32>
        }
      }
      %s = fuser_loop.buffer : !s
      fuser_loop.tile %s[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !s of (tensor<?x64xf32>) -> tensor<?xf32>
      fuser_loop.for %t to (2) on thread_x {
        fuser_loop.for %v to (32) on unroll {
          fuser_loop.tile %s[] = accumulate fuser.sum(%r[%v]) {dims = array<i64: 1>} if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!l) -> !s of (tensor<?x64xf32>) -> tensor<?xf32>
        }
      }
      fuser_loop.combine %s by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !s of (tensor<?x64xf32>) -> tensor<?xf32>
      fuser_loop.tile %y[%b * (symbol(%m) ceildiv 8) + %row] = finalize fuser.sum(%s[]) {dims = array<i64: 1>} count [64] if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) once [thread_x] : (!s) -> !y of (tensor<?x64xf32>) -> tensor<?xf32>
    }
  }
}

// The rows are written by the kernel too: reading one ahead could see an element before it is written.
// CHECK-LABEL: fuser_loop.kernel @in_place(
// CHECK: on block_x {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (symbol(%{{.*}}) ceildiv 8) {
// CHECK-NEXT: %[[ROW:.*]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.for
// CHECK-NEXT: fuser_loop.tile %[[ROW]][] = %{{.*}}[
fuser_loop.kernel @in_place(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [64, 1, 1] grid [8, 1, 1] {
  fuser_loop.for %b to (8) on block_x {
    fuser_loop.for %row to (symbol(%m) ceildiv 8) {
      %r = fuser_loop.buffer : !s
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %r[] = %x[%b * (symbol(%m) ceildiv 8) + %row, %t] if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!x) -> !s of tensor<?x64xf32>
      }
      %s = fuser_loop.buffer : !s
      fuser_loop.tile %s[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !s of (tensor<?x64xf32>) -> tensor<?xf32>
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %s[] = accumulate fuser.sum(%r[]) {dims = array<i64: 1>} if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!s) -> !s of (tensor<?x64xf32>) -> tensor<?xf32>
      }
      fuser_loop.combine %s by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !s of (tensor<?x64xf32>) -> tensor<?xf32>
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %x[%b * (symbol(%m) ceildiv 8) + %row, %t] = %s[] if (%b * (symbol(%m) ceildiv 8) + %row < symbol(%m)) : (!s) -> !x of tensor<?x64xf32>
      }
    }
  }
}
