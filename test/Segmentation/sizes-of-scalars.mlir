// RUN: fuser-opt %s "--fuser-segment-fusions=sizes=;" "--fuser-choose-schedules=sizes=;" | FileCheck %s
// Sizes of a call whose tensors are of rank 0 are hints without a number: they are not read again for the arguments of a
// kernel, which differ from those of the program.
// CHECK-LABEL: fuser.kernel @region_0
// CHECK-SAME: fuser_sched.sizes = [array<i64>, array<i64: 1>]
// CHECK-SAME: schedule = #fuser_sched.pointwise
fuser.fusion @region(%x: tensor<f32>, %index: tensor<i64>) -> tensor<f32> {
  %row = fuser.broadcast %x dims [0] : tensor<f32> -> tensor<1xf32>
  %at = fuser.broadcast %index dims [0] : tensor<i64> -> tensor<1xi64>
  %taken = fuser.take_along_axis %row, %at dim 0 : tensor<1xf32>, tensor<1xi64> -> tensor<1xf32>
  %0 = fuser.squeeze %taken dims [0] : tensor<1xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}
