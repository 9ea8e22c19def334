// RUN: fuser-run %s --device=host --check | FileCheck %s
// A part that is replaced by a function of the value's common source.
// CHECK: check {{ *}}output 0: ok, 64 elements
fuser.fusion @patch_common(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = fuser.exp %x : tensor<8x8xf32>
  %0 = fuser.neg %e : tensor<8x8xf32>
  %s = fuser.slice %e [2, 0] [3, 8] : tensor<8x8xf32> -> tensor<3x8xf32>
  %1 = fuser.tanh %s : tensor<3x8xf32>
  %2 = fuser.insert_slice %1 into %0 [2, 0] : tensor<3x8xf32> into tensor<8x8xf32>
  fuser.return %2 : tensor<8x8xf32>
}
