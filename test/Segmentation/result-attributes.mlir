// RUN: fuser-opt %s --allow-unregistered-dialect --fuser-segment-fusions --split-input-file | FileCheck %s
// The attributes of arguments and results are those of the host function, and of the kernels of which each result is one
// of the program.

// CHECK-LABEL: fuser.kernel @whole_0
// CHECK-SAME: (%x: tensor<4xf32> {test.a = 1 : i64}) -> (tensor<4xf32> {test.b = 2 : i64}, tensor<4xf32>) {
// CHECK: fuser.host @whole(%x: tensor<4xf32> {test.a = 1 : i64}) -> (tensor<4xf32> {test.b = 2 : i64}, tensor<4xf32>) {
fuser.fusion @whole(%x: tensor<4xf32> {test.a = 1 : i64}) -> (tensor<4xf32> {test.b = 2 : i64}, tensor<4xf32>) {
  %0 = fuser.exp %x : tensor<4xf32>
  %1 = fuser.neg %0 : tensor<4xf32>
  fuser.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: fuser.kernel @parts_0
// CHECK-NOT: test.b
// CHECK: fuser.kernel @parts_1
// CHECK-SAME: -> (tensor<4xf32> {test.b = 2 : i64}) {
// CHECK: fuser.host @parts(%x: tensor<4xf32> {test.a = 1 : i64}) -> (tensor<4xf32> {test.b = 2 : i64}) {
fuser.fusion @parts(%x: tensor<4xf32> {test.a = 1 : i64}) -> (tensor<4xf32> {test.b = 2 : i64}) {
  %0 = fuser.exp %x : tensor<4xf32>
  %1 = fuser.segment_set %0 : tensor<4xf32>
  %2 = fuser.neg %1 : tensor<4xf32>
  fuser.return %2 : tensor<4xf32>
}
