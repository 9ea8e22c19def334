// Stores of a border: vectors, if what precedes the lanes is a multiple of them on both sides of the box.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" | FileCheck %s

!y = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @sides(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias, %v: f32 from #fuser_gpu.scalar<1>, %m: index from #fuser_gpu.scalar<2>)
    stage synchronized index_bits 32 assume (symbol(%m) mod 4 == 0) threads [32, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (7) in_turn {
    %after = fuser_loop.holds (%i * 4 - 8 < 20)
    fuser_loop.for %k to (4) on vectorize {
      fuser_loop.tile %y[%after * symbol(%m) + %i * 4 + %k] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @sides(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias, %[[ARG1:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<1>, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.scalar<2>)
// CHECK-NEXT: stage accessed index_bits 32 assume (symbol(%[[ARG2]]) mod 4 == 0) threads [32, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (7) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG3]] * 4 - 8 < 20)
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG0]]{%[[V0]] * symbol(%[[ARG2]]) + %[[ARG3]] * 4 + %[[ARG4]]} by 4 align 16 = fuser.full(%[[ARG1]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<?xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A box of 6 elements.
fuser_loop.kernel @odd(%y: !y from #fuser_gpu.pointer<0> strides [1] align 16 noalias, %v: f32 from #fuser_gpu.scalar<1>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (7) in_turn {
    %after = fuser_loop.holds (%i * 4 - 8 < 20)
    fuser_loop.for %k to (4) on vectorize {
      fuser_loop.tile %y[%after * 6 + %i * 4 + %k] = fuser.full(%v scalar) : (f32) -> !y of (f32) -> tensor<f32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @odd(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 noalias, %[[ARG1:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<1>)
// CHECK-NEXT: stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (7) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG2]] * 4 - 8 < 20)
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG0]]{%[[V0]] * 6 + %[[ARG2]] * 4 + %[[ARG3]]} by 1 align 4 = fuser.full(%[[ARG1]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<?xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
