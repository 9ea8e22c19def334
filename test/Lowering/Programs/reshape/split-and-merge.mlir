// RUN: fuser-run %s --device=host --check | FileCheck %s
// 6x4 -> 4x6: both sides are parts of a whole that neither has.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
  %0 = fuser.exp %x : tensor<6x4xf32>
  %1 = fuser.reshape %0 : tensor<6x4xf32> -> tensor<4x6xf32>
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}
