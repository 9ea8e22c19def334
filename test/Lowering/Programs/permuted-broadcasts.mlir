// RUN: fuser-run %s --device=host --check --sizes=4x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x5 | FileCheck %s
// One kernel writes a value and its permutation, both with a dimension of size 1 that lies elsewhere in each.
// CHECK: output 0: ok
// CHECK: output 1: ok
fuser.fusion @both(%x: tensor<?x?xf32>) -> (tensor<?x1x?xf32>, tensor<1x?x?xf32>) {
  %0 = fuser.broadcast %x dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %1 = fuser.permute %0 [1, 2, 0] : tensor<?x1x?xf32> -> tensor<1x?x?xf32>
  fuser.return %0, %1 : tensor<?x1x?xf32>, tensor<1x?x?xf32>
}
