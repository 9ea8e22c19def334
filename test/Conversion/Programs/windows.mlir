// RUN: fuser-run %s --device=host --check | FileCheck %s
// A strided convolution: its window becomes slices and matrix products.

// CHECK: check {{ *}}output 0: ok
func.func @windows(%x: tensor<2x9x7x3xf32>, %w: tensor<3x2x3x5xf32>) -> tensor<2x4x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x6x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x9x7x3xf32>, tensor<3x2x3x5xf32>) outs(%f : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return %0 : tensor<2x4x6x5xf32>
}
