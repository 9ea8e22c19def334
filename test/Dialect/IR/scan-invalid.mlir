// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of ScanOps.td.

// SC1
fuser.fusion @dim_range(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected 'dim' to be a dimension of 'tensor<?x4xf32>', but got 2}}
  %0 = fuser.cumsum %x dim 2 : tensor<?x4xf32> -> tensor<?x4xf32>
  fuser.return %0 : tensor<?x4xf32>
}

// -----

// SC1
fuser.fusion @negative_dim(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'dim' to be a dimension of 'tensor<?xf32>', but got -1}}
  %0 = fuser.cumprod %x dim -1 : tensor<?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// SC1
fuser.fusion @no_dimension(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'dim' to be a dimension of 'tensor<f32>', but got 0}}
  %0 = fuser.cummax %x dim 0 : tensor<f32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// SC2
fuser.fusion @shape(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a result of shape [8, 4], but got 'tensor<8xf32>'}}
  %0 = fuser.cumsum %x dim 1 : tensor<8x4xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// SC3
fuser.fusion @float_to_integer(%x: tensor<8xf32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected a float result of real numbers, an integer result (no i1) of integers or a complex result of numbers, but got 'f32' and 'i32'}}
  %0 = fuser.cumsum %x dim 0 : tensor<8xf32> -> tensor<8xi32>
  fuser.return %0 : tensor<8xi32>
}

// -----

// SC3
fuser.fusion @other_extreme(%x: tensor<8xf32>) -> tensor<8xf64> {
  // expected-error @+1 {{expected operand and result of one float or integer element type, but got 'f32' and 'f64'}}
  %0 = fuser.cummin %x dim 0 : tensor<8xf32> -> tensor<8xf64>
  fuser.return %0 : tensor<8xf64>
}

// -----

// SC3
fuser.fusion @integer_logarithm(%x: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected operand and result of one float element type, but got 'i32' and 'i32'}}
  %0 = fuser.logcumsumexp %x dim 0 : tensor<8xi32> -> tensor<8xi32>
  fuser.return %0 : tensor<8xi32>
}
