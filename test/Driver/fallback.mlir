// A kernel that a phase refuses is taken apart, with a remark (docs/adr/0050-kernels-that-are-refused-are-taken-apart.md); the pipelines stop at
// the diagnostic. Should this kernel be taken one day, another one has to stand here: `fuser-fuzz-fusions --strict` finds some. The tests of the
// C interface and of Python read this file, too.
// RUN: fuser-run %s --device=host --check --sizes=40x1x64 | FileCheck %s
// RUN: not fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: fallback    kernel 'f_0' is taken apart into 3 ops, as a phase refuses it: 'fuser.pad' op expected all loops on @block_y to have one extent
// CHECK: output 0: ok
// CHECK: output 1: ok
// REFUSED: error: 'fuser.pad' op expected all loops on @block_{{[xy]}} to have one extent
module {
  fuser.fusion @f(%x: tensor<?x1x64xf32>) -> (tensor<?x3x64xf32>, tensor<?x1x64xf32>) {
    %0 = fuser.add %x, %x : tensor<?x1x64xf32>
    %border = arith.constant 1.5 : f32
    %1 = fuser.pad %x low [0, 0, 0] high [0, 2, 0] value %border : tensor<?x1x64xf32>, f32 -> tensor<?x3x64xf32>
    fuser.return %1, %0 : tensor<?x3x64xf32>, tensor<?x1x64xf32>
  }
}
