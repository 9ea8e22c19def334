// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of ReductionOps.td.

// RD1
fuser.fusion @no_dims(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected at least one of 'dims', but got none}}
  %0 = fuser.sum %x dims [] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// RD1
fuser.fusion @dim_range(%x: tensor<?xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'dims' between 0 and 0, but got 1}}
  %0 = fuser.sum %x dims [1] : tensor<?xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD1
fuser.fusion @negative_dim(%x: tensor<?xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'dims' between 0 and 0, but got -1}}
  %0 = fuser.max %x dims [-1] : tensor<?xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD1
fuser.fusion @dim_of_scalar(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'dims' between 0 and -1, but got 0}}
  %0 = fuser.mean %x dims [0] : tensor<f32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD1
fuser.fusion @dim_twice(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected 'dims' in ascending order, but got [1, 1]}}
  %0 = fuser.sum %x dims [1, 1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// RD2
fuser.fusion @result_shape(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a result of shape [4], but got 'tensor<8xf32>'}}
  %0 = fuser.sum %x dims [1] : tensor<4x8xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// RD2: every result
fuser.fusion @second_result(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a result of shape [4], but got 'tensor<f32>'}}
  %0, %1 = fuser.var_mean %x dims [1] correction 0 : tensor<4x8xf32> -> tensor<4xf32>, tensor<f32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// RD3
fuser.fusion @sum_of_floats(%x: tensor<?xf32>) -> tensor<i32> {
  // expected-error @+1 {{expected a float result of real numbers, an integer result (no i1) of integers or a complex result of numbers, but got 'f32' and 'i32'}}
  %0 = fuser.sum %x dims [0] : tensor<?xf32> -> tensor<i32>
  fuser.return %0 : tensor<i32>
}

// -----

// RD3
fuser.fusion @bool_sum(%x: tensor<?xi1>) -> tensor<i1> {
  // expected-error @+1 {{expected a float result of real numbers, an integer result (no i1) of integers or a complex result of numbers, but got 'i1' and 'i1'}}
  %0 = fuser.sum %x dims [0] : tensor<?xi1> -> tensor<i1>
  fuser.return %0 : tensor<i1>
}

// -----

// RD3
fuser.fusion @max_elements(%x: tensor<?xbf16>) -> tensor<f32> {
  // expected-error @+1 {{expected operand and result of one float or integer element type, but got 'bf16' and 'f32'}}
  %0 = fuser.max %x dims [0] : tensor<?xbf16> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD3
fuser.fusion @integer_mean(%x: tensor<?xi32>) -> tensor<f32> {
  // expected-error @+1 {{expected a float result of floats or a complex result of floats or complex numbers, but got 'i32' and 'f32'}}
  %0 = fuser.mean %x dims [0] : tensor<?xi32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD3
fuser.fusion @any_result(%x: tensor<?xi32>) -> tensor<i32> {
  // expected-error @+1 {{expected an operand of numbers and a result of i1, but got 'i32' and 'i32'}}
  %0 = fuser.any %x dims [0] : tensor<?xi32> -> tensor<i32>
  fuser.return %0 : tensor<i32>
}

// -----

// RD4
fuser.fusion @correction(%x: tensor<?xf32>) -> tensor<f32> {
  // expected-error @+1 {{expected 'correction' of at least 0, but got -1}}
  %0, %1 = fuser.var_mean %x dims [0] correction -1 : tensor<?xf32> -> tensor<f32>, tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD6
fuser.fusion @integer_exponentials(%x: tensor<?xi32>) -> tensor<i32> {
  // expected-error @+1 {{expected an operand and results of one float type, but got 'i32', 'i32' and 'i32'}}
  %0, %1 = fuser.max_sum_exp %x dims [0] : tensor<?xi32> -> tensor<i32>, tensor<i32>
  fuser.return %0 : tensor<i32>
}

// -----

// RD5
fuser.fusion @index_shape(%x: tensor<4xf32>, %i: tensor<5xi64>) -> tensor<f32> {
  // expected-error @+1 {{expected an index of shape [4], but got 'tensor<5xi64>'}}
  %0, %1 = fuser.max_with_index %x, %i dims [0] : tensor<4xf32>, tensor<5xi64> -> tensor<f32>, tensor<i64>
  fuser.return %0 : tensor<f32>
}

// -----

// RD5
fuser.fusion @index_type(%x: tensor<4xf32>, %i: tensor<4xi16>) -> tensor<f32> {
  // expected-error @+1 {{expected an index of i32 or i64, but got 'i16'}}
  %0, %1 = fuser.max_with_index %x, %i dims [0] : tensor<4xf32>, tensor<4xi16> -> tensor<f32>, tensor<i16>
  fuser.return %0 : tensor<f32>
}

// -----

// RD5
fuser.fusion @index_result(%x: tensor<4xf32>, %i: tensor<4xi64>) -> tensor<f32> {
  // expected-error @+1 {{expected a result of 'tensor<i64>', but got 'tensor<i32>'}}
  %0, %1 = fuser.max_with_index %x, %i dims [0] : tensor<4xf32>, tensor<4xi64> -> tensor<f32>, tensor<i32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD3
fuser.fusion @indexed_bools(%x: tensor<4xi1>, %i: tensor<4xi64>) -> tensor<i1> {
  // expected-error @+1 {{expected a float or an integer that is no bool as element type, but got 'i1'}}
  %0, %1 = fuser.max_with_index %x, %i dims [0] : tensor<4xi1>, tensor<4xi64> -> tensor<i1>, tensor<i64>
  fuser.return %0 : tensor<i1>
}

// -----

// RD1
fuser.fusion @index_dims(%x: tensor<4xf32>, %i: tensor<4xi64>) -> tensor<f32> {
  // expected-error @+1 {{expected 'dims' between 0 and 0, but got 1}}
  %0, %1 = fuser.max_with_index %x, %i dims [1] : tensor<4xf32>, tensor<4xi64> -> tensor<f32>, tensor<i64>
  fuser.return %0 : tensor<f32>
}
