// Columns that rows of a warp accumulate: shuffles combine these rows, whose first thread stores for all of them.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s --check-prefix=BARRIERS
!v = !fuser_loop.buffer<4xf32, register>

// Four columns of eight threads each, in 32 rows: a thread reads eight slots of one element of the 32 columns, instead of
// eight slots of each of its four, and its four results.
// CHECK-LABEL: fuser_loop.kernel @spread(
// CHECK: shuffle 16 fuser.sum
// CHECK: shuffle 8 fuser.sum
// CHECK-NOT: shuffle
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<64x4xf32, shared>
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<8x4xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[R:[a-z0-9_]+]] to (32) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (8) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[V:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[E]][%[[T]] + (%[[R]] floordiv 4) * 8, %[[V]]] = %{{.*}}[%[[V]]] if (%[[R]] mod 4 == 0)
// CHECK: %[[P:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[P]][] = initial fuser.sum()
// CHECK: fuser_loop.for %[[I:[a-z0-9_]+]] to (8) {
// CHECK-NEXT: fuser_loop.tile %[[P]][] = merge fuser.sum(%[[E]][%[[T]] floordiv 4 + %[[R]] * 2 + %[[I]] * 8, %[[T]] mod 4]) {dims = array<i64: 0>} if (%[[T]] + %[[R]] * 8 < 32)
// CHECK: fuser_loop.tile %[[S]][%[[T]] floordiv 4 + %[[R]] * 2, %[[T]] mod 4] = %[[P]][] if (%[[T]] + %[[R]] * 8 < 32)
// CHECK: fuser_loop.for %[[V]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %{{.*}}[%[[V]]] = %[[S]][%[[T]], %[[V]]]

// BARRIERS-LABEL: fuser_loop.kernel @spread(
// BARRIERS: if (%{{.*}} mod 4 == 0)
// BARRIERS: fuser_loop.barrier
// BARRIERS: merge fuser.sum
// BARRIERS: fuser_loop.barrier
// BARRIERS-NEXT: fuser_loop.for %{{.*}} to (4) on vectorize {
fuser_loop.kernel @spread(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [8, 32, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !v
  fuser_loop.for %v to (4) on vectorize {
    fuser_loop.tile %a[%v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !v of (tensor<?x?xf32>) -> tensor<?xf32>
  }
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_y] lanes 4 : !v of (tensor<?x?xf32>) -> tensor<?xf32>
  fuser_loop.for %t to (8) on thread_x {
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %y[4 * %t + %v] = finalize fuser.sum(%a[%v]) {dims = array<i64: 0>} count [3] once [thread_y] : (!v) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}

// More elements than threads: two rounds, of which the second is for some of the threads only.
// CHECK-LABEL: fuser_loop.kernel @rounds(
// CHECK: shuffle 16 fuser.sum
// CHECK-NOT: shuffle
// CHECK: fuser_loop.for %[[R:[a-z0-9_]+]] to (32) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (16) on thread_x {
// CHECK: fuser_loop.for %[[U:[a-z0-9_]+]] to (2) on unroll {
// CHECK: fuser_loop.for %[[I:[a-z0-9_]+]] to (16) {
// CHECK-NEXT: fuser_loop.tile %{{.*}}[] = merge fuser.sum(%{{.*}}[(%[[T]] floordiv 4 + %[[R]] * 4) floordiv 16 + %[[U]] * 8, (%[[T]] floordiv 4 + %[[R]] * 4) mod 16 + %[[I]] * 16, %[[T]] mod 4])
// CHECK-SAME: if (%[[T]] + %[[R]] * 16 + %[[U]] * 512 < 640)
fuser_loop.kernel @rounds(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [16, 32, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<10x4xf32, register>
  fuser_loop.for %u to (10) on unroll {
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %a[%u, %v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !fuser_loop.buffer<10x4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_y] lanes 4 : !fuser_loop.buffer<10x4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
  fuser_loop.for %t to (16) on thread_x {
    fuser_loop.for %u to (10) on unroll {
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %y[64 * %u + 4 * %t + %v] = finalize fuser.sum(%a[%u, %v]) {dims = array<i64: 0>} count [3] once [thread_y] : (!fuser_loop.buffer<10x4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
  }
}

// All rows are in one warp.
// CHECK-LABEL: fuser_loop.kernel @one_warp(
// CHECK: shuffle 16 fuser.sum
// CHECK: shuffle 8 fuser.sum
// CHECK-NOT: shared
// CHECK: finalize
fuser_loop.kernel @one_warp(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [8, 4, 2] grid [1, 1, 1] {
  fuser_loop.for %z to (2) on thread_z {
    %a = fuser_loop.buffer : !v
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %a[%v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !v of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_y] lanes 4 : !v of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (8) on thread_x {
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %y[32 * %z + 4 * %t + %v] = finalize fuser.sum(%a[%v]) {dims = array<i64: 0>} count [3] once [thread_y] : (!v) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
  }
}

// Planes of eight threads, whose rows are kept: a warp has four rows of one plane. Each thread has few slots.
// CHECK-LABEL: fuser_loop.kernel @planes(
// CHECK-NOT: shuffle
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<128xf32, shared>
// CHECK: fuser_loop.tile %[[E]][%[[X:[a-z0-9_]+]] + %[[Y:[a-z0-9_]+]] * 8 + %[[Z:[a-z0-9_]+]] * 32] = %{{.*}}[]
// CHECK: fuser_loop.for %[[I:[a-z0-9_]+]] to (4) {
// CHECK-NEXT: merge fuser.sum(%[[E]][%[[X]] + %[[Y]] * 8 + %[[I]] * 32])
fuser_loop.kernel @planes(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [8, 4, 4] grid [1, 1, 1] {
  fuser_loop.for %r to (4) on thread_y {
    fuser_loop.for %t to (8) on thread_x {
      %a = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
      fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_z] lanes 1 : !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %y[8 * %r + %t] = finalize fuser.sum(%a[]) {dims = array<i64: 0>} count [3] once [thread_z] : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}

// Columns of a cluster: its blocks begin outside of the vectors.
// BARRIERS-LABEL: fuser_loop.kernel @cluster(
// BARRIERS: fuser_loop.cluster_barrier wait
// BARRIERS-NEXT: fuser_loop.for %{{.*}} to (4) on vectorize {
// BARRIERS-NEXT: fuser_loop.tile
fuser_loop.kernel @cluster(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [8, 4, 1] grid [1, 1, 1] cluster 2 {
  fuser_loop.for %c to (2) on cluster_x {
    %a = fuser_loop.buffer : !v
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %a[%v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !v of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_y, cluster_x] lanes 4 : !v of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (8) on thread_x {
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %y[4 * %t + %v] = finalize fuser.sum(%a[%v]) {dims = array<i64: 0>} count [3] once [thread_y, cluster_x] : (!v) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
  }
}

// The same of several blocks: the last one combines their results as before, in the same slots.
// CHECK-LABEL: fuser_loop.kernel @blocks(
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<64x4xf32, shared>
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<8x4xf32, shared>
// CHECK-NOT: fuser_loop.buffer : {{.*}}shared
// CHECK: fuser_loop.last_block
// CHECK: fuser_loop.tile %[[E]][
// CHECK: fuser_loop.tile %[[S]][
// CHECK: finalize fuser.sum
fuser_loop.kernel @blocks(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [8, 32, 1] grid [1, 528, 1] {
  fuser_loop.for %b to (528) on block_y {
    %a = fuser_loop.buffer : !v
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %a[%v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !v of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [block_y, thread_y] lanes 4 : !v of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (8) on thread_x {
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %y[4 * %t + %v] = finalize fuser.sum(%a[%v]) {dims = array<i64: 0>} count [3] once [block_y, thread_y] : (!v) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
  }
}
