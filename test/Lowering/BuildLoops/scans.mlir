// Scans that carry a tuple from one element to the next are accumulators whose results exist in each iteration.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | FileCheck %s
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

#rows = #fuser.domain<logical = [i0, i1], loop = [i0 @thread_x, i1], allocation = [i0, i1]>
fuser.kernel @rows(%x: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = fuser.cumsum %x dim 1 {domains = [#rows], memory = #fuser.memory<global>} : tensor<8x?xf32> -> tensor<8x?xf32>
  fuser.return %0 : tensor<8x?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK: fuser_loop.for %[[T:.*]] to (8) on thread_x {
// CHECK-NEXT: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[C]][] = initial fuser.cumsum() {{.*}} replicated [thread_x]
// CHECK: fuser_loop.for %[[I:.*]] to (symbol(%{{.*}})) {
// CHECK-NEXT: fuser_loop.tile %[[C]][] = accumulate fuser.cumsum(%{{.*}}[%[[T]], %[[I]]])
// CHECK: fuser_loop.tile %{{.*}}[%[[T]], %[[I]]] = finalize fuser.cumsum(%[[C]][])

// The dimension in two parts, of which the inner one does not divide it: an element that does not exist leaves the tuple as
// it is. Each lane of a vector has a tuple of its own.
#parts = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), loop = [i2, i3 @unroll, i0 @vectorize], allocation = [i1, i0]>
fuser.kernel @parts(%x: tensor<4x?xf32>) -> tensor<4x?xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>], arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.cumsum %x dim 1 {domains = [#parts], memory = #fuser.memory<global>} : tensor<4x?xf32> -> tensor<4x?xf32>
  fuser.return %0 : tensor<4x?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @parts(
// CHECK: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
// CHECK: fuser_loop.tile %[[C]][%{{.*}}] = initial
// CHECK: fuser_loop.for %[[O:.*]] to (symbol(%[[N:.*]]) ceildiv 8) {
// CHECK-NEXT: fuser_loop.for %[[I:.*]] to (8) on unroll {
// CHECK-NEXT: fuser_loop.for %[[V:.*]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[C]][%[[V]]] = accumulate fuser.cumsum({{.*}} if (%[[O]] * 8 + %[[I]] < symbol(%[[N]]))
// CHECK: fuser_loop.tile {{.*}} = finalize fuser.cumsum(%[[C]][%[[V]]]) {{.*}} if (%[[O]] * 8 + %[[I]] < symbol(%[[N]]))

// A dimension of size 1: each element has a tuple of its own.
fuser.kernel @unit(%x: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %0 = fuser.cumsum %x dim 1 {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<?x1xf32> -> tensor<?x1xf32>
  fuser.return %0 : tensor<?x1xf32>
}
// CHECK-LABEL: fuser_loop.kernel @unit(
// CHECK: fuser_loop.for %[[I:.*]] to (symbol(
// CHECK: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
// CHECK-NEXT: fuser_loop.tile %[[C]][] = initial
// CHECK: fuser_loop.tile %[[C]][] = accumulate
// CHECK: fuser_loop.tile {{.*}} = finalize
