// RUN: fuser-run %s --device=host --check --sizes=16x5,16x5,100x5 --range=i=0:100 --scalar h=-4 | FileCheck %s --check-prefix=VALUES
// RUN: fuser-opt %s --fuser-preseg | FileCheck %s
// The sizes of the result of an update are those of its operand, not of what it stores.

// VALUES: check output 0: ok

// CHECK-LABEL: fuser.fusion @f
// CHECK: %[[P:.*]] = fuser.push
// CHECK: %[[ROWS:.*]] = tensor.dim %x, %{{.*}} : tensor<?x?xf32>
// CHECK: fuser.slice %[[P]] [0, 0] [%[[ROWS]], %{{.*}}] : tensor<?x?xf32> -> tensor<?x?xf32>
fuser.fusion @f(%s: tensor<16x?xf32>, %i: tensor<16x?xi64>, %x: tensor<?x?xf32>, %h: index) -> tensor<?x?xf32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<16x?xf32>, tensor<16x?xi64>, tensor<?x?xf32>
  %v = arith.constant 1.5 : f32
  %1 = fuser.pad %0 low [8, 0] high [0, %h] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
