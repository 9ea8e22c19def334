// RUN: fuser-opt %s --split-input-file --fuser-outline-kernels | FileCheck %s
// A view of an argument is aligned to what divides both its offset and the address of the argument.

// CHECK-LABEL: fuser.kernel @unaligned_0
// CHECK-SAME: facts = [#fuser.fact<aligned 0, 4>, {{.*}}#fuser.fact<aligned 1, 4>
fuser.fusion @unaligned(%x: tensor<32x1024xf32>) -> tensor<32x512xf32> attributes {facts = [#fuser.fact<aligned 0, 4>]} {
  // An offset of 8 bytes, and one of a multiple of 16.
  %0 = fuser.slice %x [0, 2] [32, 512] : tensor<32x1024xf32> -> tensor<32x512xf32>
  %1 = fuser.slice %x [0, 504] [32, 512] : tensor<32x1024xf32> -> tensor<32x512xf32>
  %2 = fuser.add %0, %1 : tensor<32x512xf32>
  fuser.return %2 : tensor<32x512xf32>
}

// -----

// The address of the argument is a multiple of 16 bytes.
// CHECK-LABEL: fuser.kernel @aligned_0
// CHECK-SAME: facts = [#fuser.fact<aligned 0, 8>, {{.*}} 1024>, #fuser.fact<stride_divisible 1[0]
fuser.fusion @aligned(%x: tensor<32x1024xf32>) -> tensor<32x512xf32> {
  %0 = fuser.slice %x [0, 2] [32, 512] : tensor<32x1024xf32> -> tensor<32x512xf32>
  %1 = fuser.slice %x [0, 504] [32, 512] : tensor<32x1024xf32> -> tensor<32x512xf32>
  %2 = fuser.add %0, %1 : tensor<32x512xf32>
  fuser.return %2 : tensor<32x512xf32>
}

// -----

// What divides the strides of an argument with gaps divides those of its views and their addresses.
// CHECK-LABEL: fuser.kernel @gaps_0
// CHECK-SAME: facts = [#fuser.fact<stride_divisible 0[0], 8>, #fuser.fact<aligned 1, 8>, #fuser.fact<stride_divisible 1[0], 16>]
fuser.fusion @gaps(%x: tensor<32x1024xbf16>) -> tensor<16x512xbf16> attributes {
    arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<stride_divisible 0[0], 8>]} {
  %0 = fuser.slice %x [3, 0] [16, 512] : tensor<32x1024xbf16> -> tensor<16x512xbf16>
  %1 = fuser.slice %x [1, 12] [16, 512] strides [2, 1] : tensor<32x1024xbf16> -> tensor<16x512xbf16>
  %2 = fuser.add %0, %1 : tensor<16x512xbf16>
  fuser.return %2 : tensor<16x512xbf16>
}
