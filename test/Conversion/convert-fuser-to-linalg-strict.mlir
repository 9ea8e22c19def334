// RUN: fuser-opt %s --split-input-file --fuser-convert-fuser-to-linalg=strict --verify-diagnostics
// With `strict` a fusion that would stay is an error.

fuser.fusion @gathers(%x: tensor<8xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  // expected-error @below {{'fuser.gather' op expected a form in linalg: it has no equivalent in linalg}}
  %0 = fuser.gather %x, %i dim 0 : tensor<8xf32>, tensor<4xi64> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'fuser.fusion' op expected a form in linalg: linalg has no equivalent of required orders of outputs}}
fuser.fusion @ordered(%x: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.exp %x : tensor<8x4xf32>
  fuser.return %0 : tensor<8x4xf32>
}
