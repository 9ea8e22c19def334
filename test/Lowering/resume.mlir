// Lowering continues at the stage of the text: each stage gives the kernel IR of the whole pass.
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-launch))" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch),canonicalize,cse,fuser_loop.kernel(fuser-vectorize-accesses))" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-vectorize-accesses,fuser-place-guards),fuser-expand-loops)" | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-phase-lowering | FileCheck %s
// RUN: fuser-opt %s --fuser-lower-kernels=in-stages=false --canonicalize --cse | FileCheck %s

#m = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4), split(i3, 64) -> (i5, i6), split(i5, 2) -> (i7, i8), loop = [i7 @block_x, i8 @unroll, i6 @thread_x, i4 @vectorize]>
// CHECK: gpu.module @padded
fuser.kernel @padded(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x12xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.pad %x low [0, 4] high [0, 0] value %s {domains = [#m], inline_at = 1 : i64} : tensor<?x8xf32>, f32 -> tensor<?x12xf32>
  %1 = fuser.exp %0 {domains = [#m], inline_at = 3 : i64} : tensor<?x12xf32>
  %2 = fuser.set %1 {domains = [#m], memory = #fuser.memory<global>} : tensor<?x12xf32>
  fuser.return %2 : tensor<?x12xf32>
}

fuser.host @h(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %0 = fuser.alloc(%n) : tensor<?x12xf32>
  // CHECK: fuser.launch @padded::@padded
  %1 = fuser.launch @padded ins(%x, %s : tensor<?x8xf32>, f32) outs(%0 : tensor<?x12xf32>) -> tensor<?x12xf32>
  fuser.return %1 : tensor<?x12xf32>
}
