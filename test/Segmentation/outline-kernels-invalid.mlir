// RUN: fuser-opt %s --fuser-outline-kernels --split-input-file --verify-diagnostics
// What outlining refuses.

// The host function cannot size an output by an operation that is no affine function of sizes.
fuser.fusion @unknown_size(%n: index, %v: f32) -> tensor<?xf32> {
  %size = arith.xori %n, %n : index
  // expected-error @below {{expected extents that arguments determine, but that of id 0 is only known at run time}}
  %0 = fuser.full %v sizes(%size) : f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// A stride order that is not resolved would be lost (S0.4).
fuser.fusion @unresolved(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected the stride order of output 0 to be a requirement on the fusion: run fuser-resolve-stride-orders first}}
  %0 = fuser.stride_order %x [1, 0] : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
