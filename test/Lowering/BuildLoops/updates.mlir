// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// An element is moved to the index that is data in the argument that is updated, and combined with what is there.

#rows = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x], allocation = [i0, i1]>
// CHECK-LABEL: fuser_loop.kernel @added
// CHECK-SAME: %[[S:[a-z0-9]*]]: !fuser_loop.buffer<64x8xf32, global> from #fuser_gpu.pointer<0> strides [8, 1] align 4 readonly noalias
// CHECK-SAME: %[[I:[a-z0-9]*]]: !fuser_loop.buffer<64x8xi64, global> from #fuser_gpu.pointer<1>
// CHECK-SAME: %[[Y:[a-z0-9]*]]: !fuser_loop.buffer<99x8xf32, global> from #fuser_gpu.pointer<3> strides [8, 1] align 4 noalias
// CHECK: fuser_loop.for %[[B:.*]] to (64) on block_x {
// CHECK: fuser_loop.for %[[T:.*]] to (8) on thread_x {
// CHECK: %[[K:.*]] = fuser_loop.index %[[I]][%[[B]], %[[T]]]
// CHECK: fuser_loop.tile %[[Y]][%[[K]], %[[T]]] where (%[[K]] < 99) = %[[S]][%[[B]], %[[T]]] combine add
// CHECK-NEXT: : (!fuser_loop.buffer<64x8xf32, global>) -> !fuser_loop.buffer<99x8xf32, global> of tensor<f32>
fuser.kernel @added(%s: tensor<64x8xf32>, %i: tensor<64x8xi64>, %x: tensor<99x8xf32>) -> tensor<99x8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.push %s at %i into %x dim 0 reduce add {domains = [#rows], memory = #fuser.memory<global>}
    : tensor<64x8xf32>, tensor<64x8xi64>, tensor<99x8xf32>
  fuser.return %0 : tensor<99x8xf32>
}

// Dimensions that may be smaller than those of the operand have a guard, and what replaces an element has no combination.
#flat = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x], allocation = [i0, i1]>
// CHECK-LABEL: fuser_loop.kernel @replaced
// CHECK: fuser_loop.tile %{{.*}}[%[[B:.*]], %[[K:.*]]] where (%[[B]] < 70, %[[K]] < 99) = %{{.*}}[%[[B]], %{{.*}}]{{$}}
fuser.kernel @replaced(%s: tensor<?x8xf32>, %i: tensor<?x8xi32>, %x: tensor<70x99xf32>) -> tensor<70x99xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.push %s at %i into %x dim 1 {domains = [#flat], memory = #fuser.memory<global>}
    : tensor<?x8xf32>, tensor<?x8xi32>, tensor<70x99xf32>
  fuser.return %0 : tensor<70x99xf32>
}
