// A kernel that a phase refuses is taken apart, with a remark (docs/adr/0050-kernels-that-are-refused-are-taken-apart.md); the pipelines stop at
// the diagnostic. Should this kernel be taken one day, another one has to stand here: `fuser-fuzz-fusions --strict` finds some. The tests of the
// C interface and of Python read this file, too.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// RUN: not fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: fallback    kernel 'f_0' is taken apart into 5 ops, as a phase refuses it: 'fuser.kernel' op expected a kernel that a scheduler accepts
// CHECK: output 0: ok
// CHECK: output 1: ok
// REFUSED: error: 'fuser.kernel' op expected a kernel that a scheduler accepts
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
