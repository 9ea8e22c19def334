// Borders: loops over the elements outside of the boxes, which the threads of the grid run in turn.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | FileCheck %s

// A loop for each slab. After the first slab, dimension 0 is in the box. Vectors of 4: all offsets and sizes of the fastest
// dimension are multiples of it.
fuser.kernel @slabs(%v: f32) -> tensor<66x128xf32> attributes {facts = [#fuser.fact<aligned 1, 16>]} {
  %0 = fuser.border %v outside [1, 4] [64, 96] : f32 -> tensor<66x128xf32>
  fuser.return %0 : tensor<66x128xf32>
}
// CHECK-LABEL: fuser_loop.kernel @slabs(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<66x128xf32, global> from #fuser_gpu.pointer<1> strides [128, 1] align 16 noalias)
// CHECK-NEXT: stage loops index_bits 32 attributes {facts = [#fuser.fact<aligned 1, 16>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (64) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG2]] floordiv 32 - 1 < 1)
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[V0]] * 64 + %[[ARG2]] floordiv 32, (%[[ARG2]] mod 32) * 4 + %[[ARG3]]] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<66x128xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (512) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds ((%[[ARG2]] mod 8) * 4 - 4 < 28)
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG2]] floordiv 8 + 1, %[[V0]] * 96 + (%[[ARG2]] mod 8) * 4 + %[[ARG3]]] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<66x128xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A box at the beginning of a dimension, at its end, and one that covers it need no comparison.
fuser.kernel @sides(%v: f32) -> tensor<8x9x6xf32> {
  %0 = fuser.border %v outside [0, 4, 0] [6, 5, 6] : f32 -> tensor<8x9x6xf32>
  fuser.return %0 : tensor<8x9x6xf32>
}
// CHECK-LABEL: fuser_loop.kernel @sides(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<8x9x6xf32, global> from #fuser_gpu.pointer<1> strides [54, 6, 1] align 4 noalias)
// CHECK-NEXT: stage loops index_bits 32 {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (108) in_turn {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][(%[[ARG2]] floordiv 6) floordiv 9 + 6, (%[[ARG2]] floordiv 6) mod 9, %[[ARG2]] mod 6] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<8x9x6xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (144) in_turn {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][(%[[ARG2]] floordiv 6) floordiv 4, (%[[ARG2]] floordiv 6) mod 4, %[[ARG2]] mod 6] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<8x9x6xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }

// An output that is permuted: the slabs are those of its memory.
fuser.kernel @permuted(%v: f32) -> tensor<16x8xf32> attributes {facts = [#fuser.fact<aligned 1, 16>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.border %v outside [4, 1] [8, 6] : f32 -> tensor<16x8xf32>
  fuser.return %0 : tensor<16x8xf32>
}
// CHECK-LABEL: fuser_loop.kernel @permuted(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<16x8xf32, global> from #fuser_gpu.pointer<1> strides [1, 16] align 16 noalias)
// CHECK-NEXT: stage loops index_bits 32 attributes {facts = [#fuser.fact<aligned 1, 16>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (8) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG2]] floordiv 4 - 1 < 1)
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][(%[[ARG2]] mod 4) * 4 + %[[ARG3]], %[[V0]] * 6 + %[[ARG2]] floordiv 4] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<16x8xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (12) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds ((%[[ARG2]] mod 2) * 4 - 4 < 4)
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[V0]] * 8 + (%[[ARG2]] mod 2) * 4 + %[[ARG3]], %[[ARG2]] floordiv 2 + 1] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<16x8xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A part of another buffer: what divides its stride bounds the width, 2 of the 4 elements that the offsets permit.
fuser.kernel @strided(%v: f32, %b: tensor<6x8xf32>) -> tensor<6x8xf32> attributes {aliases = [#fuser.alias<output 0, input 1>], arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<stride_divisible 1[0], 2>]} {
  %0 = fuser.border %v outside [0, 4] [6, 4] : f32 -> tensor<6x8xf32>
  fuser.return %0 : tensor<6x8xf32>
}
// CHECK-LABEL: fuser_loop.kernel @strided(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<6x8xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 16 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<6x8xf32, global> from #fuser_gpu.pointer<2> strides [symbol(%[[ARG4:[a-z0-9_]+]]), 1] align 16 noalias, %[[ARG3]]: index from #fuser_gpu.stride<1, 0>, %[[ARG4]]: index from #fuser_gpu.stride<2, 0>)
// CHECK-NEXT: stage loops index_bits 64 assume (symbol(%[[ARG3]]) mod 2 == 0, symbol(%[[ARG4]]) mod 2 == 0) attributes {facts = [#fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<stride_divisible 1[0], 2>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (12) in_turn {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (2) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG5]] floordiv 2, (%[[ARG5]] mod 2) * 2 + %[[ARG6]]] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<6x8xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// Sizes and offsets of the call. The element is converted by the op.
fuser.kernel @dynamic(%x: tensor<?x?xbf16>, %v: f32, %m: index, %n: index, %o: index) -> tensor<?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %0 = fuser.border %v sizes(%m, %n) outside [%o, 2] [%d0, %d1] : f32 -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
// CHECK-LABEL: fuser_loop.kernel @dynamic(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG4:[a-z0-9_]+]]), 1] align 2 readonly noalias, %[[ARG1:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<1>, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xbf16, global> from #fuser_gpu.pointer<5> strides [symbol(%[[ARG6:[a-z0-9_]+]]), 1] align 2 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG4]]: index from #fuser_gpu.size<0, 1>, %[[ARG5:[a-z0-9_]+]]: index from #fuser_gpu.scalar<2>, %[[ARG6]]: index from #fuser_gpu.scalar<3>, %[[ARG7:[a-z0-9_]+]]: index from #fuser_gpu.scalar<4>)
// CHECK-NEXT: stage loops index_bits 64 {
// CHECK-NEXT: fuser_loop.for %[[ARG8:[a-z0-9_]+]] to ((symbol(%[[ARG5]]) - symbol(%[[ARG3]])) * symbol(%[[ARG6]])) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG8]] floordiv symbol(%[[ARG6]]) - symbol(%[[ARG7]]) < symbol(%[[ARG5]]) - symbol(%[[ARG3]]) - symbol(%[[ARG7]]))
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[V0]] * symbol(%[[ARG3]]) + %[[ARG8]] floordiv symbol(%[[ARG6]]), %[[ARG8]] mod symbol(%[[ARG6]])] = fuser.full(%[[ARG1]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<?x?xbf16, global> of (f32) -> tensor<bf16>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG8:[a-z0-9_]+]] to (symbol(%[[ARG3]]) * (symbol(%[[ARG6]]) - symbol(%[[ARG4]]))) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG8]] mod (symbol(%[[ARG6]]) - symbol(%[[ARG4]])) - 2 < symbol(%[[ARG6]]) - symbol(%[[ARG4]]) - 2)
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG8]] floordiv (symbol(%[[ARG6]]) - symbol(%[[ARG4]])) + symbol(%[[ARG7]]), %[[V0]] * symbol(%[[ARG4]]) + %[[ARG8]] mod (symbol(%[[ARG6]]) - symbol(%[[ARG4]]))] = fuser.full(%[[ARG1]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<?x?xbf16, global> of (f32) -> tensor<bf16>
// CHECK-NEXT: }
// CHECK-NEXT: }

// Elements of the second box are skipped.
fuser.kernel @boxes(%v: f32, %o: index) -> tensor<20x20xf32> {
  %0 = fuser.border %v outside [1, 2, 10, %o] [8, 16, 4, 4] : f32 -> tensor<20x20xf32>
  fuser.return %0 : tensor<20x20xf32>
}
// CHECK-LABEL: fuser_loop.kernel @boxes(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<20x20xf32, global> from #fuser_gpu.pointer<2> strides [20, 1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.scalar<1>)
// CHECK-NEXT: stage loops index_bits 32 {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (240) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG3]] floordiv 20 - 1 < 11)
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.holds (%[[V0]] * 8 + %[[ARG3]] floordiv 20 - 10 < 4, %[[ARG3]] mod 20 - symbol(%[[ARG2]]) < 4)
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[V0]] * 8 + %[[ARG3]] floordiv 20, %[[ARG3]] mod 20] = fuser.full(%[[ARG0]] scalar) if (%[[V1]] == 0)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<20x20xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (32) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG3]] mod 4 - 2 < 2)
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG3]] floordiv 4 - 9 < 4, %[[V0]] * 16 + %[[ARG3]] mod 4 - symbol(%[[ARG2]]) < 4)
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]] floordiv 4 + 1, %[[V0]] * 16 + %[[ARG3]] mod 4] = fuser.full(%[[ARG0]] scalar) if (%[[V1]] == 0)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<20x20xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }

// A size that is no expression over sizes: one loop over all elements, which skips those of the box.
fuser.kernel @computed(%v: f32, %o: index, %m: index, %n: index) -> tensor<20xf32> {
  %s = arith.maxsi %m, %n : index
  %0 = fuser.border %v outside [%o] [%s] : f32 -> tensor<20xf32>
  fuser.return %0 : tensor<20xf32>
}
// CHECK-LABEL: fuser_loop.kernel @computed(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<20xf32, global> from #fuser_gpu.pointer<4> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.scalar<1>, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.scalar<2>, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.scalar<3>)
// CHECK-NEXT: stage loops index_bits 32 {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.maxsi %[[ARG3]], %[[ARG4]] : index
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (20) in_turn {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG5]] - symbol(%[[ARG2]]) < %[[V0]])
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG5]]] = fuser.full(%[[ARG0]] scalar) if (%[[V1]] == 0)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<20xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }

// An offset that is no expression.
fuser.kernel @offset(%v: f32, %m: index, %n: index) -> tensor<20x8xf32> {
  %o = arith.maxsi %m, %n : index
  %0 = fuser.border %v outside [0, %o] [10, 4] : f32 -> tensor<20x8xf32>
  fuser.return %0 : tensor<20x8xf32>
}
// CHECK-LABEL: fuser_loop.kernel @offset(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<0>, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<20x8xf32, global> from #fuser_gpu.pointer<3> strides [8, 1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.scalar<1>, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.scalar<2>)
// CHECK-NEXT: stage loops index_bits 32 {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = arith.maxsi %[[ARG2]], %[[ARG3]] : index
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (80) in_turn {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]] floordiv 8 + 10, %[[ARG4]] mod 8] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<20x8xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (40) in_turn {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG4]] mod 4 - %[[V0]] < -%[[V0]] + 4)
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]] floordiv 4, %[[V1]] * 4 + %[[ARG4]] mod 4] = fuser.full(%[[ARG0]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<20x8xf32, global> of (f32) -> tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }

// The extent is a constant, the size of the box is not: the number of vectors is a quotient of their difference.
fuser.kernel @difference(%x: tensor<?xbf16>, %v: f32) -> tensor<102xbf16> attributes {facts = [#fuser.fact<aligned 2, 4>, #fuser.fact<divisible 0[0], 2>]} {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?xbf16>
  %0 = fuser.border %v outside [2] [%d0] : f32 -> tensor<102xbf16>
  fuser.return %0 : tensor<102xbf16>
}
// CHECK-LABEL: fuser_loop.kernel @difference(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xbf16, global> from #fuser_gpu.pointer<0> strides [1] align 2 readonly noalias, %[[ARG1:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<1>, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<102xbf16, global> from #fuser_gpu.pointer<2> strides [1] align 4 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage loops index_bits 64 assume (symbol(%[[ARG3]]) mod 2 == 0) attributes {facts = [#fuser.fact<aligned 2, 4>, #fuser.fact<divisible 0[0], 2>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to ((-symbol(%[[ARG3]]) + 102) ceildiv 2) in_turn {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.holds (%[[ARG4]] * 2 - 2 < -symbol(%[[ARG3]]) + 100)
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (2) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[V0]] * symbol(%[[ARG3]]) + %[[ARG4]] * 2 + %[[ARG5]]] = fuser.full(%[[ARG1]] scalar)
// CHECK-NEXT: : (f32) -> !fuser_loop.buffer<102xbf16, global> of (f32) -> tensor<bf16>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
