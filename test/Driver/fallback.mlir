// A kernel whose schedule cannot be lowered is split by segmentation, with a remark
// (docs/adr/0050-accepted-kernels-can-be-lowered.md). If a scheduler takes this kernel one day, another one has to replace it:
// `fuser-fuzz-fusions --strict` finds some. The tests of the C interface and of Python read this file, too.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: fallback    a kernel of 5 ops is split, because no schedule of it can be lowered: '
// CHECK: output 0: ok
// CHECK: output 1: ok
// REMARK: remark: a kernel of 5 ops is split, because no schedule of it can be lowered: '
// REMARK-NOT: error:
// REMARK: gpu.func @f_0
module {
  fuser.fusion @f(%x: tensor<31x1xf32>) -> (tensor<f32>, tensor<2x31xf32>) {
    %0 = fuser.cat %x, %x dim 1 : (tensor<31x1xf32>, tensor<31x1xf32>) -> tensor<31x2xf32>
    %1 = fuser.mean %0 dims [1] : tensor<31x2xf32> -> tensor<31xf32>
    %2 = fuser.broadcast %1 dims [1] : tensor<31xf32> -> tensor<31x1xf32>
    %3 = fuser.sub %0, %2 : (tensor<31x2xf32>, tensor<31x1xf32>) -> tensor<31x2xf32>
    %4 = fuser.permute %3 [1, 0] : tensor<31x2xf32> -> tensor<2x31xf32>
    %5 = fuser.mean %0 dims [0, 1] : tensor<31x2xf32> -> tensor<f32>
    fuser.return %5, %4 : tensor<f32>, tensor<2x31xf32>
  }
}
