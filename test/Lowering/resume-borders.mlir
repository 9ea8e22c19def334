// Lowering of borders, and of reads of what the kernel writes, stops and resumes at any stage; clean-up in between changes nothing.
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-plan-launch),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers),canonicalize,cse,fuser_loop.kernel(fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers,fuser-vectorize-accesses),canonicalize,cse,fuser_loop.kernel(fuser-place-guards),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | FileCheck %s
// RUN: FileCheck %s < %t.whole
// Both lowerings store the border by all threads of the grid.

// CHECK-LABEL: gpu.func @sum_in_two_boxes(
// CHECK: fuser_gpu.shuffle
// CHECK: scf.for %{{.*}} = %[[THREAD:.*]] to %{{.*}} step %[[THREADS:.*]] {
// CHECK: scf.if
// CHECK: memref.store
// CHECK: scf.for %{{.*}} = %[[THREAD]] to %{{.*}} step %[[THREADS]] {
#d = #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_x]>
fuser.kernel @sum_in_two_boxes(%x: tensor<?x32xf32>, %b: tensor<?xf32>, %v: f32, %o: index, %n: index) -> (tensor<?xf32>, tensor<?x8xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>], arg_layouts = [unit, #fuser.layout<order = [0], strided = [0]>, unit, unit, unit]} {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x32xf32>
  %0 = fuser.sum %x dims [1] {domains = [#d], memory = #fuser.memory<global>} : tensor<?x32xf32> -> tensor<?xf32>
  %1 = fuser.border %v sizes(%n) outside [1, 3, 2, %o] [%m, 1, 4, 2] : f32 -> tensor<?x8xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: gpu.func @data(
// CHECK: fuser_gpu.grid_sync
// CHECK: arith.index_cast
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x], allocation = [i0]>
fuser.kernel @data(%x: tensor<100xf32>, %y: tensor<100xi64>) -> tensor<100xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<global>} : tensor<100xf32>
  %1 = fuser.set %y {domains = [#t], memory = #fuser.memory<global>} : tensor<100xi64>
  %2 = fuser.index_select %0, %1 dim 0 {domains = [#t], inline_at = 2 : i64} : tensor<100xf32>, tensor<100xi64> -> tensor<100xf32>
  %3 = fuser.neg %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<100xf32>
  fuser.return %3 : tensor<100xf32>
}
