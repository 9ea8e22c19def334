// A kernel whose schedule cannot be lowered is split by segmentation, with a remark
// (docs/adr/0050-accepted-kernels-can-be-lowered.md). If a scheduler takes this kernel one day, another one has to replace it:
// `fuser-fuzz-fusions --strict` finds some. The query about this one has one output; the kernel stores it in both parts of the concatenation, where the
// reshape is no view. The tests of the C interface and of Python read this file, too.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: fallback    a kernel of 2 ops is split, because no schedule of it can be lowered: '
// CHECK: output 0: ok
// CHECK: output 1: ok
// REMARK: remark: a kernel of 2 ops is split, because no schedule of it can be lowered: '
// REMARK-NOT: error:
// REMARK: gpu.func @f_0
module {
  fuser.fusion @f(%x: tensor<1x512xf32>) -> (tensor<f32>, tensor<1x128x8xf32>) {
    %m = fuser.mean %x dims [0, 1] : tensor<1x512xf32> -> tensor<f32>
    %0 = fuser.segment_set %x : tensor<1x512xf32>
    %1 = fuser.cumsum %0 dim 1 : tensor<1x512xf32> -> tensor<1x512xf32>
    %2 = fuser.reshape %1 : tensor<1x512xf32> -> tensor<1x128x4xf32>
    %3 = fuser.cat %2, %2 dim 2 : (tensor<1x128x4xf32>, tensor<1x128x4xf32>) -> tensor<1x128x8xf32>
    fuser.return %m, %3 : tensor<f32>, tensor<1x128x8xf32>
  }
}
