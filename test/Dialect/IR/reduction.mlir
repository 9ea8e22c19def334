// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Every reduction round-trips in its pretty and its generic form.

// CHECK-LABEL: fuser.fusion @floats
fuser.fusion @floats(%x: tensor<?x4x?xbf16>) -> tensor<f32> {
  // CHECK: fuser.sum %x dims [2] : tensor<?x4x?xbf16> -> tensor<?x4xf32>
  %0 = fuser.sum %x dims [2] : tensor<?x4x?xbf16> -> tensor<?x4xf32>
  // CHECK: fuser.prod %{{.*}} dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %1 = fuser.prod %0 dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  // CHECK: fuser.min %x dims [0, 2] : tensor<?x4x?xbf16> -> tensor<4xbf16>
  %2 = fuser.min %x dims [0, 2] : tensor<?x4x?xbf16> -> tensor<4xbf16>
  // CHECK: fuser.max %{{.*}} dims [0] : tensor<4xbf16> -> tensor<bf16>
  %3 = fuser.max %2 dims [0] : tensor<4xbf16> -> tensor<bf16>
  // CHECK: fuser.mean %{{.*}} dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %4 = fuser.mean %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  // CHECK: %{{.*}}, %{{.*}} = fuser.var_mean %{{.*}} dims [0] correction 1 : tensor<4xf32> -> tensor<f32>, tensor<f32>
  %var, %mean = fuser.var_mean %1 dims [0] correction 1 : tensor<4xf32> -> tensor<f32>, tensor<f32>
  // CHECK: %{{.*}}, %{{.*}} = fuser.max_sum_exp %{{.*}} dims [0] : tensor<4xf32> -> tensor<f32>, tensor<f32>
  %greatest, %exponentials = fuser.max_sum_exp %1 dims [0] : tensor<4xf32> -> tensor<f32>, tensor<f32>
  fuser.return %var : tensor<f32>
}

// CHECK-LABEL: fuser.fusion @integers
fuser.fusion @integers(%x: tensor<?x4xi1>) -> tensor<i1> {
  // CHECK: fuser.sum %x dims [1] : tensor<?x4xi1> -> tensor<?xi64>
  %0 = fuser.sum %x dims [1] : tensor<?x4xi1> -> tensor<?xi64>
  // CHECK: fuser.any %{{.*}} dims [0] : tensor<?xi64> -> tensor<i1>
  %1 = fuser.any %0 dims [0] : tensor<?xi64> -> tensor<i1>
  // CHECK: fuser.all %x dims [0, 1] : tensor<?x4xi1> -> tensor<i1>
  %2 = fuser.all %x dims [0, 1] : tensor<?x4xi1> -> tensor<i1>
  // CHECK: fuser.max %x dims [0, 1] : tensor<?x4xi1> -> tensor<i1>
  %3 = fuser.max %x dims [0, 1] : tensor<?x4xi1> -> tensor<i1>
  fuser.return %3 : tensor<i1>
}

// Both results of one op carry a domain.
// CHECK-LABEL: fuser.fusion @two_results
fuser.fusion @two_results(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: fuser.var_mean %x dims [1] correction 0 {domains = [
  // CHECK-SAME: #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_x], allocation = [i0]>,
  // CHECK-SAME: #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_x], allocation = [i0]>]
  %var, %mean = fuser.var_mean %x dims [1] correction 0 {domains = [
      #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_x]>,
      #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_x]>], inline_at = 1 : i64}
      : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %var, %mean : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @with_index
fuser.fusion @with_index(%x: tensor<?x4xbf16>, %i: tensor<?x4xi32>) -> (tensor<4xbf16>, tensor<?xi32>) {
  // CHECK: %{{.*}}, %{{.*}} = fuser.max_with_index %x, %i dims [0] : tensor<?x4xbf16>, tensor<?x4xi32> -> tensor<4xbf16>, tensor<4xi32>
  %max, %0 = fuser.max_with_index %x, %i dims [0] : tensor<?x4xbf16>, tensor<?x4xi32> -> tensor<4xbf16>, tensor<4xi32>
  // CHECK: %{{.*}}, %{{.*}} = fuser.min_with_index %x, %i dims [1] : tensor<?x4xbf16>, tensor<?x4xi32> -> tensor<?xbf16>, tensor<?xi32>
  %1, %min = fuser.min_with_index %x, %i dims [1] : tensor<?x4xbf16>, tensor<?x4xi32> -> tensor<?xbf16>, tensor<?xi32>
  fuser.return %max, %min : tensor<4xbf16>, tensor<?xi32>
}
