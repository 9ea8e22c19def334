// RUN: fuser-run %s --device=host --check --check-accesses --start-from=choose | FileCheck %s --implicit-check-not=WRONG
// An output without a required order lies as its value's allocation says: the kernel stores it so, and the host
// function allocates it so.
// CHECK: outputs     0: 3x5xf32, strides [1, 3]
// CHECK-NEXT: 1: 3x5xf32, strides [1, 3]
// CHECK-NEXT: 2: 3x5xf32, strides [5, 1]
// CHECK: output 0: ok, 15 elements
// CHECK-NEXT: output 1: ok, 15 elements
// CHECK-NEXT: output 2: ok, 15 elements
fuser.kernel @kernel(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) attributes {output_orders = [unit, array<i64: 1, 0>, array<i64: 0, 1>]} {
  %0 = fuser.neg %x : tensor<3x5xf32>
  %1 = fuser.abs %0 {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>]} : tensor<3x5xf32>
  fuser.return %1, %1, %1 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}
fuser.host @host(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) attributes {output_orders = [unit, array<i64: 1, 0>, array<i64: 0, 1>]} {
  %0 = fuser.alloc() order [1, 0] : tensor<3x5xf32>
  %1 = fuser.alloc() order [1, 0] : tensor<3x5xf32>
  %2 = fuser.alloc() order [0, 1] : tensor<3x5xf32>
  %3:3 = fuser.launch @kernel ins(%x : tensor<3x5xf32>) outs(%0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  fuser.return %3#0, %3#1, %3#2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}
