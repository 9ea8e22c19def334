// RUN: fuser-run %s --device=host --check --program=rows --sizes=3x5x12,12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=rows --sizes=1x1x12,12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=rows --sizes=0x2x12,12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=weights --sizes=5x12,3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=weights --sizes=1x12,3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=weights --sizes=0x12,3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=3x8x5,8 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=1x8x1,8 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=groups --sizes=0x8x5,8 | FileCheck %s --check-prefix=ONE
// Norms of merged rows, with weights of another shape, and of groups.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG

// Rows of merged dimensions.
fuser.fusion @rows(%x: tensor<?x?x12xbf16>, %w: tensor<12xf32>) -> tensor<?x12xbf16> {
  %eps = arith.constant 1.0e-5 : f32
  %0 = fuser.cast %x : tensor<?x?x12xbf16> to tensor<?x?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x?x12xf32> -> tensor<?x12xf32>
  %var, %mean = fuser.var_mean %1 dims [1] correction 0 : tensor<?x12xf32> -> tensor<?xf32>, tensor<?xf32>
  %2 = fuser.add %var, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %3 = fuser.rsqrt %2 : tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.sub %1, %5 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %7 = fuser.mul %6, %4 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %8 = fuser.broadcast %w dims [0] : tensor<12xf32> -> tensor<1x12xf32>
  %9 = fuser.mul %7, %8 : (tensor<?x12xf32>, tensor<1x12xf32>) -> tensor<?x12xf32>
  %10 = fuser.cast %9 : tensor<?x12xf32> to tensor<?x12xbf16>
  fuser.return %10 : tensor<?x12xbf16>
}

// The row is normalized as a whole and scaled by parts.
fuser.fusion @weights(%x: tensor<?x12xf32>, %w: tensor<3x4xf32>) -> tensor<?x3x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %var, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x12xf32> -> tensor<?xf32>, tensor<?xf32>
  %2 = fuser.add %var, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %3 = fuser.rsqrt %2 : tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.sub %x, %5 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %7 = fuser.mul %6, %4 : (tensor<?x12xf32>, tensor<?x1xf32>) -> tensor<?x12xf32>
  %8 = fuser.reshape %7 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %9 = fuser.broadcast %w dims [0] : tensor<3x4xf32> -> tensor<1x3x4xf32>
  %10 = fuser.mul %8, %9 : (tensor<?x3x4xf32>, tensor<1x3x4xf32>) -> tensor<?x3x4xf32>
  fuser.return %10 : tensor<?x3x4xf32>
}

// Groups of channels: one part of a split is reduced, and merged again.
fuser.fusion @groups(%x: tensor<?x8x?xf32>, %w: tensor<8xf32>) -> tensor<?x8x?xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %1 = fuser.reshape %x : tensor<?x8x?xf32> -> tensor<?x2x4x?xf32>
  %var, %mean = fuser.var_mean %1 dims [2, 3] correction 0 : tensor<?x2x4x?xf32> -> tensor<?x2xf32>, tensor<?x2xf32>
  %2 = fuser.add %var, %eps : (tensor<?x2xf32>, f32) -> tensor<?x2xf32>
  %3 = fuser.rsqrt %2 : tensor<?x2xf32>
  %4 = fuser.broadcast %3 dims [2, 3] : tensor<?x2xf32> -> tensor<?x2x1x1xf32>
  %5 = fuser.broadcast %mean dims [2, 3] : tensor<?x2xf32> -> tensor<?x2x1x1xf32>
  %6 = fuser.sub %1, %5 : (tensor<?x2x4x?xf32>, tensor<?x2x1x1xf32>) -> tensor<?x2x4x?xf32>
  %7 = fuser.mul %6, %4 : (tensor<?x2x4x?xf32>, tensor<?x2x1x1xf32>) -> tensor<?x2x4x?xf32>
  %8 = fuser.reshape %7 : tensor<?x2x4x?xf32> -> tensor<?x8x?xf32>
  %9 = fuser.broadcast %w dims [0, 2] : tensor<8xf32> -> tensor<1x8x1xf32>
  %10 = fuser.mul %8, %9 : (tensor<?x8x?xf32>, tensor<1x8x1xf32>) -> tensor<?x8x?xf32>
  fuser.return %10 : tensor<?x8x?xf32>
}
