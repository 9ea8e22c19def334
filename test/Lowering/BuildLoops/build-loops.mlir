// One tile for each op, one buffer for each value at the scope of its inline position, in the text of stage `loops`.
// RUN: fuser-opt %s --fuser-resolve-ids --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | FileCheck %s

#v = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 128) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x, i2 @vectorize]>
fuser.kernel @vectors(%x: tensor<?xf32>) -> tensor<?xf32> attributes {
    facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#v], inline_at = 2 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#v], inline_at = 2 : i64} : tensor<?xf32>
  %2 = fuser.set %1 {domains = [#v], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @vectors(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage loops index_bits 64 assume (symbol(%[[ARG2]]) mod 4 == 0) attributes {facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to ((symbol(%[[ARG2]]) ceildiv 4) ceildiv 128) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (128) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG5]]] = %[[ARG0]][(%[[ARG3]] * 128 + %[[ARG4]]) * 4 + %[[ARG5]]] if (%[[ARG3]] * 128 + %[[ARG4]] < symbol(%[[ARG2]]) ceildiv 4)
// CHECK-NEXT: : (!fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG5]]] = fuser.exp(%[[V0]][%[[ARG5]]]) if (%[[ARG3]] * 128 + %[[ARG4]] < symbol(%[[ARG2]]) ceildiv 4)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<4xf32, register> of (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][(%[[ARG3]] * 128 + %[[ARG4]]) * 4 + %[[ARG5]]] = %[[V1]][%[[ARG5]]] if (%[[ARG3]] * 128 + %[[ARG4]] < symbol(%[[ARG2]]) ceildiv 4)
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A read that may lie outside has a guard of its own; a broadcast is read at 0; a scalar needs no index.
#m = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 64) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>
fuser.kernel @padded(%x: tensor<?x8xf32>, %s: f32, %y: tensor<1x10xf32>) -> tensor<?x10xf32> {
  %0 = fuser.pad %x low [0, 2] high [0, 0] value %s {domains = [#m], inline_at = 2 : i64} : tensor<?x8xf32>, f32 -> tensor<?x10xf32>
  %1 = fuser.add %0, %y {domains = [#m], memory = #fuser.memory<global>} : (tensor<?x10xf32>, tensor<1x10xf32>) -> tensor<?x10xf32>
  fuser.return %1 : tensor<?x10xf32>
}
// CHECK-LABEL: fuser_loop.kernel @padded(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x8xf32, global> from #fuser_gpu.pointer<0> strides [8, 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: f32 from #fuser_gpu.scalar<1>, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<1x10xf32, global> from #fuser_gpu.pointer<2> strides [0, 1] align 4 readonly noalias, %[[ARG3:[a-z0-9_]+]]: !fuser_loop.buffer<?x10xf32, global> from #fuser_gpu.pointer<3> strides [10, 1] align 4 noalias, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>)
// CHECK-NEXT: stage loops index_bits 64 {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to ((symbol(%[[ARG4]]) * 10) ceildiv 64) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[V0]][] = fuser.pad(%[[ARG0]][(%[[ARG5]] * 64 + %[[ARG6]]) floordiv 10, (%[[ARG5]] * 64 + %[[ARG6]]) mod 10 - 2] where ((%[[ARG5]] * 64 + %[[ARG6]]) mod 10 - 2 < 8), %[[ARG1]] scalar) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_high = array<i64: 0, 0>, static_low = array<i64: 0, 2>} if (%[[ARG5]] * 64 + %[[ARG6]] < symbol(%[[ARG4]]) * 10)
// CHECK-NEXT: : (!fuser_loop.buffer<?x8xf32, global>, f32) -> !fuser_loop.buffer<f32, register> of (tensor<?x8xf32>, f32) -> tensor<?x10xf32>
// CHECK-NEXT: fuser_loop.tile %[[ARG3]][(%[[ARG5]] * 64 + %[[ARG6]]) floordiv 10, (%[[ARG5]] * 64 + %[[ARG6]]) mod 10] = fuser.add(%[[V0]][], %[[ARG2]][0, (%[[ARG5]] * 64 + %[[ARG6]]) mod 10]) if (%[[ARG5]] * 64 + %[[ARG6]] < symbol(%[[ARG4]]) * 10)
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>, !fuser_loop.buffer<1x10xf32, global>) -> !fuser_loop.buffer<?x10xf32, global> of (tensor<?x10xf32>, tensor<1x10xf32>) -> tensor<?x10xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A value that is not inlined has a buffer outside of its loops, with the extents of those that are no block or thread.
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), split(i1, 3) -> (i3, i4), loop = [i3 @block_x, i4 @unroll, i2 @thread_x]>
fuser.kernel @registers(%x: tensor<384xi1>) -> tensor<384xi1> {
  %0 = fuser.set %x {domains = [#t], inline_at = 1 : i64} : tensor<384xi1>
  %1 = fuser.logical_not %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<384xi1>
  fuser.return %1 : tensor<384xi1>
}
// CHECK-LABEL: fuser_loop.kernel @registers(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<384xi1, global> from #fuser_gpu.pointer<0> strides [1] align 1 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<384xi1, global> from #fuser_gpu.pointer<1> strides [1] align 1 noalias)
// CHECK-NEXT: stage loops index_bits 32 {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (2) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<3xi1, register>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (3) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]]] = %[[ARG0]][(%[[ARG2]] * 3 + %[[ARG3]]) * 64 + %[[ARG4]]]
// CHECK-NEXT: : (!fuser_loop.buffer<384xi1, global>) -> !fuser_loop.buffer<3xi1, register> of tensor<384xi1>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (3) on unroll {
// CHECK-NEXT: fuser_loop.for %[[ARG4]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][(%[[ARG2]] * 3 + %[[ARG3]]) * 64 + %[[ARG4]]] = fuser.logical_not(%[[V0]][%[[ARG3]]])
// CHECK-NEXT: : (!fuser_loop.buffer<3xi1, register>) -> !fuser_loop.buffer<384xi1, global> of (tensor<384xi1>) -> tensor<384xi1>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A strided argument, and an offset that is a scalar.
fuser.kernel @strided(%x: tensor<?x?xf32>, %n: index) -> tensor<4x4xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>, unit],
    facts = [#fuser.fact<stride_divisible 0[0], 4>]} {
  %0 = fuser.slice %x [%n, 0] [4, 4] {memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: fuser_loop.kernel @strided(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<4x4xf32, global> from #fuser_gpu.pointer<2> strides [4, 1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.scalar<1>, %[[ARG3]]: index from #fuser_gpu.stride<0, 0>)
// CHECK-NEXT: stage loops index_bits 64 assume (symbol(%[[ARG3]]) mod 4 == 0) attributes {facts = [#fuser.fact<stride_divisible 0[0], 4>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (4) {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]], %[[ARG5]]] = fuser.slice(%[[ARG0]][%[[ARG4]] + symbol(%[[ARG2]]), %[[ARG5]]], %[[ARG2]] scalar) {operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 4, 4>}
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>, index) -> !fuser_loop.buffer<4x4xf32, global> of (tensor<?x?xf32>, index) -> tensor<4x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
