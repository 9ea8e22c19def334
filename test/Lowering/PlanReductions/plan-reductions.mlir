// Shuffles along thread_x, and slots in shared memory for what they do not reach.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-reductions),canonicalize,cse)" | FileCheck %s

!x = !fuser_loop.buffer<?x?xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
// The first thread of each warp stores to a slot; every warp combines the slots.
fuser_loop.kernel @warps(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage launched index_bits 64 threads [64, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %t]) {dims = array<i64: 1>} if (%t < symbol(%n)) : (!x) -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !a of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%b] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] once [thread_x] replicated [thread_x] : (!a) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @warps(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG3]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%[[ARG2]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = accumulate fuser.sum(%[[ARG0]][%[[ARG4]], %[[ARG5]]]) {dims = array<i64: 1>} if (%[[ARG5]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 16 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 8 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 4 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 2 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<2xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG5]] floordiv 32] = %[[V0]][] if (%[[ARG5]] mod 32 == 0) replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<2xf32, shared> of tensor<f32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = %[[V1]][%[[ARG5]] mod 2] replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<2xf32, shared>) -> !fuser_loop.buffer<f32, register> of tensor<f32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]]] = finalize fuser.sum(%[[V0]][]) {dims = array<i64: 1>} count [symbol(%[[ARG3]])] once [thread_x] replicated [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }


// Three warps in each of two rows: a lane without a warp has the identity.
fuser_loop.kernel @rows(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4 noalias)
    stage launched index_bits 32 threads [96, 2, 1] grid [1, 1, 1] {
  fuser_loop.for %r to (2) on thread_y {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.max() {dims = array<i64: 1>} replicated [thread_y] : () -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.combine %a by fuser.max {dims = array<i64: 1>} over [thread_x] lanes 1 : !a of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.tile %y[%r] = finalize fuser.max(%a[]) {dims = array<i64: 1>} count [96] once [thread_x] replicated [thread_x] : (!a) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 noalias)
// CHECK-NEXT: stage reduced index_bits 32 threads [96, 2, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (2) on thread_y {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = initial fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 16 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 8 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 4 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 2 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 1 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<6xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (2) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (96) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG2]] * 3 + %[[ARG3]] floordiv 32] = %[[V0]][] if (%[[ARG3]] mod 32 == 0) replicated [thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<6xf32, shared> of tensor<f32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = initial fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = %[[V1]][%[[ARG2]] * 3 + %[[ARG3]] mod 4] if (%[[ARG3]] mod 4 < 3) replicated [thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<6xf32, shared>) -> !fuser_loop.buffer<f32, register> of tensor<f32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = %[[V2]][] replicated [thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of tensor<f32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 2 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = shuffle 1 fuser.max() {dims = array<i64: 1>} replicated [thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG1]]] = finalize fuser.max(%[[V0]][]) {dims = array<i64: 1>} count [96] once [thread_x] replicated [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }


// Along thread_y, all threads store vectors to slots, and each combines those of its group.
!v = !fuser_loop.buffer<2x4xf32, register>
fuser_loop.kernel @columns(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
    stage launched index_bits 32 threads [8, 3, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !v
  fuser_loop.for %u to (2) on unroll {
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %a[%u, %v] = initial fuser.sum() {dims = array<i64: 0>} : () -> !v of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_y] lanes 4 : !v of (tensor<?x?xf32>) -> tensor<?xf32>
  fuser_loop.for %t to (8) on thread_x {
    fuser_loop.for %u to (2) on unroll {
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %y[32 * %u + 4 * %t + %v] = finalize fuser.sum(%a[%u, %v]) {dims = array<i64: 0>} count [3] once [thread_y] : (!v) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @columns(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias)
// CHECK-NEXT: stage reduced index_bits 32 threads [8, 3, 1] grid [1, 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<2x4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG1]], %[[ARG2]]] = initial fuser.sum() {dims = array<i64: 0>}
// CHECK-NEXT: : () -> !fuser_loop.buffer<2x4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<2x24x4xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG1]] to (3) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (8) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG3]], %[[ARG2]] + %[[ARG1]] * 8, %[[ARG4]]] = %[[V0]][%[[ARG3]], %[[ARG4]]]
// CHECK-NEXT: : (!fuser_loop.buffer<2x4xf32, register>) -> !fuser_loop.buffer<2x24x4xf32, shared> of tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<2x4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V2]][%[[ARG3]], %[[ARG4]]] = initial fuser.sum() {dims = array<i64: 0>}
// CHECK-NEXT: : () -> !fuser_loop.buffer<2x4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (3) {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V2]][%[[ARG4]], %[[ARG5]]] = merge fuser.sum(%[[V1]][%[[ARG4]], %[[ARG2]] + %[[ARG3]] * 8, %[[ARG5]]]) {dims = array<i64: 0>}
// CHECK-NEXT: : (!fuser_loop.buffer<2x24x4xf32, shared>) -> !fuser_loop.buffer<2x4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]], %[[ARG4]]] = %[[V2]][%[[ARG3]], %[[ARG4]]]
// CHECK-NEXT: : (!fuser_loop.buffer<2x4xf32, register>) -> !fuser_loop.buffer<2x4xf32, register> of tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG1]] to (8) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[ARG2]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][%[[ARG2]] * 32 + %[[ARG1]] * 4 + %[[ARG3]]] = finalize fuser.sum(%[[V0]][%[[ARG2]], %[[ARG3]]]) {dims = array<i64: 0>} count [3] once [thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<2x4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }


// Rows of half a warp need no memory. A short row that is read after the reduction it feeds is not kept packed. A type with
// one thread needs nothing.
!h = !fuser_loop.buffer<f16, register>
!g = !fuser_loop.buffer<?xf16, global>
fuser_loop.kernel @read_again(%x: !g from #fuser_gpu.pointer<0> strides [1] align 2 readonly noalias, %y: !g from #fuser_gpu.pointer<1> strides [1] align 2 noalias)
    stage launched index_bits 32 threads [16, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (16) on thread_x {
    %h = fuser_loop.buffer : !h
    %a = fuser_loop.buffer : !a
    %s = fuser_loop.buffer : !h
    fuser_loop.tile %h[] = %x[%t] : (!g) -> !h of tensor<?xf16>
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} replicated [thread_x] : () -> !a of (tensor<?xf16>) -> tensor<f16>
    fuser_loop.tile %a[] = accumulate fuser.sum(%h[]) {dims = array<i64: 0>} : (!h) -> !a of (tensor<?xf16>) -> tensor<f16>
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x, thread_y] lanes 1 : !a of (tensor<?xf16>) -> tensor<f16>
    fuser_loop.tile %s[] = finalize fuser.sum(%a[]) {dims = array<i64: 0>} count [16] replicated [thread_x] : (!a) -> !h of (tensor<?xf16>) -> tensor<f16>
    fuser_loop.tile %y[%t] = fuser.sub(%h[], %s[]) : (!h, !h) -> !g of (tensor<?xf16>, tensor<1xf16>) -> tensor<?xf16>
  }
}
// CHECK-LABEL: fuser_loop.kernel @read_again(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf16, global> from #fuser_gpu.pointer<0> strides [1] align 2 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf16, global> from #fuser_gpu.pointer<1> strides [1] align 2 noalias)
// CHECK-NEXT: stage reduced index_bits 32 threads [16, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (16) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f16, register>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f16, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = %[[ARG0]][%[[ARG2]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf16, global>) -> !fuser_loop.buffer<f16, register> of tensor<?xf16>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = initial fuser.sum() {dims = array<i64: 0>} replicated [thread_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = accumulate fuser.sum(%[[V0]][]) {dims = array<i64: 0>}
// CHECK-NEXT: : (!fuser_loop.buffer<f16, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = shuffle 8 fuser.sum() {dims = array<i64: 0>} replicated [thread_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = shuffle 4 fuser.sum() {dims = array<i64: 0>} replicated [thread_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = shuffle 2 fuser.sum() {dims = array<i64: 0>} replicated [thread_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = shuffle 1 fuser.sum() {dims = array<i64: 0>} replicated [thread_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = finalize fuser.sum(%[[V1]][]) {dims = array<i64: 0>} count [16] replicated [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f16, register> of (tensor<?xf16>) -> tensor<f16>
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG2]]] = fuser.sub(%[[V0]][], %[[V2]][])
// CHECK-NEXT: : (!fuser_loop.buffer<f16, register>, !fuser_loop.buffer<f16, register>) -> !fuser_loop.buffer<?xf16, global> of (tensor<?xf16>, tensor<1xf16>) -> tensor<?xf16>
// CHECK-NEXT: }
// CHECK-NEXT: }
