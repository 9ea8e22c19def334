// RUN: not fuser-run %s --device=host 2>&1 | FileCheck %s
// A constant whose elements are not in the file.

// CHECK: unknown-resource.mlir:[[#@LINE+3]]:8: error: 'fuser.fusion' op expected a resource of 16 bytes for a constant of type 'tensor<4xf32>', but got 0
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense_resource<w> : tensor<4xf32>
  %0 = arith.mulf %x, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
