// Kernels with workspaces and reductions over blocks: lowering continues at the stage of the text.
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-launch),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-phase-lowering | FileCheck %s

#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0 @block_x, r4 @block_y, r5, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
// CHECK: gpu.module @last
// CHECK-NOT: cooperative
// CHECK: fuser_gpu.last_block
fuser.kernel @last(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

#w = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#t = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), loop = [i2, i1, i3 @thread_x], allocation = [i0, i1]>
// CHECK: gpu.module @across
// CHECK: cooperative
// CHECK: fuser_gpu.grid_sync
fuser.kernel @across(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
