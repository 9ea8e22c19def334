// RUN: fuser-run %s --device=host --check --sizes=7x96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x96 | FileCheck %s
// The root mean square of each head, between a split and a merge that cancel.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %0 = fuser.neg %x : tensor<?x96xf32>
  %1 = fuser.reshape %0 : tensor<?x96xf32> -> tensor<?x4x24xf32>
  %2 = fuser.mul %1, %1 : tensor<?x4x24xf32>
  %3 = fuser.mean %2 dims [2] : tensor<?x4x24xf32> -> tensor<?x4xf32>
  %c = arith.constant 1.0e-5 : f32
  %4 = fuser.add %3, %c : (tensor<?x4xf32>, f32) -> tensor<?x4xf32>
  %5 = fuser.rsqrt %4 : tensor<?x4xf32>
  %6 = fuser.broadcast %5 dims [2] : tensor<?x4xf32> -> tensor<?x4x1xf32>
  %7 = fuser.mul %1, %6 : (tensor<?x4x24xf32>, tensor<?x4x1xf32>) -> tensor<?x4x24xf32>
  %8 = fuser.reshape %7 : tensor<?x4x24xf32> -> tensor<?x96xf32>
  %9 = fuser.tanh %8 : tensor<?x96xf32>
  fuser.return %9 : tensor<?x96xf32>
}
