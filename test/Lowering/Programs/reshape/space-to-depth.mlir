// RUN: fuser-run %s --device=host --check --sizes=3x6x8 | FileCheck %s
// Blocks of 2x2 pixels become channels.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<3x6x8xbf16>) -> tensor<3x2x2x3x4xbf16> {
  %0 = fuser.reshape %x : tensor<3x6x8xbf16> -> tensor<3x3x2x4x2xbf16>
  %1 = fuser.permute %0 [0, 2, 4, 1, 3] : tensor<3x3x2x4x2xbf16> -> tensor<3x2x2x3x4xbf16>
  %2 = fuser.relu %1 : tensor<3x2x2x3x4xbf16>
  fuser.return %2 : tensor<3x2x2x3x4xbf16>
}
