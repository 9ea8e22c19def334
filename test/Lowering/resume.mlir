// Lowering continues at the stage of the text: each stage gives the kernel IR of the whole pass.
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-launch))" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch),canonicalize,cse,fuser_loop.kernel(fuser-plan-reductions))" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions),canonicalize,cse,fuser_loop.kernel(fuser-place-buffers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses,fuser-place-guards),fuser-expand-loops)" | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-phase-lowering | FileCheck %s

#m = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4), split(i3, 64) -> (i5, i6), split(i5, 2) -> (i7, i8), loop = [i7 @block_x, i8 @unroll, i6 @thread_x, i4 @vectorize]>
// CHECK: gpu.module @padded
fuser.kernel @padded(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x12xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.pad %x low [0, 4] high [0, 0] value %s {domains = [#m], inline_at = 1 : i64} : tensor<?x8xf32>, f32 -> tensor<?x12xf32>
  %1 = fuser.exp %0 {domains = [#m], inline_at = 3 : i64} : tensor<?x12xf32>
  %2 = fuser.set %1 {domains = [#m], memory = #fuser.memory<global>} : tensor<?x12xf32>
  fuser.return %2 : tensor<?x12xf32>
}

// Softmax of rows in shared memory, by warps: accumulators, exchanges, barriers.
#r = #fuser.domain<logical = [i0, r1], split(r1, 4) -> (r2, r3), split(r2, 64) -> (r4, r5), loop = [i0 @block_x, r4 @unroll, r5 @thread_x, r3 @vectorize]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 64) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize]>
#b = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1]>
// CHECK: gpu.module @softmax
// CHECK: fuser_gpu.shuffle
// CHECK: gpu.barrier
fuser.kernel @softmax(%x: tensor<?x300xf16>) -> tensor<?x300xf16> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#e], inline_at = 1 : i64} : tensor<?x300xf16>
  %1 = fuser.cast %0 {domains = [#e], inline_at = 4 : i64} : tensor<?x300xf16> to tensor<?x300xf32>
  %2 = fuser.max %1 dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x300xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.cast %0 {domains = [#e], inline_at = 4 : i64} : tensor<?x300xf16> to tensor<?x300xf32>
  %5 = fuser.sub %4, %3 {domains = [#e], inline_at = 4 : i64} : (tensor<?x300xf32>, tensor<?x1xf32>) -> tensor<?x300xf32>
  %6 = fuser.exp %5 {domains = [#e], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?x300xf32>
  %7 = fuser.sum %6 dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x300xf32> -> tensor<?xf32>
  %8 = fuser.broadcast %7 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %9 = fuser.div %6, %8 {domains = [#e], inline_at = 4 : i64} : (tensor<?x300xf32>, tensor<?x1xf32>) -> tensor<?x300xf32>
  %10 = fuser.cast %9 {domains = [#e], memory = #fuser.memory<global>} : tensor<?x300xf32> to tensor<?x300xf16>
  fuser.return %10 : tensor<?x300xf16>
}

fuser.host @h(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %0 = fuser.alloc(%n) : tensor<?x12xf32>
  // CHECK: fuser.launch @padded::@padded
  %1 = fuser.launch @padded ins(%x, %s : tensor<?x8xf32>, f32) outs(%0 : tensor<?x12xf32>) -> tensor<?x12xf32>
  fuser.return %1 : tensor<?x12xf32>
}

// Rows at data: one index for all lanes.
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_x, i3 @vectorize]>
fuser.kernel @rows(%x: tensor<?x64xf32>, %i: tensor<?xi64>) -> tensor<?x64xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.index_select %x, %i dim 0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  fuser.return %0 : tensor<?x64xf32>
}

// The source and the index are read whole along dimension 0.
#s = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 64) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>
fuser.kernel @scatter(%src: tensor<?x8xf32>, %i: tensor<?x8xi64>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.scatter %src at %i into %x dim 0 {domains = [#s], memory = #fuser.memory<global>} : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
