// RUN: fuser-run %s --device=host --check | FileCheck %s --check-prefix=FUSED
// RUN: fuser-run %s --device=host --check --mark-boundaries=fuser.reshape | FileCheck %s --check-prefix=CUT
// RUN: fuser-run %s --device=host --check --mark-boundaries=@block.norm | FileCheck %s --check-prefix=REGION
// S3.6, S3.9: reshapes decide the segments, if the front end requests it; marks remain down to segmentation, and the
// result is the same.

// FUSED: kernels {{.*}}f_0: grid
// FUSED-NOT: f_1
// FUSED: check {{.*}} ok
// CUT: kernels {{.*}}f_0: grid
// CUT: f_1: grid
// CUT-NOT: f_2: grid
// CUT: check {{.*}} ok
// REGION: kernels {{.*}}f_0: grid
// REGION: f_1: grid
// REGION-NOT: f_2: grid
// REGION: check {{.*}} ok

fuser.fusion @f(%x: tensor<4x6x8xf32>, %w: tensor<8xf32>) -> tensor<24x8xf32> {
  %0 = fuser.relu %x : tensor<4x6x8xf32>
  %1 = fuser.exp %0 : tensor<4x6x8xf32>
  %2 = fuser.reshape %1 : tensor<4x6x8xf32> -> tensor<24x8xf32>
  %3 = fuser.broadcast %w dims [0] {fuser.region = "block.norm"} : tensor<8xf32> -> tensor<1x8xf32>
  %4 = fuser.mul %2, %3 {fuser.region = "block.norm"} : (tensor<24x8xf32>, tensor<1x8xf32>) -> tensor<24x8xf32>
  fuser.return %4 : tensor<24x8xf32>
}
