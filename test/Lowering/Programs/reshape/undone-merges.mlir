// RUN: fuser-run %s --device=host --check --sizes=31 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0 | FileCheck %s
// A transpose of a reshaped dimension that is repeated and reduced. Loops of the argument are merged in the transposed order
// and split again: the parts are those of the reshape.

// CHECK-NOT: fallback
// CHECK: check {{.*}} ok
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<f32> {
  %0 = fuser.mul %x, %x : tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x31xf32>
  %2 = fuser.permute %1 [1, 0] : tensor<?x31xf32> -> tensor<31x?xf32>
  %3 = fuser.reshape %2 : tensor<31x?xf32> -> tensor<?xf32>
  %4 = fuser.repeat %3 [3] : tensor<?xf32> -> tensor<?xf32>
  %5 = fuser.sum %4 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %5 : tensor<f32>
}
