// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | fuser-opt --split-input-file | FileCheck %s
// S2.1, S2.5, S2.7: a kernel stores its result in a box of a buffer and what surrounds the box.

// A dense box, whose address has known divisors. Sizes of the buffer and of the box are those of inputs, whose facts the
// border uses.
// CHECK-LABEL: fuser.kernel @pad_sum_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK-SAME: #fuser.fact<aligned 1, 8>, #fuser.fact<aligned 2, 16>
// CHECK: %[[S:.*]] = fuser.sum %[[X]]
// CHECK: %[[M:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[N:.*]] = arith.addi %[[M]], %{{.*}}
// CHECK: %[[B:.*]] = fuser.border %{{.*}} sizes(%[[N]]) outside [2] [%{{.*}}] : f32 -> tensor<?xf32>
// CHECK: fuser.return %[[S]], %[[B]]
// CHECK-LABEL: fuser.host @pad_sum(
// CHECK: %[[T:.*]] = fuser.alloc(
// CHECK: %[[V:.*]] = fuser.view %[[T]] [2] [
// CHECK: %[[R:.*]]:2 = fuser.launch @pad_sum_0 ins({{.*}}) outs(%[[V]], %[[T]] :
// CHECK: %[[P:.*]] = fuser.place %[[R]]#0 into %[[R]]#1 [2]
// CHECK-NOT: fuser.launch
// CHECK: fuser.return %[[P]]
fuser.fusion @pad_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %v = arith.constant 0.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [2] high [3] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// A strided box: the destination is an argument as well, with its layout and what divides its strides.
// CHECK-LABEL: fuser.kernel @pad_softmax_0(
// CHECK-SAME: %{{.*}}: tensor<64x96xf32>, %{{.*}}: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<66x128xf32>)
// CHECK-SAME: aliases = [#fuser.alias<output 0, input 1>]
// CHECK-SAME: arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>]
// CHECK-SAME: #fuser.fact<stride_divisible 1[0], 16>
// CHECK: fuser.border %{{.*}} outside [1, 4] [64, 96] : f32 -> tensor<66x128xf32>
// CHECK-LABEL: fuser.host @pad_softmax(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<66x128xf32>
// CHECK: %[[V:.*]] = fuser.view %[[T]] [1, 4] [64, 96]
// CHECK: fuser.launch @pad_softmax_0 ins(%{{.*}}, %[[V]] : {{.*}}) outs(%[[V]], %[[T]] :
// CHECK-NOT: fuser.launch
fuser.fusion @pad_softmax(%x: tensor<64x96xf32>) -> tensor<66x128xf32> {
  %v = arith.constant -1.0 : f32
  %0 = fuser.max %x dims [1] : tensor<64x96xf32> -> tensor<64xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<64x96xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
  %3 = fuser.exp %2 : tensor<64x96xf32>
  %4 = fuser.sum %3 dims [1] : tensor<64x96xf32> -> tensor<64xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %6 = fuser.div %3, %5 : (tensor<64x96xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
  %7 = fuser.pad %6 low [1, 4] high [1, 28] value %v : tensor<64x96xf32>, f32 -> tensor<66x128xf32>
  fuser.return %7 : tensor<66x128xf32>
}

// -----

// S2.2: no border where the parts cover the buffer, and no kernel that copies.
// CHECK-LABEL: fuser.kernel @cat_sums_0(
// CHECK-NOT: fuser.border
// CHECK-LABEL: fuser.kernel @cat_sums_1(
// CHECK-NOT: fuser.border
// CHECK-LABEL: fuser.host @cat_sums(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<8x48xf32>
// CHECK: fuser.view %[[T]] [0, 0] [8, 16]
// CHECK: fuser.launch @cat_sums_0
// CHECK: fuser.view %[[T]] [0, 16] [8, 32]
// CHECK: fuser.launch @cat_sums_1
// CHECK-NOT: fuser.launch
fuser.fusion @cat_sums(%x: tensor<8x16x64xf32>, %y: tensor<8x32x64xf32>) -> tensor<8x48xf32> {
  %0 = fuser.sum %x dims [2] : tensor<8x16x64xf32> -> tensor<8x16xf32>
  %1 = fuser.sum %y dims [2] : tensor<8x32x64xf32> -> tensor<8x32xf32>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<8x48xf32>
  fuser.return %2 : tensor<8x48xf32>
}

// -----

// Two inserts into one fill: the first kernel stores what is in neither box. An offset of the call is an integer argument.
// CHECK-LABEL: fuser.kernel @inserts_0(
// CHECK-SAME: %[[O:[a-z0-9]+]]: index) ->
// CHECK: fuser.border %{{.*}} outside [1, 2, 10, %[[O]]] [8, 16, 4, 4] : f32 -> tensor<20x20xf32>
// CHECK-LABEL: fuser.kernel @inserts_1(
// CHECK-NOT: fuser.border
// CHECK-LABEL: fuser.host @inserts(
// CHECK: %[[R:.*]]:2 = fuser.launch @inserts_0
// CHECK: %[[P:.*]] = fuser.place %[[R]]#0 into %[[R]]#1 [1, 2]
// CHECK: %[[S:.*]] = fuser.launch @inserts_1
// CHECK: fuser.place %[[S]] into %[[P]] [10, %{{.*}}]
fuser.fusion @inserts(%x: tensor<8x16x64xf32>, %y: tensor<4x4x64xf32>, %o: index) -> tensor<20x20xf32> {
  %v = arith.constant 3.0 : f32
  %f = fuser.full %v : f32 -> tensor<20x20xf32>
  %0 = fuser.sum %x dims [2] : tensor<8x16x64xf32> -> tensor<8x16xf32>
  %1 = fuser.max %y dims [2] : tensor<4x4x64xf32> -> tensor<4x4xf32>
  %2 = fuser.insert_slice %0 into %f [1, 2] : tensor<8x16xf32> into tensor<20x20xf32>
  %3 = fuser.insert_slice %1 into %2 [10, %o] : tensor<4x4xf32> into tensor<20x20xf32>
  fuser.return %3 : tensor<20x20xf32>
}

// -----

// Boxes that may overlap: the kernels run in order, and the later one writes what the earlier one wrote.
// CHECK-LABEL: fuser.host @overlap(
// CHECK: %[[R:.*]]:2 = fuser.launch @overlap_0
// CHECK: %[[P:.*]] = fuser.place %[[R]]#0 into %[[R]]#1 [1, 2]
// CHECK: %[[V:.*]] = fuser.view %[[P]] [8, %{{.*}}] [4, 4]
// CHECK: %[[S:.*]] = fuser.launch @overlap_1 ins({{.*}}%[[V]]{{.*}}) outs(%[[V]] :
// CHECK: fuser.place %[[S]] into %[[P]] [8, %{{.*}}]
// CHECK-NOT: fuser.launch
fuser.fusion @overlap(%x: tensor<8x16x64xf32>, %y: tensor<4x4x64xf32>, %o: index) -> tensor<20x20xf32> {
  %v = arith.constant 3.0 : f32
  %f = fuser.full %v : f32 -> tensor<20x20xf32>
  %0 = fuser.sum %x dims [2] : tensor<8x16x64xf32> -> tensor<8x16xf32>
  %1 = fuser.max %y dims [2] : tensor<4x4x64xf32> -> tensor<4x4xf32>
  %2 = fuser.insert_slice %0 into %f [1, 2] : tensor<8x16xf32> into tensor<20x20xf32>
  %3 = fuser.insert_slice %1 into %2 [8, %o] : tensor<4x4xf32> into tensor<20x20xf32>
  fuser.return %3 : tensor<20x20xf32>
}

// -----

// Element by element: one kernel reads at offsets, and stores whole lines, also of two inserts.
// CHECK-LABEL: fuser.host @two_fills(
// CHECK-NOT: fuser.view
// CHECK: fuser.launch @two_fills_0
// CHECK-NOT: fuser.launch
fuser.fusion @two_fills(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>) -> tensor<16x8xf32> {
  %v = arith.constant 2.0 : f32
  %f = fuser.full %v : f32 -> tensor<16x8xf32>
  %0 = fuser.exp %a : tensor<4x8xf32>
  %1 = fuser.neg %b : tensor<3x8xf32>
  %2 = fuser.insert_slice %0 into %f [1, 0] : tensor<4x8xf32> into tensor<16x8xf32>
  %3 = fuser.insert_slice %1 into %2 [8, 0] : tensor<3x8xf32> into tensor<16x8xf32>
  fuser.return %3 : tensor<16x8xf32>
}

// -----

// A part of a norm at an offset of the call is a window: the kernel computes whole rows and stores what is in the box, whose
// offset and size are integer arguments.
// CHECK-LABEL: fuser.kernel @window_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<6x40xf32>, %{{.*}}: tensor<6x?xf32>, %[[O:[a-z0-9]+]]: index) -> tensor<6x?xf32>
// CHECK-SAME: aliases = [#fuser.alias<output 0, input 1>]
// CHECK-SAME: arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>, unit]
// CHECK: %[[Y:.*]] = fuser.sub %[[X]], %
// CHECK: %[[N:.*]] = arith.constant 16 : index
// CHECK: %[[W:.*]] = fuser.window %[[Y]] dims [1] at(%[[O]]) sizes(%[[N]]) : tensor<6x40xf32> -> tensor<6x?xf32>
// CHECK: fuser.return %[[W]]
// CHECK-LABEL: fuser.host @window(
// CHECK: %[[T:.*]] = fuser.alloc() : tensor<6x16xf32>
// CHECK: %[[V:.*]] = fuser.view %[[T]] [0, 0] [6, %{{.*}}] : tensor<6x16xf32> -> tensor<6x?xf32>
// CHECK: %[[R:.*]] = fuser.launch @window_0 ins({{.*}}%[[V]]{{.*}}) outs(%[[V]] :
// CHECK: fuser.place %[[R]] into %[[T]] [0, 0]
// CHECK-NOT: fuser.launch
fuser.fusion @window(%x: tensor<6x40xf32>, %o: index) -> tensor<6x16xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.slice %2 [0, %o] [6, 16] : tensor<6x40xf32> -> tensor<6x16xf32>
  fuser.return %3 : tensor<6x16xf32>
}

// -----

// The value is stored whole as well, and a part of it in a box.
// CHECK-LABEL: fuser.kernel @whole_and_padded_0(
// CHECK: %[[S:.*]] = fuser.sum
// CHECK: %[[W:.*]] = fuser.window %[[S]] dims [0] at(%{{.*}}) sizes(%{{.*}}) : tensor<?xf32> -> tensor<?xf32>
// CHECK: %[[B:.*]] = fuser.border
// CHECK: fuser.return %[[S]], %[[W]], %[[B]]
// CHECK-LABEL: fuser.host @whole_and_padded(
// CHECK: fuser.launch
// CHECK-NOT: fuser.launch
fuser.fusion @whole_and_padded(%x: tensor<?x?xf32>, %o: index, %n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.slice %0 [%o] [%n] : tensor<?xf32> -> tensor<?xf32>
  %2 = fuser.pad %1 low [2] high [3] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0, %2 : tensor<?xf32>, tensor<?xf32>
}
