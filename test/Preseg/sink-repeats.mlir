// RUN: fuser-opt %s --fuser-sink-repeats > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-sink-repeats | diff %t.after.mlir -
// RUN: fuser-run %s --program=chain --device=reference --sizes=3x5,1x5 --scalar 2=1.25 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=chain --device=reference --sizes=3x5,1x5 --scalar 2=1.25 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=expanded --device=reference --sizes=7x1,1x6 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=expanded --device=reference --sizes=7x1,1x6 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=expanded --device=host --sizes=7x1,1x6 --check
// What is computed on every copy of an element is computed once.

// Scalars, and operands of size 1 in the repeated dimension, go along.
// CHECK-LABEL: fuser.fusion @chain
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x?xf32>, %[[B:[a-z0-9]+]]: tensor<1x?xf32>, %[[S:[a-z0-9]+]]: f32)
// CHECK-NEXT: %[[MUL:.*]] = fuser.mul %[[X]], %[[S]] : (tensor<3x?xf32>, f32) -> tensor<3x?xf32>
// CHECK-NEXT: %[[ADD:.*]] = fuser.add %[[MUL]], %[[B]] : (tensor<3x?xf32>, tensor<1x?xf32>) -> tensor<3x?xf32>
// CHECK-NEXT: %[[CAST:.*]] = fuser.cast %[[ADD]] : tensor<3x?xf32> to tensor<3x?xbf16>
// CHECK-NEXT: %[[R:.*]] = fuser.repeat %[[CAST]] [4, 1] : tensor<3x?xbf16> -> tensor<12x?xbf16>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @chain(%x: tensor<3x?xf32>, %b: tensor<1x?xf32>, %s: f32) -> tensor<12x?xbf16> {
  %0 = fuser.repeat %x [4, 1] : tensor<3x?xf32> -> tensor<12x?xf32>
  %1 = fuser.mul %0, %s : (tensor<12x?xf32>, f32) -> tensor<12x?xf32>
  %2 = fuser.add %1, %b : (tensor<12x?xf32>, tensor<1x?xf32>) -> tensor<12x?xf32>
  %3 = fuser.cast %2 : tensor<12x?xf32> to tensor<12x?xbf16>
  fuser.return %3 : tensor<12x?xbf16>
}

// CHECK-LABEL: fuser.fusion @expanded
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x1xf32>, %[[Y:[a-z0-9]+]]: tensor<1x6xf32>)
// CHECK-NEXT: %[[EXP:.*]] = fuser.exp %[[X]] : tensor<?x1xf32>
// CHECK-NEXT: %[[SQ:.*]] = fuser.mul %[[EXP]], %[[EXP]] : tensor<?x1xf32>
// CHECK-NEXT: %[[E:.*]] = fuser.expand %[[SQ]] : tensor<?x1xf32> -> tensor<?x6xf32>
// CHECK-NEXT: fuser.add %[[E]], %[[Y]]
fuser.fusion @expanded(%x: tensor<?x1xf32>, %y: tensor<1x6xf32>) -> tensor<?x6xf32> {
  %0 = fuser.expand %x : tensor<?x1xf32> -> tensor<?x6xf32>
  %1 = fuser.exp %0 : tensor<?x6xf32>
  %2 = fuser.mul %1, %1 : tensor<?x6xf32>
  %3 = fuser.add %2, %y : (tensor<?x6xf32>, tensor<1x6xf32>) -> tensor<?x6xf32>
  fuser.return %3 : tensor<?x6xf32>
}

// Does nothing where the copies differ afterwards, where another op wants them, and past a boundary.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: %[[R:.*]] = fuser.repeat
// CHECK-NEXT: fuser.add %[[R]]
// CHECK: %[[Q:.*]] = fuser.repeat
// CHECK-NEXT: fuser.exp %[[Q]]
// CHECK: %[[P:.*]] = fuser.repeat
// CHECK-NEXT: fuser.segment_set %[[P]]
fuser.fusion @stays(%x: tensor<3xf32>, %y: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %0 = fuser.repeat %x [2] : tensor<3xf32> -> tensor<6xf32>
  %1 = fuser.add %0, %y : tensor<6xf32>
  %2 = fuser.repeat %x [2] : tensor<3xf32> -> tensor<6xf32>
  %3 = fuser.exp %2 : tensor<6xf32>
  %4 = fuser.repeat %x [2] : tensor<3xf32> -> tensor<6xf32>
  %5 = fuser.segment_set %4 : tensor<6xf32>
  fuser.return %1, %2, %3, %5 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// A repeat or expand that enlarges nothing is itself pointwise: neither is moved past the other.
// CHECK-LABEL: fuser.fusion @enlarges_nothing
// CHECK-NEXT: %[[E:.*]] = fuser.expand
// CHECK-NEXT: %[[R:.*]] = fuser.repeat %[[E]] [1, 1]
// CHECK-NEXT: fuser.exp %[[R]]
fuser.fusion @enlarges_nothing(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuser.expand %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %1 = fuser.repeat %0 [1, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.exp %1 : tensor<?x4xf32>
  fuser.return %2 : tensor<?x4xf32>
}

// An op that knows less of a repeated dimension than the expand, whose sizes are those of its own type, stays after it.
// CHECK-LABEL: fuser.fusion @type_of_result
// CHECK: %[[W:.*]] = fuser.expand
// CHECK-NEXT: fuser.mul %[[W]], %{{.*}} : (tensor<?x2xf32>, f32) -> tensor<?x?xf32>
fuser.fusion @type_of_result(%x: tensor<1x1xf32>, %n: index, %s: f32) -> tensor<?x?xf32> {
  %0 = fuser.expand %x sizes(%n) : tensor<1x1xf32> -> tensor<?x2xf32>
  %1 = fuser.mul %0, %s : (tensor<?x2xf32>, f32) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
