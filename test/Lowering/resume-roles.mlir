// Lowering of circular buffers that a producer fills stops and resumes at any stage; clean-up in between changes nothing.
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --canonicalize --cse | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-pipeline-loops,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | FileCheck %s
// RUN: FileCheck %s < %t.whole

// CHECK-LABEL: gpu.func @rows(
// CHECK: fuser_gpu.mbarrier_fence
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: fuser_gpu.mbarrier_wait
// CHECK: fuser_gpu.copy_bulk
// CHECK: } else {
// CHECK-NOT: gpu.barrier
// CHECK: fuser_gpu.mbarrier_wait
// CHECK: fuser_gpu.mbarrier_arrive
#t = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 32) -> (i4, i5), loop = [i0 @block_x, i4, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
#m = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 32) -> (i4, i5), merge(i5, i3) -> i6, split(i6, 32) -> (i7, i8), loop = [i0 @block_x, i4, i7, i8 @thread_x]>
#s = #fuser.domain<logical = [i0, r1], split(r1, 4) -> (r2, r3), split(r2, 32) -> (r4, r5), merge(r5, r3) -> r6, split(r6, 32) -> (r7, r8), loop = [i0 @block_x, r4, r7, r8 @thread_x]>
#y = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
fuser.kernel @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 128>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#m], inline_at = 4 : i64} : tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#s], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
