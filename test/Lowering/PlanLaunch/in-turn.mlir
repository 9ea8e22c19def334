// Loops that the threads of the grid run in turn: each iteration has one thread.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch))" | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>

// There is a block for them, though the other loops have none where n is 0. What they store is not done once.
fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %z: !x from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %v: f32 from #fuser_gpu.scalar<3>, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 32 {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %y[%b * 64 + %t] = %x[%b * 64 + %t] : (!x) -> !x of tensor<?xf32>
    }
  }
  fuser_loop.for %i to (7) in_turn {
    fuser_loop.tile %z[%i] = fuser.full(%v scalar) : (f32) -> !x of (f32) -> tensor<f32>
  }
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<3>, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage launched index_bits 32 threads [64, 1, 1] grid [symbol(%[[ARG4]]) + 1 floordiv (symbol(%[[ARG4]]) + 1), 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG4]])) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG5]] * 64 + %[[ARG6]]] = %[[ARG0]][%[[ARG5]] * 64 + %[[ARG6]]]
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (7) in_turn {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG5]]] = fuser.full(%[[ARG3]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<?xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
