// Copies to the stages of a circular buffer, three iterations before they are read.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | FileCheck %s
// One barrier of an iteration, after the wait.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse,fuser_loop.kernel(fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | FileCheck %s --check-prefix=BARRIERS
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

!x = !fuser_loop.buffer<?x?xf32, global>
!y = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
!r = !fuser_loop.buffer<f32, register>

// Rows whose tiles are read in another order than they were copied in.
fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 4 readonly noalias,
                        %y: !y from #fuser_gpu.pointer<1> strides [64, 1] align 4 noalias,
                        %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 threads [64, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !r
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %k to (symbol(%n) ceildiv 64) {
      %s = fuser_loop.buffer stages 4 : !s
      fuser_loop.for %t to (64) on thread_x {
        fuser_loop.tile %s[%t] = %x[%b, %k * 64 + %t] if (%k * 64 + %t < symbol(%n)) : (!x) -> !s of tensor<?x?xf32>
        fuser_loop.tile %a[] = accumulate fuser.sum(%s[63 - %t]) {dims = array<i64: 1>} if (%k * 64 + 63 - %t < symbol(%n))
          : (!s) -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%b, %t] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] : (!r) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG1:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?x64xf32, global> from #fuser_gpu.pointer<1> strides [64, 1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG1]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage pipelined index_bits 32 threads [64, 1, 1] grid [symbol(%[[ARG3]]), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG3]])) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer stages 4 : !fuser_loop.buffer<4x64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (3) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG5]] mod 4, %[[ARG6]]] = copy %[[ARG0]][%[[ARG4]], %[[ARG5]] * 64 + %[[ARG6]]] if (%[[ARG5]] < symbol(%[[ARG1]]) ceildiv 64, %[[ARG5]] * 64 + %[[ARG6]] < symbol(%[[ARG1]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4x64xf32, shared> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.commit_copies
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (symbol(%[[ARG1]]) ceildiv 64) {
// CHECK-NEXT: fuser_loop.wait_copies %[[V1]] pending 2 : !fuser_loop.buffer<4x64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG6]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V1]][(%[[ARG5]] + 3) mod 4, %[[ARG6]]] = copy %[[ARG0]][%[[ARG4]], (%[[ARG5]] + 3) * 64 + %[[ARG6]]] if (%[[ARG5]] + 3 < symbol(%[[ARG1]]) ceildiv 64, (%[[ARG5]] + 3) * 64 + %[[ARG6]] < symbol(%[[ARG1]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4x64xf32, shared> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.commit_copies
// CHECK-NEXT: fuser_loop.for %[[ARG6]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = accumulate fuser.sum(%[[V1]][%[[ARG5]] mod 4, -%[[ARG6]] + 63]) {dims = array<i64: 1>} if (%[[ARG5]] * 64 - %[[ARG6]] + 63 < symbol(%[[ARG1]]))
// CHECK-NEXT: : (!fuser_loop.buffer<4x64xf32, shared>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG4]], %[[ARG5]]] = finalize fuser.sum(%[[V0]][]) {dims = array<i64: 1>} count [symbol(%[[ARG1]])]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?x64xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// BARRIERS-LABEL: fuser_loop.kernel @rows(
// BARRIERS-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG1:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?x64xf32, global> from #fuser_gpu.pointer<1> strides [64, 1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG1]]: index from #fuser_gpu.size<0, 1>)
// BARRIERS-NEXT: stage synchronized index_bits 32 threads [64, 1, 1] grid [symbol(%[[ARG3]]), 1, 1] {
// BARRIERS-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG3]])) on block_x {
// BARRIERS-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// BARRIERS-NEXT: fuser_loop.tile %[[V0]][] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// BARRIERS-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// BARRIERS-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer stages 4 at 0 : !fuser_loop.buffer<4x64xf32, shared>
// BARRIERS-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (3) on unroll {
// BARRIERS-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (64) on thread_x {
// BARRIERS-NEXT: fuser_loop.tile %[[V1]][%[[ARG5]] mod 4, %[[ARG6]]] = copy %[[ARG0]][%[[ARG4]], %[[ARG5]] * 64 + %[[ARG6]]] if (%[[ARG5]] < symbol(%[[ARG1]]) ceildiv 64, %[[ARG5]] * 64 + %[[ARG6]] < symbol(%[[ARG1]]))
// BARRIERS-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4x64xf32, shared> of tensor<?x?xf32>
// BARRIERS-NEXT: }
// BARRIERS-NEXT: fuser_loop.commit_copies
// BARRIERS-NEXT: }
// BARRIERS-NEXT: fuser_loop.for %[[ARG5]] to (symbol(%[[ARG1]]) ceildiv 64) {
// BARRIERS-NEXT: fuser_loop.wait_copies %[[V1]] pending 2 : !fuser_loop.buffer<4x64xf32, shared>
// BARRIERS-NEXT: fuser_loop.barrier
// BARRIERS-NEXT: fuser_loop.for %[[ARG6]] to (64) on thread_x {
// BARRIERS-NEXT: fuser_loop.tile %[[V1]][(%[[ARG5]] + 3) mod 4, %[[ARG6]]] = copy %[[ARG0]][%[[ARG4]], (%[[ARG5]] + 3) * 64 + %[[ARG6]]] if (%[[ARG5]] + 3 < symbol(%[[ARG1]]) ceildiv 64, (%[[ARG5]] + 3) * 64 + %[[ARG6]] < symbol(%[[ARG1]]))
// BARRIERS-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4x64xf32, shared> of tensor<?x?xf32>
// BARRIERS-NEXT: }
// BARRIERS-NEXT: fuser_loop.commit_copies
// BARRIERS-NEXT: fuser_loop.for %[[ARG6]] to (64) on thread_x {
// BARRIERS-NEXT: fuser_loop.tile %[[V0]][] = accumulate fuser.sum(%[[V1]][%[[ARG5]] mod 4, -%[[ARG6]] + 63]) {dims = array<i64: 1>} if (%[[ARG5]] * 64 - %[[ARG6]] + 63 < symbol(%[[ARG1]]))
// BARRIERS-NEXT: : (!fuser_loop.buffer<4x64xf32, shared>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// BARRIERS-NEXT: }
// BARRIERS-NEXT: }
// BARRIERS-NEXT: fuser_loop.for %[[ARG5]] to (64) on thread_x {
// BARRIERS-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG4]], %[[ARG5]]] = finalize fuser.sum(%[[V0]][]) {dims = array<i64: 1>} count [symbol(%[[ARG1]])]
// BARRIERS-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?x64xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
// BARRIERS-NEXT: }
// BARRIERS-NEXT: }
// BARRIERS-NEXT: }
