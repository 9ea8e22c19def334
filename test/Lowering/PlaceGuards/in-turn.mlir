// Loops that the threads of the grid run in turn stay after the branch that threads which shuffle take together.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-guards))" | FileCheck %s

!x = !fuser_loop.buffer<?x32xf32, global>
!y = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [32, 1] align 4 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %z: !y from #fuser_gpu.pointer<2> strides [1] align 16 noalias, %v: f32 from #fuser_gpu.scalar<3>, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 32 threads [32, 4, 1] grid [symbol(%n) ceildiv 4, 1, 1] {
  fuser_loop.for %b to (symbol(%n) ceildiv 4) on block_x {
    fuser_loop.for %w to (4) on thread_y {
      fuser_loop.for %t to (32) on thread_x {
        %a = fuser_loop.buffer : !r
        fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [thread_x] : () -> !r of (tensor<?x32xf32>) -> tensor<?xf32>
        fuser_loop.tile %a{0} by 1 align 4 = accumulate fuser.sum(%x{(%b * 4 + %w) * 32 + %t} by 1 align 4) {dims = array<i64: 1>} if (%b * 4 + %w < symbol(%n)) : (!x) -> !r of (tensor<?x32xf32>) -> tensor<?xf32>
        fuser_loop.tile %a{0} by 1 align 4 = shuffle 1 fuser.sum() {dims = array<i64: 1>} : () -> !r of (tensor<?x32xf32>) -> tensor<?xf32>
        fuser_loop.tile %y{%b * 4 + %w} by 1 align 4 = finalize fuser.sum(%a{0} by 1 align 4) {dims = array<i64: 1>} count [32] if (%b * 4 + %w < symbol(%n)) once [thread_x] replicated [thread_x] : (!r) -> !y of (tensor<?x32xf32>) -> tensor<?xf32>
      }
    }
  }
  fuser_loop.for %i to (7) in_turn {
    %after = fuser_loop.holds (%i - 4 < 3)
    %inside = fuser_loop.holds (%i * 4 - 8 < 8)
    fuser_loop.for %v4 to (4) on vectorize {
      fuser_loop.tile %z{%after * 16 + %i * 4 + %v4} by 4 align 16 = fuser.full(%v scalar) if (%inside == 0) : (f32) -> !y of (f32) -> tensor<f32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x32xf32, global> from #fuser_gpu.pointer<0> strides [32, 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 16 noalias, %[[ARG3:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<3>, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage guarded index_bits 32 threads [32, 4, 1] grid [symbol(%[[ARG4]]) ceildiv 4, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG4]]) ceildiv 4) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (4) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (32) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.if (%[[ARG5]] * 4 + %[[ARG6]] < symbol(%[[ARG4]])) {
// CHECK-NEXT: fuser_loop.tile %[[V0]]{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 1>} replicated [thread_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x32xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]]{0} by 1 align 4 = accumulate fuser.sum(%[[ARG0]]{(%[[ARG5]] * 4 + %[[ARG6]]) * 32 + %[[ARG7]]} by 1 align 4) {dims = array<i64: 1>}
// CHECK-NEXT: : (!fuser_loop.buffer<?x32xf32, global>) -> !fuser_loop.buffer<f32, register> of (tensor<?x32xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[V0]]{0} by 1 align 4 = shuffle 1 fuser.sum() {dims = array<i64: 1>}
// CHECK-NEXT: : () -> !fuser_loop.buffer<f32, register> of (tensor<?x32xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.if () once [thread_x] {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]]{%[[ARG5]] * 4 + %[[ARG6]]} by 1 align 4 = finalize fuser.sum(%[[V0]]{0} by 1 align 4) {dims = array<i64: 1>} count [32] replicated [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x32xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (7) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG5]] - 4 < 3)
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG5]] * 4 - 8 < 8)
// CHECK-NEXT: fuser_loop.if (%[[V1]] == 0) {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]]{%[[V0]] * 16 + %[[ARG5]] * 4 + %[[ARG6]]} by 4 align 16 = fuser.full(%[[ARG3]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<?xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
