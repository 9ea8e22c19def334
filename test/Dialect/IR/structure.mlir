// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// A fusion round-trips with its domains, layouts, requirements and facts.

// CHECK-LABEL: fuser.fusion @rows(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %s: f32) -> (tensor<?x?xf32>, tensor<?xf32>)
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit]
// CHECK-SAME: facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<equal 0[1], 1[0]>, #fuser.fact<aligned 0, 16>]
// CHECK-SAME: output_orders = [array<i64: 1, 0>, unit]
fuser.fusion @rows(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %s: f32) -> (tensor<?x?xf32>, tensor<?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit], output_orders = [array<i64: 1, 0>, unit],
                facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<equal 0[1], 1[0]>, #fuser.fact<aligned 0, 16>]} {
  // CHECK: fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, outer 4) -> (i4, i5), merge(i0, i4) -> i6, loop = [i6 @block_x, i5 @thread_x, i3 @vectorize], allocation = [i0 strided, i1]>], inline_at = 1 : i64, memory = #fuser.memory<shared>}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, iv), split(i2, outer 4) -> (io, it),
      merge(i0, io) -> im, loop = [im @block_x, it @thread_x, iv @vectorize], allocation = [i0 strided, i1]>],
      memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?x?xf32>
  // CHECK: %[[B:.*]] = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  // CHECK: fuser.add %{{.*}}, %[[B]] : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.add %0, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  // CHECK: fuser.add %{{.*}}, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %3 = fuser.add %2, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  // CHECK: fuser.sum %{{.*}} dims [1] {domains = [#fuser.domain<root = [i0, r1], split(r1, 16) -> (r2, i3), logical = [i0, r2, i3]
  %4 = fuser.sum %3 dims [1] {domains = [#fuser.domain<root = [i0, r1], split(r1, 16) -> (r2, i3), logical = [i0, r2, i3],
      loop = [i0 @block_x, r2, i3 @thread_x]>]} : tensor<?x?xf32> -> tensor<?x16xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x16xf32> -> tensor<?xf32>
  fuser.return %3, %5 : tensor<?x?xf32>, tensor<?xf32>
}

// CHECK-LABEL: fuser.kernel @k
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.segment_set %x : tensor<?xf32>
  // CHECK: fuser.stride_order %{{.*}} [0] : tensor<?xf32>
  %1 = fuser.stride_order %0 [0] : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// CHECK-LABEL: fuser.host @h
fuser.host @h(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // CHECK: fuser.alloc(%{{.*}}) order [0] : tensor<?xf32>
  %0 = fuser.alloc(%n) order [0] : tensor<?xf32>
  // CHECK: fuser.launch @k ins(%x : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
  %1 = fuser.launch @k ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  // CHECK: fuser.view %{{.*}}[%{{.*}}] [4] : tensor<?xf32> -> tensor<4xf32>
  %2 = fuser.view %1 [%c0] [4] : tensor<?xf32> -> tensor<4xf32>
  // CHECK: fuser.view %{{.*}}[0] [4] strides [2] dims [-1, 0] : tensor<?xf32> -> tensor<1x4xf32>
  %4 = fuser.view %1 [0] [4] strides [2] dims [-1, 0] : tensor<?xf32> -> tensor<1x4xf32>
  // CHECK: fuser.place %{{.*}} into %{{.*}}[%{{.*}}] : tensor<4xf32> into tensor<?xf32>
  %5 = fuser.place %2 into %1 [%c0] : tensor<4xf32> into tensor<?xf32>
  // CHECK: fuser.reshape_view %{{.*}}[%{{.*}}, 4, 1] groups [1] to [3] : tensor<?xf32> -> tensor<?x4x1xf32>
  %6 = fuser.reshape_view %1 [%c0, 4, 1] groups [1] to [3] : tensor<?xf32> -> tensor<?x4x1xf32>
  // CHECK: fuser.reshape_view %{{.*}}[%{{.*}}] groups [2, 1] to [1, 0] : tensor<?x4x1xf32> -> tensor<?xf32>
  %7 = fuser.reshape_view %6 [%n] groups [2, 1] to [1, 0] : tensor<?x4x1xf32> -> tensor<?xf32>
  // CHECK: fuser.place %{{.*}} into %{{.*}}[] : tensor<?x4x1xf32> into tensor<?xf32>
  %8 = fuser.place %6 into %1 [] : tensor<?x4x1xf32> into tensor<?xf32>
  // CHECK: fuser.expect %{{.*}}, %{{.*}} "equal"
  fuser.expect %n, %c0 "equal"
  // CHECK: fuser.for %{{.*}} to %{{.*}} streams 2
  fuser.for %i to %n streams 2 {
    %3 = fuser.copy %1 into %0 : tensor<?xf32>, tensor<?xf32>
  }
  fuser.return %1 : tensor<?xf32>
}

// What only a library computes.
// CHECK-LABEL: fuser.fusion @library
// CHECK-SAME: facts = [#fuser.fact<stride_divisible 0[0], 8>]
fuser.fusion @library(%x: tensor<?x4xf32>, %n: index) -> tensor<?xf32> attributes {facts = [#fuser.fact<stride_divisible 0[0], 8>]} {
  // CHECK: fuser.library "sort"(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>) sizes(%n) options {descending} -> tensor<?xf32>
  %0 = fuser.library "sort"(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>) sizes(%n) options {descending} -> tensor<?xf32>
  // CHECK: fuser.library "noise"() -> tensor<4xf32>
  %1 = fuser.library "noise"() -> tensor<4xf32>
  fuser.return %0 : tensor<?xf32>
}

// A fusion is called from a function of another dialect.
// CHECK-LABEL: func.func @caller
func.func @caller(%x: tensor<?x?xf32>, %b: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  // CHECK: %[[R:.*]]:2 = fuser.call @rows(%arg0, %arg1, %arg2) : (tensor<?x?xf32>, tensor<?xf32>, f32) -> (tensor<?x?xf32>, tensor<?xf32>)
  %0:2 = fuser.call @rows(%x, %b, %s) : (tensor<?x?xf32>, tensor<?xf32>, f32) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %0#1 : tensor<?xf32>
}

// A program that is distributed over devices: the mesh, and an argument that is split over it.
// CHECK-LABEL: fuser.fusion @sharded
// CHECK-SAME: arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>, unit]
// CHECK-SAME: mesh = #fuser.mesh<device_x = 2>
fuser.fusion @sharded(%x: tensor<8x?xf32>, %s: f32) -> tensor<8x?xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (id, i2),
                                             loop = [id @device_x, i2, i1], allocation = [id, i2, i1]>, unit]} {
  fuser.return %x : tensor<8x?xf32>
}

// CHECK-LABEL: fuser.fusion @mesh
// CHECK-SAME: mesh = #fuser.mesh<device_y = 4, device_z = 3>
fuser.fusion @mesh() attributes {mesh = #fuser.mesh<device_x = 1, device_y = 4, device_z = 3>} {
  fuser.return
}
