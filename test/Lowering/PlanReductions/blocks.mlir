// Blocks combine their tuples through a workspace.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-reductions),canonicalize,cse)" | FileCheck %s

!x = !fuser_loop.buffer<?x?xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
// The tuples of four blocks for each row, in the order of the blocks: the last one to arrive merges them, and stores what
// would be stored once. It is known outside of the loop over the blocks.
fuser_loop.kernel @last(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage launched index_bits 64 threads [1, 1, 1] grid [symbol(%m), 4, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %s = fuser_loop.buffer : !a
    fuser_loop.for %p to (4) on block_y {
      %a = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, block_y] : () -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %a[] = accumulate fuser.sum(%x[%b, %p]) {dims = array<i64: 1>} if (%p < symbol(%n)) : (!x) -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [block_y] lanes 1 : !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %s[] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] replicated [block_y] : (!a) -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.tile %y[%b] = %s[] once [block_y] : (!a) -> !y of tensor<?xf32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @last(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG3]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage reduced index_bits 64 threads [1, 1, 1] grid [symbol(%[[ARG2]]), 4, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG2]]), 4, 1] : !fuser_loop.buffer<?x4x1xf32, global>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer zeroed [symbol(%[[ARG2]])] : !fuser_loop.buffer<?xi32, global>
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<i1, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on block_y {
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V5]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, block_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V5]][] = accumulate fuser.sum(%[[ARG0]][%[[ARG4]], %[[ARG5]]]) {dims = array<i64: 1>} if (%[[ARG5]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG4]], %[[ARG5]], 0] = %[[V5]][] replicated [block_x, block_y]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?x4x1xf32, global> of tensor<f32>
// CHECK-NEXT: fuser_loop.last_block %[[V3]] = %[[V1]][%[[ARG4]]] of (4) : !fuser_loop.buffer<i1, register>, !fuser_loop.buffer<?xi32, global>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = fuser_loop.is_last %[[V3]] : !fuser_loop.buffer<i1, register>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V7]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, block_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (%[[V6]]) {
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[V8]][%[[ARG7]]] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x, block_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[V8]][%[[ARG7]]] = %[[V0]][%[[ARG4]], %[[ARG6]] * 4 + %[[ARG7]], 0] follows [block_x, block_y] if (%[[ARG6]] * 4 + %[[ARG7]] < 4) replicated [block_x, block_y]
// CHECK-NEXT: : (!fuser_loop.buffer<?x4x1xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (4) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[V7]][] = merge fuser.sum(%[[V8]][%[[ARG7]]]) {dims = array<i64: 1>} replicated [block_x, block_y]
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[V5]][] = %[[V7]][] replicated [block_x, block_y]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of tensor<f32>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = finalize fuser.sum(%[[V5]][]) {dims = array<i64: 1>} count [symbol(%[[ARG3]])] replicated [block_y]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = fuser_loop.is_last %[[V3]] : !fuser_loop.buffer<i1, register>
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]]] = %[[V2]][] if (%[[V4]] == 1)
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }

// Each block needs the result, as a tile in a loop over the blocks reads it: all of them merge the tuples, after a
// barrier that a later stage adds. Two of the threads help each other with the blocks.
fuser_loop.kernel @everywhere(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage launched index_bits 64 threads [2, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %i to (symbol(%m)) {
    %s = fuser_loop.buffer : !a
    fuser_loop.for %b to (symbol(%n)) on block_x {
      %a = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %a[] = accumulate fuser.sum(%x[%i, %b]) {dims = array<i64: 1>} : (!x) -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.combine %a by fuser.sum {dims = array<i64: 1>} over [block_x, thread_x] lanes 1 : !a of (tensor<?x?xf32>) -> tensor<?xf32>
      fuser_loop.tile %s[] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] replicated [block_x, thread_x] : (!a) -> !a of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    fuser_loop.for %b to (symbol(%n)) on block_x {
      fuser_loop.tile %y[%i, %b] = %s[] once [thread_x] : (!a) -> !x of tensor<?x?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @everywhere(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG3]]), 1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG3]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage reduced index_bits 64 threads [2, 1, 1] grid [symbol(%[[ARG3]]), 1, 1] {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer [symbol(%[[ARG2]]), symbol(%[[ARG3]]), 1] : !fuser_loop.buffer<?x?x1xf32, global>
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG3]])) on block_x {
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = accumulate fuser.sum(%[[ARG0]][%[[ARG4]], %[[ARG5]]]) {dims = array<i64: 1>}
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (2) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG4]], %[[ARG5]], 0] = %[[V2]][] if (%[[ARG6]] == 0) replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?x?x1xf32, global> of tensor<f32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V3]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (symbol(%[[ARG3]]) ceildiv 16) {
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<8xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG8:[a-z0-9_]+]] to (8) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[V4]][%[[ARG8]]] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<8xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG8]] to (8) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[V4]][%[[ARG8]]] = %[[V0]][%[[ARG4]], (%[[ARG7]] * 8 + %[[ARG8]]) * 2 + %[[ARG6]], 0] if ((%[[ARG7]] * 8 + %[[ARG8]]) * 2 + %[[ARG6]] < symbol(%[[ARG3]])) replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<?x?x1xf32, global>) -> !fuser_loop.buffer<8xf32, register> of tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG8]] to (8) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[V3]][] = merge fuser.sum(%[[V4]][%[[ARG8]]]) {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<8xf32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = %[[V3]][] replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.tile %[[V2]][] = shuffle 1 fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = finalize fuser.sum(%[[V2]][]) {dims = array<i64: 1>} count [symbol(%[[ARG3]])] replicated [block_x, thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (symbol(%[[ARG3]])) on block_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]], %[[ARG5]]] = %[[V1]][] once [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?x?xf32, global> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// One block: nothing to combine.
fuser_loop.kernel @one_block(%y: !y from #fuser_gpu.pointer<0> strides [1] align 4 noalias)
    stage launched index_bits 32 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %b to (1) on block_x {
    %a = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = initial fuser.max() {dims = array<i64: 0>} replicated [block_x] : () -> !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.combine %a by fuser.max {dims = array<i64: 0>} over [block_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %y[0] = finalize fuser.max(%a[]) {dims = array<i64: 0>} count [1] replicated [block_x] : (!a) -> !y of (tensor<?xf32>) -> tensor<f32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @one_block(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 noalias)
// CHECK-NEXT: stage reduced index_bits 32 threads [1, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG1:[a-z0-9_]+]] to (1) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = initial fuser.max() {dims = array<i64: 0>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
// CHECK-NEXT: fuser_loop.tile %[[ARG0]][0] = finalize fuser.max(%[[V0]][]) {dims = array<i64: 0>} count [1] replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
