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
  fuser.fusion @f(%x: tensor<1x512xf32>) -> (tensor<f32>, tensor<128x2x2x1xf32>) {
    %0 = fuser.permute %x [1, 0] : tensor<1x512xf32> -> tensor<512x1xf32>
    %1 = fuser.cumsum %0 dim 0 : tensor<512x1xf32> -> tensor<512x1xf32>
    %2 = fuser.reshape %1 : tensor<512x1xf32> -> tensor<128x2x2x1xf32>
    %3 = fuser.mean %2 dims [3] : tensor<128x2x2x1xf32> -> tensor<128x2x2xf32>
    %4 = fuser.broadcast %3 dims [3] : tensor<128x2x2xf32> -> tensor<128x2x2x1xf32>
    %5 = fuser.add %4, %2 : tensor<128x2x2x1xf32>
    %6 = fuser.mean %x dims [0, 1] : tensor<1x512xf32> -> tensor<f32>
    fuser.return %6, %5 : tensor<f32>, tensor<128x2x2x1xf32>
  }
}
