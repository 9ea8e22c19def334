// Indices that are no affine expressions: data, dimensions that an op reads whole, swizzles; and stores of one lane.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | FileCheck %s

// Rows at data: one index for all lanes.
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_x, i3 @vectorize]>
fuser.kernel @rows(%x: tensor<?x64xf32>, %i: tensor<?xi64>) -> tensor<?x64xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.index_select %x, %i dim 0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  fuser.return %0 : tensor<?x64xf32>
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x64xf32, global> from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xi64, global> from #fuser_gpu.pointer<1> strides [1] align 8 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?x64xf32, global> from #fuser_gpu.pointer<2> strides [64, 1] align 16 noalias, %[[ARG3:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>)
// CHECK-NEXT: stage loops index_bits 64 attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG4]])) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (16) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.index %[[ARG1]][%[[ARG5]]] : !fuser_loop.buffer<?xi64, global>
// CHECK-NEXT: fuser_loop.tile %[[ARG2]][%[[ARG5]], %[[ARG6]] * 4 + %[[ARG7]]] = fuser.index_select(%[[ARG0]][%[[V0]], %[[ARG6]] * 4 + %[[ARG7]]] where (%[[V0]] < symbol(%[[ARG3]])), %[[ARG1]][%[[ARG5]]]) {dim = 0 : i64}
// CHECK-NEXT: : (!fuser_loop.buffer<?x64xf32, global>, !fuser_loop.buffer<?xi64, global>) -> !fuser_loop.buffer<?x64xf32, global> of (tensor<?x64xf32>, tensor<?xi64>) -> tensor<?x64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// The source and the index are read whole along dimension 0.
#s = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 64) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>
fuser.kernel @scatter(%src: tensor<?x8xf32>, %i: tensor<?x8xi64>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.scatter %src at %i into %x dim 0 {domains = [#s], memory = #fuser.memory<global>} : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
// CHECK-LABEL: fuser_loop.kernel @scatter(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x8xf32, global> from #fuser_gpu.pointer<0> strides [8, 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x8xi64, global> from #fuser_gpu.pointer<1> strides [8, 1] align 8 readonly noalias, %[[ARG2:[a-z0-9_]+]]: !fuser_loop.buffer<?x8xf32, global> from #fuser_gpu.pointer<2> strides [8, 1] align 4 readonly noalias, %[[ARG3:[a-z0-9_]+]]: !fuser_loop.buffer<?x8xf32, global> from #fuser_gpu.pointer<3> strides [8, 1] align 4 noalias, %[[ARG4:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG5:[a-z0-9_]+]]: index from #fuser_gpu.size<1, 0>, %[[ARG6:[a-z0-9_]+]]: index from #fuser_gpu.size<2, 0>)
// CHECK-NEXT: stage loops index_bits 64 {
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to ((symbol(%[[ARG6]]) * 8) ceildiv 64) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG8:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.whole to (symbol(%[[ARG4]]))
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.whole to (symbol(%[[ARG5]]))
// CHECK-NEXT: fuser_loop.tile %[[ARG3]][%[[ARG7]] * 8 + %[[ARG8]] floordiv 8, %[[ARG8]] mod 8] = fuser.scatter(%[[ARG0]][%[[V0]], %[[ARG8]] mod 8] where (%[[V0]] < symbol(%[[ARG4]])), %[[ARG1]][%[[V1]], %[[ARG8]] mod 8] where (%[[V1]] < symbol(%[[ARG5]])), %[[ARG2]][%[[ARG7]] * 8 + %[[ARG8]] floordiv 8, %[[ARG8]] mod 8]) {dim = 0 : i64} at [%[[ARG7]] * 8 + %[[ARG8]] floordiv 8, %[[ARG8]] mod 8, %[[V0]], %[[V1]]] if (%[[ARG7]] * 64 + %[[ARG8]] < symbol(%[[ARG6]]) * 8)
// CHECK-NEXT: : (!fuser_loop.buffer<?x8xf32, global>, !fuser_loop.buffer<?x8xi64, global>, !fuser_loop.buffer<?x8xf32, global>) -> !fuser_loop.buffer<?x8xf32, global> of (tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// A transpose through a tile in shared memory whose columns are swizzled by its rows.
#load = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 16) -> (i4, i5), swizzle(i3, i5, 1) -> (i6, i7),
        loop = [i2 @block_y, i4 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i2, i4, i6, i7]>
#store = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 16) -> (i4, i5),
        loop = [i4 @block_y, i2 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i0, i1]>
fuser.kernel @transpose(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#load], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#store], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @transpose(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<1> strides [symbol(%[[ARG2:[a-z0-9_]+]]), 1] align 4 noalias, %[[ARG2]]: index from #fuser_gpu.size<0, 0>, %[[ARG3]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage loops index_bits 64 {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]]) ceildiv 16) on block_y {
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (symbol(%[[ARG3]]) ceildiv 16) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<16x16xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (16) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (16) on thread_x {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.xor (%[[ARG7]], %[[ARG6]] mod 16)
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG6]], %[[V1]]] = %[[ARG0]][%[[ARG4]] * 16 + %[[ARG6]], %[[ARG5]] * 16 + %[[ARG7]]] if (%[[ARG4]] * 16 + %[[ARG6]] < symbol(%[[ARG2]]), %[[ARG5]] * 16 + %[[ARG7]] < symbol(%[[ARG3]]))
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<16x16xf32, shared> of tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG6]] to (16) on thread_y {
// CHECK-NEXT: fuser_loop.for %[[ARG7]] to (16) on thread_x {
// CHECK-NEXT: %[[V1]] = fuser_loop.xor (%[[ARG6]], %[[ARG7]] mod 16)
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG5]] * 16 + %[[ARG6]], %[[ARG4]] * 16 + %[[ARG7]]] = fuser.permute(%[[V0]][%[[ARG7]], %[[V1]]]) {permutation = array<i64: 1, 0>} if (%[[ARG5]] * 16 + %[[ARG6]] < symbol(%[[ARG3]]), %[[ARG4]] * 16 + %[[ARG7]] < symbol(%[[ARG2]]))
// CHECK-NEXT: : (!fuser_loop.buffer<16x16xf32, shared>) -> !fuser_loop.buffer<?x?xf32, global> of (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
