// RUN: fuser-run %s --device=host --check --sizes=2x2 | FileCheck %s
// What is merged is read at an offset.
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<2x2xi32>) -> tensor<8xi32> {
  %0 = fuser.reshape %x : tensor<2x2xi32> -> tensor<4xi32>
  %c = arith.constant 3 : i32
  %1 = fuser.pad %0 low [3] high [1] value %c : tensor<4xi32>, i32 -> tensor<8xi32>
  %2 = fuser.cat %0, %0 dim 0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>
  %3 = fuser.mul %2, %1 : tensor<8xi32>
  fuser.return %3 : tensor<8xi32>
}
