// RUN: fuser-opt %s --fuser-cancel-splits > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-cancel-splits | diff %t.after.mlir -
// RUN: fuser-run %s --program=join --device=reference --sizes=5x4 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=join --device=reference --sizes=5x4 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=join --device=host --sizes=5x4 --check
// RUN: fuser-run %s --program=channels --device=host --check
// RUN: fuser-run %s --program=functions --device=reference --sizes=5x6 --scalar 1=0.75 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=functions --device=reference --sizes=5x6 --scalar 1=0.75 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=functions --device=host --sizes=5x6 --scalar 1=0.75 --check
// RUN: fuser-run %s --program=dynamic --device=reference --sizes=7x4 --scalar 1=3 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=dynamic --device=reference --sizes=7x4 --scalar 1=3 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// Slices that a join puts together again, and slices of a join that are what was joined.

// CHECK-LABEL: fuser.fusion @join
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<5x?xf32>)
// CHECK-NOT: fuser.slice
// CHECK: %[[R:.*]] = fuser.relu %[[X]]
// CHECK: fuser.return %[[R]]
fuser.fusion @join(%x: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<5x?xf32>
  %0 = fuser.slice %x [0, 0] [2, %n] : tensor<5x?xf32> -> tensor<2x?xf32>
  %1 = fuser.slice %x [2, 0] [3, %n] : tensor<5x?xf32> -> tensor<3x?xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<2x?xf32>, tensor<3x?xf32>) -> tensor<5x?xf32>
  %3 = fuser.relu %2 : tensor<5x?xf32>
  fuser.return %3 : tensor<5x?xf32>
}

// One chain of functions for every piece is applied to the whole.
// CHECK-LABEL: fuser.fusion @functions
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<5x6xf32>, %[[S:[a-z0-9]+]]: f32)
// CHECK-NEXT: %[[M:.*]] = fuser.mul %[[X]], %[[S]] : (tensor<5x6xf32>, f32) -> tensor<5x6xf32>
// CHECK-NEXT: %[[T:.*]] = fuser.tanh %[[M]] : tensor<5x6xf32>
// CHECK-NEXT: %[[C:.*]] = fuser.cast %[[T]] : tensor<5x6xf32> to tensor<5x6xbf16>
// CHECK-NEXT: fuser.return %[[C]]
fuser.fusion @functions(%x: tensor<5x6xf32>, %s: f32) -> tensor<5x6xbf16> {
  %0 = fuser.slice %x [0, 0] [5, 2] : tensor<5x6xf32> -> tensor<5x2xf32>
  %1 = fuser.slice %x [0, 2] [5, 3] : tensor<5x6xf32> -> tensor<5x3xf32>
  %2 = fuser.slice %x [0, 5] [5, 1] : tensor<5x6xf32> -> tensor<5x1xf32>
  %3 = fuser.mul %0, %s : (tensor<5x2xf32>, f32) -> tensor<5x2xf32>
  %4 = fuser.mul %1, %s : (tensor<5x3xf32>, f32) -> tensor<5x3xf32>
  %5 = fuser.mul %2, %s : (tensor<5x1xf32>, f32) -> tensor<5x1xf32>
  %6 = fuser.tanh %3 : tensor<5x2xf32>
  %7 = fuser.tanh %4 : tensor<5x3xf32>
  %8 = fuser.tanh %5 : tensor<5x1xf32>
  %9 = fuser.cast %6 : tensor<5x2xf32> to tensor<5x2xbf16>
  %10 = fuser.cast %7 : tensor<5x3xf32> to tensor<5x3xbf16>
  %11 = fuser.cast %8 : tensor<5x1xf32> to tensor<5x1xbf16>
  %12 = fuser.cat %9, %10, %11 dim 1 : (tensor<5x2xbf16>, tensor<5x3xbf16>, tensor<5x1xbf16>) -> tensor<5x6xbf16>
  fuser.return %12 : tensor<5x6xbf16>
}

// Offsets and sizes that only run time knows, but that add up.
// CHECK-LABEL: fuser.fusion @dynamic
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x4xf32>, %{{.*}}: index)
// CHECK-NOT: fuser.slice
// CHECK-NOT: fuser.cat
// CHECK: fuser.return %[[X]]
fuser.fusion @dynamic(%x: tensor<?x4xf32>, %k: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %rest = arith.subi %n, %k : index
  %0 = fuser.slice %x [0, 0] [%k, 4] : tensor<?x4xf32> -> tensor<?x4xf32>
  %1 = fuser.slice %x [%k, 0] [%rest, 4] : tensor<?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  fuser.return %2 : tensor<?x4xf32>
}

// A slice of a join is one of its operands.
// CHECK-LABEL: fuser.fusion @piece
// CHECK-SAME: (%{{.*}}: tensor<2x3xf32>, %[[Y:[a-z0-9]+]]: tensor<4x3xf32>)
// CHECK-NEXT: %[[N:.*]] = fuser.neg %[[Y]]
// CHECK-NEXT: fuser.return %[[N]]
fuser.fusion @piece(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = fuser.cat %x, %y dim 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  %1 = fuser.slice %0 [2, 0] [4, 3] : tensor<6x3xf32> -> tensor<4x3xf32>
  %2 = fuser.neg %1 : tensor<4x3xf32>
  fuser.return %2 : tensor<4x3xf32>
}

// A piece of what cancels cancels in the next round.
// CHECK-LABEL: fuser.fusion @nested
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xf32>)
// CHECK-NEXT: fuser.return %[[X]]
fuser.fusion @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.slice %x [0] [2] : tensor<4xf32> -> tensor<2xf32>
  %1 = fuser.slice %x [2] [2] : tensor<4xf32> -> tensor<2xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %3 = fuser.slice %2 [0] [1] : tensor<4xf32> -> tensor<1xf32>
  %4 = fuser.slice %2 [1] [3] : tensor<4xf32> -> tensor<3xf32>
  %5 = fuser.cat %3, %4 dim 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  fuser.return %5 : tensor<4xf32>
}

// Does nothing where a piece is missing, another order, another step, another tensor, another function, another scalar, or
// where the result in between has another use.
// CHECK-LABEL: fuser.fusion @stays
// CHECK-COUNT-6: fuser.cat
fuser.fusion @stays(%x: tensor<4xf32>, %y: tensor<4xf32>, %s: f32, %t: f32)
    -> (tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>) {
  %0 = fuser.slice %x [0] [2] : tensor<4xf32> -> tensor<2xf32>
  %1 = fuser.slice %x [2] [2] : tensor<4xf32> -> tensor<2xf32>
  %2 = fuser.slice %x [3] [1] : tensor<4xf32> -> tensor<1xf32>
  %3 = fuser.slice %y [2] [2] : tensor<4xf32> -> tensor<2xf32>
  %4 = fuser.slice %x [0] [2] strides [2] : tensor<4xf32> -> tensor<2xf32>
  %5 = fuser.cat %0, %2 dim 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  %6 = fuser.cat %1, %0 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %7 = fuser.cat %4, %1 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %8 = fuser.cat %0, %3 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %9 = fuser.mul %0, %s : (tensor<2xf32>, f32) -> tensor<2xf32>
  %10 = fuser.mul %1, %t : (tensor<2xf32>, f32) -> tensor<2xf32>
  %11 = fuser.cat %9, %10 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %12 = fuser.exp %0 : tensor<2xf32>
  %13 = fuser.exp %1 : tensor<2xf32>
  %14 = fuser.cat %12, %13 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  fuser.return %5, %6, %7, %8, %11, %14, %13
      : tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
}

// Nor where pieces have functions with other attributes, or where one reads a second tensor.
// CHECK-LABEL: fuser.fusion @other_functions
// CHECK-COUNT-3: fuser.cat
fuser.fusion @other_functions(%x: tensor<4xf32>, %y: tensor<2xf32>, %s: f32)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = fuser.slice %x [0] [2] : tensor<4xf32> -> tensor<2xf32>
  %1 = fuser.slice %x [2] [2] : tensor<4xf32> -> tensor<2xf32>
  %2 = fuser.gelu %0 : tensor<2xf32>
  %3 = fuser.gelu %1 {approximate} : tensor<2xf32>
  %4 = fuser.cat %2, %3 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %5 = fuser.mul %0, %s : (tensor<2xf32>, f32) -> tensor<2xf32>
  %6 = fuser.mul %1, %y : tensor<2xf32>
  %7 = fuser.cat %5, %6 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %8 = fuser.mul %0, %y : tensor<2xf32>
  %9 = fuser.mul %1, %s : (tensor<2xf32>, f32) -> tensor<2xf32>
  %10 = fuser.cat %8, %9 dim 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  fuser.return %4, %7, %10 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What is inserted, read again in its box, is what was inserted; what is replaced at once was never inserted.
// CHECK-LABEL: fuser.fusion @inserted
// CHECK-SAME: (%[[X:.*]]: tensor<8x2xf32>, %[[Y:.*]]: tensor<8x9xf32>)
// CHECK-NEXT: %[[E:.*]] = fuser.exp %[[X]]
// CHECK-NEXT: %[[N:.*]] = fuser.neg %[[E]]
// CHECK-NEXT: %[[R:.*]] = fuser.insert_slice %[[N]] into %[[Y]] [0, 3]
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @inserted(%x: tensor<8x2xf32>, %y: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = fuser.exp %x : tensor<8x2xf32>
  %1 = fuser.insert_slice %0 into %y [0, 3] : tensor<8x2xf32> into tensor<8x9xf32>
  %2 = fuser.slice %1 [0, 3] [8, 2] : tensor<8x9xf32> -> tensor<8x2xf32>
  %3 = fuser.neg %2 : tensor<8x2xf32>
  %4 = fuser.insert_slice %3 into %1 [0, 3] : tensor<8x2xf32> into tensor<8x9xf32>
  fuser.return %4 : tensor<8x9xf32>
}

// Not in another box, or with another reader.
// CHECK-LABEL: fuser.fusion @other_boxes
// CHECK: fuser.insert_slice
// CHECK: fuser.slice
// CHECK: fuser.insert_slice
// CHECK: fuser.insert_slice
fuser.fusion @other_boxes(%x: tensor<8x2xf32>, %y: tensor<8x9xf32>) -> (tensor<8x2xf32>, tensor<8x9xf32>, tensor<8x9xf32>) {
  %0 = fuser.insert_slice %x into %y [0, 3] : tensor<8x2xf32> into tensor<8x9xf32>
  %1 = fuser.slice %0 [0, 4] [8, 2] : tensor<8x9xf32> -> tensor<8x2xf32>
  %2 = fuser.insert_slice %x into %0 [0, 4] : tensor<8x2xf32> into tensor<8x9xf32>
  %3 = fuser.insert_slice %1 into %0 [0, 3] : tensor<8x2xf32> into tensor<8x9xf32>
  fuser.return %1, %2, %3 : tensor<8x2xf32>, tensor<8x9xf32>, tensor<8x9xf32>
}

// What is inserted into a part that is inserted where it was is inserted into the whole.
// CHECK-LABEL: fuser.fusion @inserted_into_part
// CHECK-SAME: (%[[X:.*]]: tensor<7x2xf32>, %[[Y:.*]]: tensor<8x9xf32>)
// CHECK-NEXT: %[[R:.*]] = fuser.insert_slice %[[X]] into %[[Y]] [1, 3] : tensor<7x2xf32> into tensor<8x9xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @inserted_into_part(%x: tensor<7x2xf32>, %y: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = fuser.slice %y [1, 0] [7, 9] : tensor<8x9xf32> -> tensor<7x9xf32>
  %1 = fuser.insert_slice %x into %0 [0, 3] : tensor<7x2xf32> into tensor<7x9xf32>
  %2 = fuser.insert_slice %1 into %y [1, 0] : tensor<7x9xf32> into tensor<8x9xf32>
  fuser.return %2 : tensor<8x9xf32>
}

// Not into another place, or another tensor.
// CHECK-LABEL: fuser.fusion @inserted_elsewhere
// CHECK-COUNT-4: fuser.insert_slice
fuser.fusion @inserted_elsewhere(%x: tensor<7x2xf32>, %y: tensor<8x9xf32>, %z: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %0 = fuser.slice %y [1, 0] [7, 9] : tensor<8x9xf32> -> tensor<7x9xf32>
  %1 = fuser.insert_slice %x into %0 [0, 3] : tensor<7x2xf32> into tensor<7x9xf32>
  %2 = fuser.insert_slice %1 into %y [0, 0] : tensor<7x9xf32> into tensor<8x9xf32>
  %3 = fuser.insert_slice %x into %0 [0, 4] : tensor<7x2xf32> into tensor<7x9xf32>
  %4 = fuser.insert_slice %3 into %z [1, 0] : tensor<7x9xf32> into tensor<8x9xf32>
  fuser.return %2, %4 : tensor<8x9xf32>, tensor<8x9xf32>
}

// Channels in the opposite order are a flip where each is reduced.
// CHECK-LABEL: fuser.fusion @channels
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x3xf32>)
// CHECK-DAG: %[[L:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[M:.*]] = arith.constant -1 : i64
// CHECK: %[[I:.*]] = fuser.iota %[[L]], %[[M]] : i64, i64 -> tensor<3xi64>
// CHECK: %[[F:.*]] = fuser.index_select %[[X]], %[[I]] dim 2
// CHECK: %[[P:.*]] = fuser.permute %[[F]] [0, 2, 1]
// CHECK: fuser.mean %{{.*}} dims [2]
fuser.fusion @channels(%x: tensor<2x5x3xf32>) -> tensor<2x3xf32> {
  %0 = fuser.slice %x [0, 0, 2] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %1 = fuser.slice %x [0, 0, 1] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %2 = fuser.slice %x [0, 0, 0] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %3 = fuser.cat %0, %1, %2 dim 2 : (tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x3xf32>
  %4 = fuser.permute %3 [0, 2, 1] : tensor<2x5x3xf32> -> tensor<2x3x5xf32>
  %5 = fuser.exp %4 : tensor<2x3x5xf32>
  %6 = fuser.mean %5 dims [2] : tensor<2x3x5xf32> -> tensor<2x3xf32>
  fuser.return %6 : tensor<2x3xf32>
}

// Not where the channels themselves are reduced, or none is, or one of them is missing.
// CHECK-LABEL: fuser.fusion @other_channels
// CHECK-COUNT-3: fuser.cat
// CHECK-NOT: fuser.index_select
fuser.fusion @other_channels(%x: tensor<2x5x3xf32>, %y: tensor<2x5x3xf32>) -> (tensor<2x5xf32>, tensor<2x5x3xf32>, tensor<2x3xf32>) {
  %0 = fuser.slice %x [0, 0, 2] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %1 = fuser.slice %x [0, 0, 1] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %2 = fuser.slice %x [0, 0, 0] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %3 = fuser.cat %0, %1, %2 dim 2 : (tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x3xf32>
  %4 = fuser.max %3 dims [2] : tensor<2x5x3xf32> -> tensor<2x5xf32>
  %5 = fuser.slice %y [0, 0, 2] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %6 = fuser.slice %y [0, 0, 1] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %7 = fuser.slice %y [0, 0, 0] [2, 5, 1] : tensor<2x5x3xf32> -> tensor<2x5x1xf32>
  %8 = fuser.cat %5, %6, %7 dim 2 : (tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x3xf32>
  %9 = fuser.cat %0, %1, %1 dim 2 : (tensor<2x5x1xf32>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x3xf32>
  %10 = fuser.max %9 dims [1] : tensor<2x5x3xf32> -> tensor<2x3xf32>
  fuser.return %4, %8, %10 : tensor<2x5xf32>, tensor<2x5x3xf32>, tensor<2x3xf32>
}

// What is inserted where it is already changes nothing, also as a copy, or as a part of a part.
// CHECK-LABEL: fuser.fusion @inserted_in_place
// CHECK-SAME: (%[[Y:.*]]: tensor<8x9xf32>)
// CHECK-NEXT: %[[E:.*]] = fuser.exp %[[Y]]
// CHECK-NEXT: fuser.return %[[E]], %[[E]]
fuser.fusion @inserted_in_place(%y: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %0 = fuser.exp %y : tensor<8x9xf32>
  %1 = fuser.slice %0 [1, 0] [7, 9] : tensor<8x9xf32> -> tensor<7x9xf32>
  %2 = fuser.slice %1 [0, 3] [7, 2] : tensor<7x9xf32> -> tensor<7x2xf32>
  %3 = fuser.set %2 : tensor<7x2xf32>
  %4 = fuser.insert_slice %3 into %0 [1, 3] : tensor<7x2xf32> into tensor<8x9xf32>
  %5 = fuser.set %0 : tensor<8x9xf32>
  %6 = fuser.insert_slice %5 into %0 [0, 0] : tensor<8x9xf32> into tensor<8x9xf32>
  fuser.return %4, %6 : tensor<8x9xf32>, tensor<8x9xf32>
}

// Not elsewhere, or every second element.
// CHECK-LABEL: fuser.fusion @moved_in_place
// CHECK-COUNT-2: fuser.insert_slice
fuser.fusion @moved_in_place(%y: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %0 = fuser.exp %y : tensor<8x9xf32>
  %1 = fuser.slice %0 [1, 0] [7, 9] : tensor<8x9xf32> -> tensor<7x9xf32>
  %2 = fuser.slice %1 [0, 3] [7, 2] : tensor<7x9xf32> -> tensor<7x2xf32>
  %3 = fuser.insert_slice %2 into %0 [0, 3] : tensor<7x2xf32> into tensor<8x9xf32>
  %4 = fuser.slice %0 [0, 0] [4, 9] strides [2, 1] : tensor<8x9xf32> -> tensor<4x9xf32>
  %5 = fuser.insert_slice %4 into %0 [0, 0] : tensor<4x9xf32> into tensor<8x9xf32>
  fuser.return %3, %5 : tensor<8x9xf32>, tensor<8x9xf32>
}

// Parts of what was inserted are read from the result, which is stored: at an offset, they would be stored twice.
// CHECK-LABEL: fuser.fusion @part_of_inserted
// CHECK: %[[R:.*]] = fuser.insert_slice
// CHECK: %[[A:.*]] = fuser.slice %[[R]] [0, 0] [7, 9]
// CHECK: fuser.slice %[[A]] [0, 1] [7, 8]
fuser.fusion @part_of_inserted(%x: tensor<7x9xf32>, %y: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<7x8xf32>) {
  %0 = fuser.exp %x : tensor<7x9xf32>
  %1 = fuser.insert_slice %0 into %y [0, 0] : tensor<7x9xf32> into tensor<8x9xf32>
  %2 = fuser.slice %1 [0, 0] [7, 9] : tensor<8x9xf32> -> tensor<7x9xf32>
  %3 = fuser.slice %2 [0, 1] [7, 8] : tensor<7x9xf32> -> tensor<7x8xf32>
  fuser.return %1, %3 : tensor<8x9xf32>, tensor<7x8xf32>
}

// Parts of parts are joined at once, along one dimension, if rows have a sector of each.
// CHECK-LABEL: fuser.fusion @joined_parts
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x8xf32>, %[[C:.*]]: tensor<4x16xf32>)
// CHECK-NEXT: %[[R:.*]] = fuser.cat %[[A]], %[[B]], %[[C]] dim 1
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @joined_parts(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x16xf32>) -> tensor<4x32xf32> {
  %0 = fuser.cat %a, %b dim 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %1 = fuser.cat %0, %c dim 1 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x32xf32>
  fuser.return %1 : tensor<4x32xf32>
}

// Not parts of a few columns, parts along another dimension, and those that others read.
// CHECK-LABEL: fuser.fusion @parts_of_their_own
// CHECK-COUNT-6: fuser.cat
fuser.fusion @parts_of_their_own(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>, %c: tensor<4x4xf32>, %d: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>, tensor<4x24xf32>) {
  %0 = fuser.cat %a, %b dim 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = fuser.cat %0, %c dim 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %2 = fuser.cat %d, %d dim 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %3 = fuser.cat %2, %2 dim 0 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %4 = fuser.cat %d, %1 dim 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %5 = fuser.cat %4, %d dim 1 : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<4x24xf32>
  fuser.return %1, %3, %4, %5 : tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>, tensor<4x24xf32>
}
