// A kernel whose schedule cannot be lowered is split by segmentation, with a remark
// (docs/adr/0050-accepted-kernels-can-be-lowered.md). If a scheduler takes this kernel one day, another one has to replace it:
// `fuser-fuzz-fusions --strict` finds some. The tests of the C interface and of Python read this file, too.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: fallback    a kernel of 4 ops is split, because no schedule of it can be lowered: '
// CHECK: output 0: ok
// CHECK: output 1: ok
// REMARK: remark: a kernel of 4 ops is split, because no schedule of it can be lowered: '
// REMARK-NOT: error:
// REMARK: gpu.func @f_0
module {
  fuser.fusion @f(%x: tensor<1x512xf32>) -> (tensor<f32>, tensor<32x2x8xf32>) {
    %m = fuser.mean %x dims [0, 1] : tensor<1x512xf32> -> tensor<f32>
    %0 = fuser.reshape %x : tensor<1x512xf32> -> tensor<2x256xf32>
    %1 = fuser.mean %0 dims [0] : tensor<2x256xf32> -> tensor<256xf32>
    %2 = fuser.reshape %1 : tensor<256xf32> -> tensor<64x4xf32>
    %3 = fuser.reshape %2 : tensor<64x4xf32> -> tensor<32x2x4xf32>
    %4 = fuser.cat %3, %3 dim 2 : (tensor<32x2x4xf32>, tensor<32x2x4xf32>) -> tensor<32x2x8xf32>
    fuser.return %m, %4 : tensor<f32>, tensor<32x2x8xf32>
  }
}
