// RUN: fuser-run %s --device=host --check --sizes=3x12x7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x12x1 | FileCheck %s
// Groups of channels are interleaved.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?x12x?xf32>) -> tensor<?x12x?xf32> {
  %0 = fuser.reshape %x : tensor<?x12x?xf32> -> tensor<?x3x4x?xf32>
  %1 = fuser.permute %0 [0, 2, 1, 3] : tensor<?x3x4x?xf32> -> tensor<?x4x3x?xf32>
  %2 = fuser.reshape %1 : tensor<?x4x3x?xf32> -> tensor<?x12x?xf32>
  %3 = fuser.exp %2 : tensor<?x12x?xf32>
  fuser.return %3 : tensor<?x12x?xf32>
}
