// RUN: fuser-run %s --device=host --check --sizes=5x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x2 | FileCheck %s
// Vectors of a part of a dynamic size.
// CHECK: kernels f_0:
// CHECK-NOT: f_2:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<5x?xf32>) -> tensor<?xf32> {
  %0 = fuser.mean %x dims [0] : tensor<5x?xf32> -> tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x2xf32>
  %2 = fuser.min %1 dims [1] : tensor<?x2xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
