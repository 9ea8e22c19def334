// RUN: fuser-run %s --device=host --check --sizes=64 --repeat=1
// RUN: fuser-run %s --device=host --check --sizes=4096 --repeat=1
// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions | FileCheck %s
// Rows are reduced without their ends, and stored with them: loops over the part store no whole rows.

// CHECK-LABEL: fuser.kernel @f_0
// CHECK-COUNT-2: fuser.max
// CHECK-NOT: fuser.set
// CHECK-LABEL: fuser.kernel @f_1
// CHECK: fuser.set %x
fuser.fusion @f(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c = arith.constant 1.5 : f32
  %rows = fuser.reshape %x : tensor<?xf32> -> tensor<?x8xf32>
  %part = fuser.pad %rows low [0, -2] high [0, -2] value %c : tensor<?x8xf32>, f32 -> tensor<?x4xf32>
  %0 = fuser.max %part dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.mul %part, %1 : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %3 = fuser.max %2 dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %4 = fuser.cat %3, %x dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %4, %4 : tensor<?xf32>, tensor<?xf32>
}
