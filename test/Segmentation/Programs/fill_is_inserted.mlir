// RUN: fuser-run %s --device=host --check --sizes=30x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x3 | FileCheck %s
// A fill that is inserted into what was inserted into it.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
fuser.fusion @f(%x: tensor<?x3xf32>) -> tensor<4x8xf32> {
  %v = arith.constant 1.5 : f32
  %0 = fuser.sum %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<3xf32> -> tensor<1x3xf32>
  %2 = fuser.full %v : f32 -> tensor<4x8xf32>
  %3 = fuser.insert_slice %1 into %2 [1, 2] : tensor<1x3xf32> into tensor<4x8xf32>
  %4 = fuser.insert_slice %2 into %3 [0, 0] : tensor<4x8xf32> into tensor<4x8xf32>
  fuser.return %4 : tensor<4x8xf32>
}
