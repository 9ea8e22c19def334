// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | fuser-opt --split-input-file | FileCheck %s
// A reshape of an argument, of an output or of a value between kernels is a view on the host where the memory allows it.

// S2.5: nothing to compute, so no kernel.
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @alone(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x64xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[V:.*]] = fuser.reshape_view %[[X]] [%[[N]], 4, 16] groups [1, 1] to [1, 2] : tensor<?x64xf32> -> tensor<?x4x16xf32>
// CHECK-NEXT: fuser.return %[[V]]
fuser.fusion @alone(%x: tensor<?x64xf32>) -> tensor<?x4x16xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  fuser.return %0 : tensor<?x4x16xf32>
}

// -----

// Rows with a pitch cannot be merged; they can be split.
// CHECK-LABEL: fuser.kernel @pitch_0(
// CHECK: fuser.reshape %{{.*}} : tensor<6x10xf32> -> tensor<60xf32>
// CHECK-LABEL: fuser.host @pitch(
// CHECK: fuser.launch
// CHECK: fuser.reshape_view %{{.*}} [3, 2, 10] groups [1, 1] to [2, 1]
fuser.fusion @pitch(%x: tensor<6x10xf32>) -> (tensor<60xf32>, tensor<3x2x10xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.reshape %x : tensor<6x10xf32> -> tensor<60xf32>
  %1 = fuser.reshape %x : tensor<6x10xf32> -> tensor<3x2x10xf32>
  fuser.return %0, %1 : tensor<60xf32>, tensor<3x2x10xf32>
}

// -----

// Dimensions merge in the order of the memory, not in that of the type.
// CHECK-LABEL: fuser.kernel @transposed_0(
// CHECK-LABEL: fuser.host @transposed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<6x10xf32>)
// CHECK: fuser.launch
// CHECK: %[[P:.*]] = fuser.view %[[X]] [0, 0] [6, 10] dims [1, 0]
// CHECK: fuser.reshape_view %[[P]] [60] groups [2] to [1]
fuser.fusion @transposed(%x: tensor<6x10xf32>) -> (tensor<60xf32>, tensor<60xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.reshape %x : tensor<6x10xf32> -> tensor<60xf32>
  %1 = fuser.permute %x [1, 0] : tensor<6x10xf32> -> tensor<10x6xf32>
  %2 = fuser.reshape %1 : tensor<10x6xf32> -> tensor<60xf32>
  fuser.return %0, %2 : tensor<60xf32>, tensor<60xf32>
}

// -----

// What is known of the strides of a part decides: rows of a part of the columns merge with each other, not with columns.
// CHECK-LABEL: fuser.kernel @columns_0(
// CHECK: fuser.reshape %{{.*}} : tensor<8x4x6xf32> -> tensor<8x24xf32>
// CHECK-LABEL: fuser.host @columns(
// CHECK: fuser.reshape_view %{{.*}} [32, 6] groups [2, 1] to [1, 1]
fuser.fusion @columns(%x: tensor<8x4x16xf32>) -> (tensor<32x6xf32>, tensor<8x24xf32>) {
  %0 = fuser.slice %x [0, 0, 5] [8, 4, 6] : tensor<8x4x16xf32> -> tensor<8x4x6xf32>
  %1 = fuser.reshape %0 : tensor<8x4x6xf32> -> tensor<32x6xf32>
  %2 = fuser.reshape %0 : tensor<8x4x6xf32> -> tensor<8x24xf32>
  fuser.return %1, %2 : tensor<32x6xf32>, tensor<8x24xf32>
}

// -----

// An argument that another output overwrites is copied: a view would change with it.
// CHECK-LABEL: fuser.kernel @overwritten
// CHECK: fuser.reshape %
// CHECK-LABEL: fuser.host @overwritten(
// CHECK-NOT: fuser.reshape_view
fuser.fusion @overwritten(%x: tensor<6x10xf32>) -> (tensor<60xf32>, tensor<6x10xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.reshape %x : tensor<6x10xf32> -> tensor<60xf32>
  %1 = fuser.exp %x : tensor<6x10xf32>
  fuser.return %0, %1 : tensor<60xf32>, tensor<6x10xf32>
}

// -----

// The kernel gets the reshaped argument, with what is known of its memory.
// CHECK-LABEL: fuser.kernel @at_the_top_0(%{{.*}}: tensor<16xf32>, %{{.*}}: tensor<?x4x16xf32>)
// CHECK-SAME: #fuser.fact<aligned 1, 64>
// CHECK-NOT: fuser.reshape
// CHECK-LABEL: fuser.host @at_the_top(
// CHECK: fuser.reshape_view
fuser.fusion @at_the_top(%x: tensor<?x64xf32>, %w: tensor<16xf32>) -> tensor<?x4x16xf32>
    attributes {facts = [#fuser.fact<aligned 0, 64>]} {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  %1 = fuser.broadcast %w dims [0, 1] : tensor<16xf32> -> tensor<1x1x16xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x4x16xf32>, tensor<1x1x16xf32>) -> tensor<?x4x16xf32>
  fuser.return %2 : tensor<?x4x16xf32>
}

// -----

// Where the kernel reads both shapes, it reads the argument once.
// CHECK-LABEL: fuser.kernel @both_shapes_0(%{{.*}}: tensor<8x64xf32>) ->
// CHECK: fuser.reshape
// CHECK-LABEL: fuser.host @both_shapes(
// CHECK-NOT: fuser.reshape_view
fuser.fusion @both_shapes(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = fuser.reshape %x : tensor<8x64xf32> -> tensor<8x4x16xf32>
  %1 = fuser.exp %0 : tensor<8x4x16xf32>
  %2 = fuser.reshape %1 : tensor<8x4x16xf32> -> tensor<8x64xf32>
  %3 = fuser.mul %2, %x : tensor<8x64xf32>
  fuser.return %3 : tensor<8x64xf32>
}

// -----

// A reshape that fuses stays inside; that of an output costs nothing there.
// CHECK-LABEL: fuser.kernel @inside_0(
// CHECK: fuser.reshape
// CHECK-LABEL: fuser.host @inside(
// CHECK-NOT: fuser.reshape_view
fuser.fusion @inside(%x: tensor<8x64xf32>) -> tensor<512xf32> {
  %0 = fuser.exp %x : tensor<8x64xf32>
  %1 = fuser.reshape %0 : tensor<8x64xf32> -> tensor<512xf32>
  fuser.return %1 : tensor<512xf32>
}

// -----

// The sum needs the rows apart, and their product cannot be split: no loops in common. The output has the dimensions of the
// reshape, and the kernel writes it in those of the value.
// CHECK-LABEL: fuser.kernel @output_0(
// CHECK-NOT: fuser.reshape
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @output(
// CHECK: fuser.alloc
// CHECK: %[[FLAT:.*]] = fuser.alloc(%{{.*}}) : tensor<?xf32>
// CHECK: %[[ROWS:.*]] = fuser.reshape_view %[[FLAT]] [%{{.*}}, %{{.*}}] groups [1] to [2] : tensor<?xf32> -> tensor<?x?xf32>
// CHECK: %[[L:.*]]:2 = fuser.launch @output_0 {{.*}}outs(%{{.*}}, %[[ROWS]] :
// CHECK: %[[P:.*]] = fuser.place %[[L]]#1 into %[[FLAT]]{{ ?}}[] : tensor<?x?xf32> into tensor<?xf32>
// CHECK-NOT: fuser.free
// CHECK: fuser.return %[[L]]#0, %[[P]]
fuser.fusion @output(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// So is an output whose dimensions are permuted as well, in the order in which the value lies; not where the program
// requires another order.
// CHECK-LABEL: fuser.kernel @permuted_0(
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @permuted(
// CHECK: %[[OUT:.*]] = fuser.alloc(%{{.*}}) order [1, 0] : tensor<4x?xf32>
// CHECK: %[[FLAT:.*]] = fuser.view %[[OUT]] [0, 0] [4, %{{.*}}] dims [1, 0] : tensor<4x?xf32> -> tensor<?x4xf32>
// CHECK: fuser.reshape_view %[[FLAT]] [%{{.*}}, %{{.*}}, 4] groups [1, 1] to [2, 1] : tensor<?x4xf32> -> tensor<?x?x4xf32>
fuser.fusion @permuted(%x: tensor<?x?x4xf32>) -> (tensor<?x4xf32>, tensor<4x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.reshape %0 : tensor<?x?x4xf32> -> tensor<?x4xf32>
  %3 = fuser.permute %2 [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  fuser.return %1, %3 : tensor<?x4xf32>, tensor<4x?xf32>
}

// -----

// CHECK-LABEL: fuser.kernel @required_0(
// CHECK-LABEL: fuser.kernel @required_1(
// CHECK-LABEL: fuser.host @required(
fuser.fusion @required(%x: tensor<?x?x4xf32>) -> (tensor<?x4xf32>, tensor<4x?xf32>)
    attributes {output_orders = [unit, array<i64: 0, 1>]} {
  %0 = fuser.exp %x : tensor<?x?x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.reshape %0 : tensor<?x?x4xf32> -> tensor<?x4xf32>
  %3 = fuser.permute %2 [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
  fuser.return %1, %3 : tensor<?x4xf32>, tensor<4x?xf32>
}

// -----

// An output and a reshape of it are two tensors: outputs share no memory with each other.
// CHECK-LABEL: fuser.kernel @returned_twice_0(
// CHECK-LABEL: fuser.kernel @returned_twice_1(
// CHECK-LABEL: fuser.host @returned_twice(
fuser.fusion @returned_twice(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %0, %2 : tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// -----

// Between kernels: the second one reads the buffer under its own dimensions, and it is freed after that.
// CHECK-LABEL: fuser.kernel @between_1(%{{.*}}: tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: fuser.cumsum
// CHECK-LABEL: fuser.host @between(
// CHECK: %[[L:.*]]:2 = fuser.launch @between_0
// CHECK: %[[V:.*]] = fuser.reshape_view %[[L]]#1 [%{{.*}}] groups [2] to [1]
// CHECK: fuser.launch @between_1 ins(%[[V]] :
// CHECK-NEXT: fuser.free %[[L]]#1
fuser.fusion @between(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = fuser.add %x, %y : tensor<?x?xf32>
  %b = fuser.add %a, %z : tensor<?x?xf32>
  %0 = fuser.exp %b : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.cumsum %2 dim 0 : tensor<?xf32> -> tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// -----

// What is cheap to compute again is not, where a view does.
// CHECK-LABEL: fuser.kernel @cheap_0(
// CHECK-NOT: fuser.kernel
// CHECK-LABEL: fuser.host @cheap(
// CHECK: fuser.reshape_view
fuser.fusion @cheap(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A part of a join is written where it belongs, by a kernel.
// CHECK-LABEL: fuser.host @joined(
// CHECK: fuser.place
fuser.fusion @joined(%x: tensor<4x8xf32>, %y: tensor<32xf32>) -> tensor<64xf32> {
  %0 = fuser.exp %x : tensor<4x8xf32>
  %1 = fuser.reshape %0 : tensor<4x8xf32> -> tensor<32xf32>
  %2 = fuser.neg %y : tensor<32xf32>
  %3 = fuser.cat %1, %2 dim 0 : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  fuser.return %3 : tensor<64xf32>
}
