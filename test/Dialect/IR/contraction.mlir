// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Every contraction round-trips in its pretty and its generic form.

// CHECK-LABEL: fuser.fusion @matmuls
fuser.fusion @matmuls(%a: tensor<?x?xbf16>, %b: tensor<?x64xbf16>, %c: tensor<2x1x?x?xbf16>, %d: tensor<1x3x?x?xbf16>,
                      %i: tensor<4x8xi8>, %j: tensor<8x4xi8>) -> tensor<4x4xi32> {
  // CHECK: fuser.matmul %a, %b : tensor<?x?xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
  %0 = fuser.matmul %a, %b : tensor<?x?xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
  // CHECK: fuser.matmul %c, %d : tensor<2x1x?x?xbf16>, tensor<1x3x?x?xbf16> -> tensor<2x3x?x?xbf16>
  %1 = fuser.matmul %c, %d : tensor<2x1x?x?xbf16>, tensor<1x3x?x?xbf16> -> tensor<2x3x?x?xbf16>
  // CHECK: fuser.matmul %c, %b : tensor<2x1x?x?xbf16>, tensor<?x64xbf16> -> tensor<2x1x?x64xbf16>
  %2 = fuser.matmul %c, %b : tensor<2x1x?x?xbf16>, tensor<?x64xbf16> -> tensor<2x1x?x64xbf16>
  // CHECK: fuser.matmul %i, %j : tensor<4x8xi8>, tensor<8x4xi8> -> tensor<4x4xi32>
  %3 = fuser.matmul %i, %j : tensor<4x8xi8>, tensor<8x4xi8> -> tensor<4x4xi32>
  // The trivial domain ends with a reduction id for k.
  // CHECK: fuser.matmul %a, %b {domains = [#fuser.domain<logical = [i0, i1, r2], loop = [i0 @block_x, i1 @thread_x, r2], allocation = [i0, i1]>]}
  %4 = fuser.matmul %a, %b {domains = [#fuser.domain<logical = [i0, i1, r2], loop = [i0 @block_x, i1 @thread_x, r2]>]}
      : tensor<?x?xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
  fuser.return %3 : tensor<4x4xi32>
}

// CHECK-LABEL: fuser.fusion @linears
fuser.fusion @linears(%x: tensor<?x?x64xbf16>, %w: tensor<128x64xbf16>, %b: tensor<128xbf16>, %v: tensor<64xbf16>)
    -> tensor<128xf32> {
  // CHECK: fuser.linear %x, %w : tensor<?x?x64xbf16>, tensor<128x64xbf16> -> tensor<?x?x128xbf16>
  %0 = fuser.linear %x, %w : tensor<?x?x64xbf16>, tensor<128x64xbf16> -> tensor<?x?x128xbf16>
  // CHECK: fuser.linear %x, %w bias %b : tensor<?x?x64xbf16>, tensor<128x64xbf16>, tensor<128xbf16> -> tensor<?x?x128xbf16>
  %1 = fuser.linear %x, %w bias %b : tensor<?x?x64xbf16>, tensor<128x64xbf16>, tensor<128xbf16> -> tensor<?x?x128xbf16>
  // CHECK: fuser.linear %v, %w : tensor<64xbf16>, tensor<128x64xbf16> -> tensor<128xf32>
  %2 = fuser.linear %v, %w : tensor<64xbf16>, tensor<128x64xbf16> -> tensor<128xf32>
  fuser.return %2 : tensor<128xf32>
}

// CHECK-LABEL: fuser.fusion @attention
fuser.fusion @attention(%q: tensor<2x8x?x64xbf16>, %k: tensor<2x8x?x64xbf16>, %v: tensor<2x8x?x32xbf16>)
    -> (tensor<2x8x?x32xbf16>, tensor<2x8x?xf32>) {
  // CHECK: %{{.*}}, %{{.*}} = fuser.sdpa %q, %k, %v {causal, scale = 1.250000e-01 : f64} : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, tensor<2x8x?x32xbf16> -> tensor<2x8x?x32xbf16>, tensor<2x8x?xf32>
  %out, %lse = fuser.sdpa %q, %k, %v {causal, scale = 0.125}
      : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, tensor<2x8x?x32xbf16> -> tensor<2x8x?x32xbf16>, tensor<2x8x?xf32>
  // The second result drops the last dimension.
  // CHECK: fuser.sdpa %q, %k, %v {domains = [
  // CHECK-SAME: #fuser.domain<logical = [i0, i1, i2, i3], loop = [i0, i1, i2, i3], allocation = [i0, i1, i2, i3]>,
  // CHECK-SAME: #fuser.domain<logical = [i0, i1, i2, r3], loop = [i0, i1, i2, r3], allocation = [i0, i1, i2]>]}
  %0, %1 = fuser.sdpa %q, %k, %v {domains = [#fuser.domain<logical = [i0, i1, i2, i3]>, #fuser.domain<logical = [i0, i1, i2, r3]>]}
      : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, tensor<2x8x?x32xbf16> -> tensor<2x8x?x32xbf16>, tensor<2x8x?xf32>
  fuser.return %out, %lse : tensor<2x8x?x32xbf16>, tensor<2x8x?xf32>
}
