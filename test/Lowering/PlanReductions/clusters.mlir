// Blocks of a cluster send what their threads have combined to a slot of each block, which combines its slots in order.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-reductions),canonicalize,cse)" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s --check-prefix=BARRIERS

!x = !fuser_loop.buffer<?x?xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
// CHECK-LABEL: fuser_loop.kernel @sums(
// CHECK: threads [64, 1, 1] grid [symbol(%{{.*}}), 1, 1] cluster 4 {
// CHECK: fuser_loop.tile %[[S:[a-z0-9_]+]][] = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [block_x, cluster_x]
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer distributed : !fuser_loop.buffer<4x4xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[C:[a-z0-9_]+]] to (4) on cluster_x {
// CHECK-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[E]][%[[T]], %[[C]]] = %[[S]][] if (%[[T]] < 4) replicated [block_x, cluster_x]
// CHECK: %[[P:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[P]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, cluster_x]
// CHECK: fuser_loop.for %[[I:[a-z0-9_]+]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[P]][] = merge fuser.sum(%[[E]][%[[C]], %[[I]]]) {dims = array<i64: 1>} replicated [block_x, cluster_x]
// CHECK: }
// CHECK-NEXT: fuser_loop.tile %[[S]][] = %[[P]][] replicated [block_x, cluster_x]

// Peers have begun before the first message, and have sent theirs before the slots are read.
// BARRIERS-LABEL: fuser_loop.kernel @sums(
// BARRIERS: cluster 4 {
// BARRIERS-NEXT: fuser_loop.cluster_barrier arrive
// BARRIERS: %[[E:[a-z0-9_]+]] = fuser_loop.buffer distributed at
// BARRIERS-NEXT: fuser_loop.for %[[C:[a-z0-9_]+]] to (4) on cluster_x {
// BARRIERS-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (64) on thread_x {
// BARRIERS-NEXT: fuser_loop.cluster_barrier wait
// BARRIERS-NEXT: fuser_loop.tile %[[E]][%[[T]], %[[C]]]
// BARRIERS: fuser_loop.cluster_barrier both
// BARRIERS-NEXT: fuser_loop.for %{{.*}} to (4) on unroll {
// BARRIERS-NOT: cluster_barrier
// BARRIERS: fuser_loop.kernel @rows(
fuser_loop.kernel @sums(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage launched index_bits 64 threads [64, 1, 1] grid [symbol(%m), 1, 1] cluster 4 {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    fuser_loop.for %c to (4) on cluster_x {
      %a = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, cluster_x] : () -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %c * 64 + %t]) {dims = array<i64: 1>} if (%c * 64 + %t < symbol(%n)) : (!x) -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
      }
      fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [thread_x, cluster_x] lanes 1 : !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %y[%b] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] once [thread_x, cluster_x] replicated [thread_x, cluster_x] : (!a) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}

// Two rows of two threads each: a slot for each row and block, and two rounds of messages.
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer distributed : !fuser_loop.buffer<3x6xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[C:[a-z0-9_]+]] to (3) on cluster_x {
// CHECK-NEXT: fuser_loop.for %[[R:[a-z0-9_]+]] to (2) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[T:[a-z0-9_]+]] to (2) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[U:[a-z0-9_]+]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[E]][%[[U]] * 2 + %[[T]], %[[C]] * 2 + %[[R]]] = %{{.*}}[] if (%[[U]] * 2 + %[[T]] < 3)
// CHECK: merge fuser.sum(%[[E]][%[[C]], %{{[a-z0-9_]+}} * 2 + %[[R]]])
fuser_loop.kernel @rows(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4 noalias)
    stage launched index_bits 32 threads [2, 2, 1] grid [1, 1, 1] cluster 3 {
  fuser_loop.for %r to (2) on thread_y {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [thread_y] : () -> !a of (tensor<2x6xf32>) -> tensor<2xf32>
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [thread_x, cluster_x] lanes 1 : !a of (tensor<2x6xf32>) -> tensor<2xf32>
    fuser_loop.tile %y[%r] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [6] once [thread_x, cluster_x] replicated [thread_x, cluster_x] : (!a) -> !y of (tensor<2x6xf32>) -> tensor<2xf32>
  }
}

// Tuples in lanes are merged by a loop: a copy for each block would be as long as one.
// CHECK-LABEL: fuser_loop.kernel @tuples(
// CHECK: %[[E:[a-z0-9_]+]] = fuser_loop.buffer distributed : !fuser_loop.buffer<4x4x4xf32, shared>
// CHECK: fuser_loop.for %[[I:[a-z0-9_]+]] to (4) {
// CHECK-NEXT: fuser_loop.for %[[V:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %{{.*}} = merge fuser.max_sum_exp(%[[E]][%{{[a-z0-9_]+}}, %[[I]], %[[V]]], %
fuser_loop.kernel @tuples(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4 noalias, %z: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias)
    stage launched index_bits 32 threads [1, 1, 1] grid [1, 1, 1] cluster 4 {
  %a = fuser_loop.buffer : !v
  %b = fuser_loop.buffer : !v
  fuser_loop.for %v to (4) on vectorize {
    fuser_loop.tile %a[%v], %b[%v] = initial fuser.max_sum_exp() {dims = array<i64: 0>} : () -> (!v, !v) of (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  }
  fuser_loop.combine %a, %b by fuser.max_sum_exp {dims = array<i64: 0>} over [cluster_x] lanes 4 : !v, !v of (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  fuser_loop.for %v to (4) on vectorize {
    fuser_loop.tile %y[%v], %z[%v] = finalize fuser.max_sum_exp(%a[%v], %b[%v]) {dims = array<i64: 0>} count [4] once [cluster_x] replicated [cluster_x] : (!v, !v) -> (!y, !y) of (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  }
}
