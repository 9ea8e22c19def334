// A loop on @unswitch is a serial or unrolled loop with a mark: written out if that makes few copies of its body.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | FileCheck %s
// Each stage can be resumed.
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

// CHECK-LABEL: fuser_loop.kernel @copies(
// CHECK: fuser_loop.for %{{.*}} to (4) on unroll unswitch {
#copies = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), split(i1, 4) -> (i3, i4), loop = [i3 @block_x, i4 @unswitch, i2 @thread_x], allocation = [i0]>
fuser.kernel @copies(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#copies], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// CHECK-LABEL: fuser_loop.kernel @bounded(
// CHECK: fuser_loop.for %{{.*}} to (symbol(%{{.*}})) on unroll bound 7 unswitch {
#bounded = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @unswitch], allocation = [i0, i1]>
fuser.kernel @bounded(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 7>]} {
  %0 = fuser.exp %x {domains = [#bounded], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// A reduction: its accumulator is outside of the loop. Within, the order of the loops is that of the schedule.
// CHECK-LABEL: fuser_loop.kernel @row(
// CHECK: = initial fuser.sum()
// CHECK: fuser_loop.for %{{.*}} to ((symbol(%{{.*}}) ceildiv 32) ceildiv 4) unswitch {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (4) on unroll {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (32) on thread_x {
// CHECK-NEXT: fuser_loop.tile {{.*}} = accumulate fuser.sum
#r = #fuser.domain<logical = [r0], split(r0, 32) -> (r2, r3), split(r2, 4) -> (r4, r5), loop = [r4 @unswitch, r5 @unroll, r3 @thread_x], allocation = []>
fuser.kernel @row(%x: tensor<?xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [0] {domains = [#r]} : tensor<?xf32> -> tensor<f32>
  %1 = fuser.set %0 {domains = [#fuser.domain<logical = [], loop = []>], memory = #fuser.memory<global>} : tensor<f32>
  fuser.return %1 : tensor<f32>
}
