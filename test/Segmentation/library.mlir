// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-segment-fusions --fuser-verify-layouts | FileCheck %s
// What only a routine of a library computes is a segment of its own, and a remark says so.

// S0.3: operands lie as the routine wants them, outputs as the program requires; copies are visible.
// CHECK-LABEL: fuser.kernel @between_0
// CHECK: fuser.neg
// CHECK-LABEL: fuser.kernel @between_1
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK: fuser.exp
// CHECK-LABEL: fuser.host @between(
// CHECK: %[[A:.*]] = fuser.launch @between_0
// CHECK: %[[T:.*]] = fuser.alloc(%{{.*}}) : tensor<?x8xf32>
// CHECK: %[[R:.*]] = fuser.library_call "sort" ins(%[[A]] : tensor<?x8xf32>) outs(%[[T]] : tensor<?x8xf32>) options {descending} -> tensor<?x8xf32>
// CHECK: fuser.free %[[A]]
// CHECK: %[[B:.*]] = fuser.launch @between_1 ins(%[[R]]
// CHECK: fuser.free %[[R]]
// CHECK: fuser.return %[[B]]
fuser.fusion @between(%x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %0 = fuser.neg %x : tensor<?x8xf32>
  // expected-remark @+1 {{computed by the routine 'sort' of a library: no kernel can}}
  %1 = fuser.library "sort"(%0 : tensor<?x8xf32>) sizes(%n) options {descending} -> tensor<?x8xf32>
  %2 = fuser.exp %1 : tensor<?x8xf32>
  fuser.return %2 : tensor<?x8xf32>
}

// -----

// Copies on both sides: a column-major argument, a part of it, and a required order. Each changes the layout, so that it
// is a kernel (S0.3).
// CHECK-LABEL: fuser.kernel @copies_copy_0
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0]>]
// CHECK-LABEL: fuser.kernel @copies_copy_1
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0], strided = [0]>]
// CHECK-LABEL: fuser.kernel @copies_copy_2
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK-LABEL: fuser.host @copies(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>)
// CHECK: %[[A:.*]] = fuser.alloc() : tensor<4x8xf32>
// CHECK: %[[C:.*]] = fuser.launch @copies_copy_0 ins(%[[X]] : {{.*}}) outs(%[[A]] :
// CHECK: %[[V:.*]] = fuser.view %[[X]] [1, 0] [2, 8]
// CHECK: %[[B:.*]] = fuser.alloc() : tensor<2x8xf32>
// CHECK: %[[D:.*]] = fuser.launch @copies_copy_1 ins(%[[V]] : {{.*}}) outs(%[[B]] :
// CHECK: %[[R:.*]]:2 = fuser.library_call "svd" ins(%[[C]], %[[D]] :
// CHECK: fuser.free %[[C]]
// CHECK: fuser.free %[[D]]
// CHECK: %[[E:.*]] = fuser.alloc() order [1, 0] : tensor<8x8xf32>
// CHECK: %[[F:.*]] = fuser.launch @copies_copy_2 ins(%[[R]]#0 : {{.*}}) outs(%[[E]] :
// CHECK: fuser.return %[[F]], %[[R]]#1
fuser.fusion @copies(%x: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>, unit]} {
  %0 = fuser.slice %x [1, 0] [2, 8] : tensor<4x8xf32> -> tensor<2x8xf32>
  // expected-remark @+1 {{computed by the routine 'svd'}}
  %1:2 = fuser.library "svd"(%x, %0 : tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>, tensor<8x8xf32>
  fuser.return %1#0, %1#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What runs before it and after it never runs together, though there is a way around it.
// CHECK-LABEL: fuser.kernel @around_0
// CHECK-NEXT: fuser.relu
// CHECK-LABEL: fuser.kernel @around_1
// CHECK-NEXT: fuser.add
fuser.fusion @around(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.relu %x : tensor<8xf32>
  // expected-remark @+1 {{computed by the routine 'shuffle'}}
  %1 = fuser.library "shuffle"(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = fuser.add %0, %1 : tensor<8xf32>
  fuser.return %2 : tensor<8xf32>
}

// -----

// S2.2: a part of a joined value that lies densely there is written by the routine itself.
// CHECK-LABEL: fuser.kernel @rows_0
// CHECK: fuser.exp
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @rows(
// CHECK: %[[B:.*]] = fuser.alloc(%{{.*}}) : tensor<?x8xf32>
// CHECK: fuser.library_call "sort" ins({{.*}}) outs(%[[V:.*]] : tensor<?x8xf32>)
// CHECK-NOT: fuser.copy
fuser.fusion @rows(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  // expected-remark @+1 {{computed by the routine 'sort' of a library: no kernel can}}
  %0 = fuser.library "sort"(%x : tensor<?x8xf32>) sizes(%n) -> tensor<?x8xf32>
  %1 = fuser.exp %y : tensor<?x8xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  fuser.return %2 : tensor<?x8xf32>
}

// -----

// Columns of the result are no dense buffer: a kernel copies them.
// CHECK-LABEL: fuser.host @columns(
// CHECK: %[[S:.*]] = fuser.alloc() : tensor<4x8xf32>
// CHECK: fuser.library_call "sort" ins({{.*}}) outs(%[[S]] : tensor<4x8xf32>)
fuser.fusion @columns(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x16xf32> {
  // expected-remark @+1 {{computed by the routine 'sort' of a library: no kernel can}}
  %0 = fuser.library "sort"(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = fuser.exp %y : tensor<4x8xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  fuser.return %2 : tensor<4x16xf32>
}

// -----

// Rows between two borders, of which one kernel stores all: that of the other part.
// CHECK-LABEL: fuser.kernel @inserted_0
// CHECK: fuser.border
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @inserted(
// CHECK: fuser.library_call "sort" ins({{.*}}) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-NOT: fuser.copy
fuser.fusion @inserted(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0.0 : f32
  // expected-remark @+1 {{computed by the routine 'sort' of a library: no kernel can}}
  %0 = fuser.library "sort"(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = fuser.exp %y : tensor<4x8xf32>
  %2 = fuser.full %c0 : f32 -> tensor<16x8xf32>
  %3 = fuser.insert_slice %0 into %2 [1, 0] : tensor<4x8xf32> into tensor<16x8xf32>
  %4 = fuser.insert_slice %1 into %3 [9, 0] : tensor<4x8xf32> into tensor<16x8xf32>
  fuser.return %4 : tensor<16x8xf32>
}

// -----

// A routine stores no border.
// CHECK-LABEL: fuser.host @padded(
// CHECK: %[[S:.*]] = fuser.alloc() : tensor<4x8xf32>
// CHECK: fuser.library_call "sort" ins({{.*}}) outs(%[[S]] : tensor<4x8xf32>)
// CHECK: fuser.launch
fuser.fusion @padded(%x: tensor<4x8xf32>) -> tensor<6x8xf32> {
  %c0 = arith.constant 0.0 : f32
  // expected-remark @+1 {{computed by the routine 'sort' of a library: no kernel can}}
  %0 = fuser.library "sort"(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = fuser.pad %0 low [1, 0] high [1, 0] value %c0 : tensor<4x8xf32>, f32 -> tensor<6x8xf32>
  fuser.return %1 : tensor<6x8xf32>
}
