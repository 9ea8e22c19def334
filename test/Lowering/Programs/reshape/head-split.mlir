// RUN: fuser-run %s --device=host --check --sizes=2x5x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x3x64 | FileCheck %s
// Attention heads: b s (h d) -> b h s d, scaled.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?x?x64xf32>) -> tensor<?x4x?x16xf32> {
  %0 = fuser.tanh %x : tensor<?x?x64xf32>
  %1 = fuser.reshape %0 : tensor<?x?x64xf32> -> tensor<?x?x4x16xf32>
  %2 = fuser.permute %1 [0, 2, 1, 3] : tensor<?x?x4x16xf32> -> tensor<?x4x?x16xf32>
  %3 = fuser.neg %2 : tensor<?x4x?x16xf32>
  fuser.return %3 : tensor<?x4x?x16xf32>
}
