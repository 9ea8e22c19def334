// RUN: fuser-run %s --device=host --check --sizes=5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// Dimensions of one element come and go.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<1x?x1xf32> {
  %0 = fuser.reshape %x : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.exp %0 : tensor<?x1xf32>
  %2 = fuser.reshape %1 : tensor<?x1xf32> -> tensor<1x1x?xf32>
  %3 = fuser.squeeze %2 dims [1] : tensor<1x1x?xf32> -> tensor<1x?xf32>
  %4 = fuser.neg %3 : tensor<1x?xf32>
  %5 = fuser.broadcast %4 dims [2] : tensor<1x?xf32> -> tensor<1x?x1xf32>
  fuser.return %5 : tensor<1x?x1xf32>
}
