// Accumulators around the loops of reductions, and buffers in shared memory.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | fuser-opt | FileCheck %s

// A tuple for each lane, which are folded; threads combine copies of what each has accumulated; the first stores.
#row = #fuser.domain<logical = [i0, r1], split(r1, 4) -> (r2, r3), split(r2, 64) -> (r4, r5), loop = [i0 @block_x, r4, r5 @thread_x, r3 @vectorize]>
#out = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
fuser.kernel @row_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.sum %x dims [1] {domains = [#row], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @row_sum(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[ARG3:[a-z0-9_]+]]), 1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %[[ARG2:[a-z0-9_]+]]: index from #fuser_gpu.size<0, 0>, %[[ARG3]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage loops index_bits 64 assume (symbol(%[[ARG3]]) mod 4 == 0) attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (symbol(%[[ARG2]])) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG5]]] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : () -> !fuser_loop.buffer<4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to ((symbol(%[[ARG3]]) ceildiv 4) ceildiv 64) {
// CHECK-NEXT: fuser_loop.for %[[ARG6:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[ARG7:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG7]]] = accumulate fuser.sum(%[[ARG0]][%[[ARG4]], (%[[ARG5]] * 64 + %[[ARG6]]) * 4 + %[[ARG7]]]) {dims = array<i64: 1>} if (%[[ARG5]] * 64 + %[[ARG6]] < symbol(%[[ARG3]]) ceildiv 4)
// CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V1]][] = fold fuser.sum(%[[V0]][%[[ARG5]]]) {dims = array<i64: 1>} replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.combine %[[V1]] by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1
// CHECK-NEXT: : !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG4]]] = finalize fuser.sum(%[[V1]][]) {dims = array<i64: 1>} count [symbol(%[[ARG3]])] replicated [thread_x]
// CHECK-NEXT: : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }


// Iterations inside of the reduction have a tuple each, also in a loop that ends in the loop over lanes.
#col = #fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), split(i2, 16) -> (i4, i5), loop = [i4 @block_x, i5 @thread_x, r0 @thread_y, i3 @vectorize]>
fuser.kernel @column_mean(%x: tensor<8x64xf32>) -> tensor<64xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.mean %x dims [0] {domains = [#col], memory = #fuser.memory<global>} : tensor<8x64xf32> -> tensor<64xf32>
  fuser.return %0 : tensor<64xf32>
}
// CHECK-LABEL: fuser_loop.kernel @column_mean(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<8x64xf32, global> from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<64xf32, global> from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
// CHECK-NEXT: stage loops index_bits 32 attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (1) on block_x {
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (16) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[ARG4:[a-z0-9_]+]] to (8) on thread_y {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5:[a-z0-9_]+]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG5]]] = initial fuser.mean() {dims = array<i64: 0>} replicated [block_x, thread_x, thread_y]
// CHECK-NEXT: : () -> !fuser_loop.buffer<4xf32, register> of (tensor<8x64xf32>) -> tensor<64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG5]]] = accumulate fuser.mean(%[[ARG0]][%[[ARG4]], %[[ARG3]] * 4 + %[[ARG5]]]) {dims = array<i64: 0>} replicated [block_x]
// CHECK-NEXT: : (!fuser_loop.buffer<8x64xf32, global>) -> !fuser_loop.buffer<4xf32, register> of (tensor<8x64xf32>) -> tensor<64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[V1]][%[[ARG5]]] = %[[V0]][%[[ARG5]]] replicated [block_x, thread_x, thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<4xf32, register> of tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.combine %[[V1]] by fuser.mean {dims = array<i64: 0>} over [thread_y] lanes 4
// CHECK-NEXT: : !fuser_loop.buffer<4xf32, register> of (tensor<8x64xf32>) -> tensor<64xf32>
// CHECK-NEXT: fuser_loop.for %[[ARG5]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG3]] * 4 + %[[ARG5]]] = finalize fuser.mean(%[[V1]][%[[ARG5]]]) {dims = array<i64: 0>} count [8] replicated [block_x, thread_y]
// CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>) -> !fuser_loop.buffer<64xf32, global> of (tensor<8x64xf32>) -> tensor<64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }


// A buffer in shared memory has the elements of all threads.
#s = #fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x]>
fuser.kernel @shared(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = fuser.exp %x {domains = [#s], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<256xf32>
  %1 = fuser.neg %0 {domains = [#s], memory = #fuser.memory<global>} : tensor<256xf32>
  fuser.return %1 : tensor<256xf32>
}
// CHECK-LABEL: fuser_loop.kernel @shared(
// CHECK-SAME: %[[ARG0:[a-z0-9_]+]]: !fuser_loop.buffer<256xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %[[ARG1:[a-z0-9_]+]]: !fuser_loop.buffer<256xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4 noalias)
// CHECK-NEXT: stage loops index_bits 32 {
// CHECK-NEXT: fuser_loop.for %[[ARG2:[a-z0-9_]+]] to (4) on block_x {
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = fuser_loop.buffer : !fuser_loop.buffer<64xf32, shared>
// CHECK-NEXT: fuser_loop.for %[[ARG3:[a-z0-9_]+]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[V0]][%[[ARG3]]] = fuser.exp(%[[ARG0]][%[[ARG2]] * 64 + %[[ARG3]]])
// CHECK-NEXT: : (!fuser_loop.buffer<256xf32, global>) -> !fuser_loop.buffer<64xf32, shared> of (tensor<256xf32>) -> tensor<256xf32>
// CHECK-NEXT: }
// CHECK-NEXT: fuser_loop.for %[[ARG3]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[ARG1]][%[[ARG2]] * 64 + %[[ARG3]]] = fuser.neg(%[[V0]][%[[ARG3]]])
// CHECK-NEXT: : (!fuser_loop.buffer<64xf32, shared>) -> !fuser_loop.buffer<256xf32, global> of (tensor<256xf32>) -> tensor<256xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }


// Blocks combine as threads do. All of them have the result.
fuser.kernel @grid(%x: tensor<8xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [0] {domains = [#fuser.domain<logical = [r0], loop = [r0 @block_x]>], memory = #fuser.memory<global>} : tensor<8xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}
// CHECK-LABEL: fuser_loop.kernel @grid(
// CHECK: fuser_loop.for %{{.*}} to (8) on block_x {
// CHECK: fuser_loop.combine %[[S:.*]] by fuser.sum {dims = array<i64: 0>} over [block_x] lanes 1
// CHECK: fuser_loop.tile %{{.*}}[] = finalize fuser.sum(%[[S]][]) {dims = array<i64: 0>} count [8] replicated [block_x]

// A value in global memory that is no output is a workspace. Its reader names what both run on at once.
#w = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x], allocation = [i0, i1]>
#o = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1], allocation = [i0, i1]>
fuser.kernel @workspace(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x64xf32>
  %1 = fuser.neg %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?x64xf32>
  fuser.return %1 : tensor<?x64xf32>
}
// CHECK-LABEL: fuser_loop.kernel @workspace(
// CHECK: %[[W:.*]] = fuser_loop.buffer [symbol(%{{.*}}), 64] : !fuser_loop.buffer<?x64xf32, global>
// CHECK: fuser_loop.tile %[[W]][%{{.*}}, %{{.*}}] = fuser.exp(
// CHECK: fuser_loop.tile %{{.*}} = fuser.neg(%[[W]][%{{.*}}, %{{.*}}] follows [block_x])
