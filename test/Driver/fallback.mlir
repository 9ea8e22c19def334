// A kernel that a phase refuses is taken apart, with a remark (docs/adr/0050-kernels-that-are-refused-are-taken-apart.md); the pipelines stop at
// the diagnostic. Should this kernel be taken one day, another one has to stand here: `fuser-fuzz-fusions --strict` finds some.
// RUN: fuser-run %s --device=host --check --sizes=64x1x64 | FileCheck %s
// RUN: not fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: fallback    kernel 'f_0' is taken apart into 3 ops, as a phase refuses it: 'fuser.pad' op expected all loops on @block_y to have one extent
// CHECK: output 0: ok
// CHECK: output 1: ok
// REFUSED: error: 'fuser.pad' op expected all loops on @block_y to have one extent
module {
  fuser.fusion @f(%arg0: tensor<64x1x64xbf16>) -> (tensor<64x2xbf16>, tensor<64x3x64xbf16>) {
    %0 = fuser.add %arg0, %arg0 : tensor<64x1x64xbf16>
    %1 = fuser.cat %0, %arg0 dim 1 : (tensor<64x1x64xbf16>, tensor<64x1x64xbf16>) -> tensor<64x2x64xbf16>
    %2 = fuser.sum %1 dims [2] : tensor<64x2x64xbf16> -> tensor<64x2xbf16>
    %cst = arith.constant 1.500000e+00 : bf16
    %3 = fuser.pad %arg0 low [0, 0, 0] high [0, 2, 0] value %cst : tensor<64x1x64xbf16>, bf16 -> tensor<64x3x64xbf16>
    %4 = fuser.mean %2 dims [1] : tensor<64x2xbf16> -> tensor<64xbf16>
    %5 = fuser.broadcast %4 dims [1] : tensor<64xbf16> -> tensor<64x1xbf16>
    %6 = fuser.sub %2, %5 : (tensor<64x2xbf16>, tensor<64x1xbf16>) -> tensor<64x2xbf16>
    fuser.return %6, %3 : tensor<64x2xbf16>, tensor<64x3x64xbf16>
  }
}
