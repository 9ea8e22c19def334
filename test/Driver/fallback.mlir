// A kernel that a phase refuses is taken apart, with a remark (docs/adr/0050-kernels-that-are-refused-are-taken-apart.md); the pipelines stop at
// the diagnostic. Should this kernel be taken one day, another one has to stand here: `fuser-fuzz-fusions --strict` finds some. The tests of the
// C interface and of Python read this file, too.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// RUN: not fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: fallback    kernel 'f_0' is taken apart into 3 ops, as a phase refuses it: 'fuser.set' op expected a vector access of 2 elements to be aligned
// CHECK: output 0: ok
// CHECK: output 1: ok
// REFUSED: error: 'fuser.set' op expected a vector access of 2 elements to be aligned
module {
  fuser.fusion @f(%x: tensor<33xf32>) -> (tensor<14xf32>, tensor<10xf32>) {
    %0 = fuser.abs %x : tensor<33xf32>
    %1 = fuser.slice %0 [14] [10] strides [2] : tensor<33xf32> -> tensor<10xf32>
    %border = arith.constant 1.5 : f32
    %2 = fuser.pad %1 low [2] high [2] value %border : tensor<10xf32>, f32 -> tensor<14xf32>
    fuser.return %2, %1 : tensor<14xf32>, tensor<10xf32>
  }
}
