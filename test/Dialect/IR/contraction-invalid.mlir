// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of ContractionOps.td.

// CT1
fuser.fusion @matmul_rank(%a: tensor<4xf32>, %b: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected operands of one rank of at least 2, or one of rank 2, but got 'tensor<4xf32>' and 'tensor<4x4xf32>'}}
  %0 = fuser.matmul %a, %b : tensor<4xf32>, tensor<4x4xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// CT1
fuser.fusion @matmul_ranks(%a: tensor<2x4x4xf32>, %b: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  // expected-error @+1 {{expected operands of one rank of at least 2, or one of rank 2}}
  %0 = fuser.matmul %a, %b : tensor<2x4x4xf32>, tensor<2x2x4x4xf32> -> tensor<2x2x4x4xf32>
  fuser.return %0 : tensor<2x2x4x4xf32>
}

// -----

// CT2
fuser.fusion @matmul_k(%a: tensor<4x5xf32>, %b: tensor<6x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected contracted dimensions of one size, but got 5 (dimension 1 of 'tensor<4x5xf32>') and 6 (dimension 0 of 'tensor<6x4xf32>')}}
  %0 = fuser.matmul %a, %b : tensor<4x5xf32>, tensor<6x4xf32> -> tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// CT3
fuser.fusion @matmul_batch(%a: tensor<2x4x4xf32>, %b: tensor<3x4x4xf32>) -> tensor<2x4x4xf32> {
  // expected-error @+1 {{expected batch dimensions that are equal or 1, but got 'tensor<2x4x4xf32>' and 'tensor<3x4x4xf32>'}}
  %0 = fuser.matmul %a, %b : tensor<2x4x4xf32>, tensor<3x4x4xf32> -> tensor<2x4x4xf32>
  fuser.return %0 : tensor<2x4x4xf32>
}

// -----

// CT4
fuser.fusion @matmul_result(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{expected a result of shape 'tensor<2x3xf32>', but got 'tensor<3x2xf32>'}}
  %0 = fuser.matmul %a, %b : tensor<2x4xf32>, tensor<4x3xf32> -> tensor<3x2xf32>
  fuser.return %0 : tensor<3x2xf32>
}

// -----

// CT5
fuser.fusion @matmul_operands(%a: tensor<2x4xf32>, %b: tensor<4x3xbf16>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected operand 1 with element type 'f32', but got 'bf16'}}
  %0 = fuser.matmul %a, %b : tensor<2x4xf32>, tensor<4x3xbf16> -> tensor<2x3xf32>
  fuser.return %0 : tensor<2x3xf32>
}

// -----

// CT5
fuser.fusion @matmul_elements(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xi32> {
  // expected-error @+1 {{expected operands and result of floats, or of integers (no i1 as result), but got 'f32' and 'i32'}}
  %0 = fuser.matmul %a, %b : tensor<2x4xf32>, tensor<4x3xf32> -> tensor<2x3xi32>
  fuser.return %0 : tensor<2x3xi32>
}

// -----

// CT1
fuser.fusion @linear_weight(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected an operand of rank 1 or more and a weight of rank 2, but got 'tensor<4xf32>' and 'tensor<4xf32>'}}
  %0 = fuser.linear %x, %w : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// CT1
fuser.fusion @linear_of_scalar(%x: tensor<f32>, %w: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected an operand of rank 1 or more and a weight of rank 2}}
  %0 = fuser.linear %x, %w : tensor<f32>, tensor<4x4xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// CT1
fuser.fusion @bias_rank(%x: tensor<4xf32>, %w: tensor<8x4xf32>, %b: tensor<1x8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a bias of rank 1, but got 'tensor<1x8xf32>'}}
  %0 = fuser.linear %x, %w bias %b : tensor<4xf32>, tensor<8x4xf32>, tensor<1x8xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// CT4
fuser.fusion @bias_size(%x: tensor<4xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a bias of size 8 like the weight's rows, but got 'tensor<4xf32>'}}
  %0 = fuser.linear %x, %w bias %b : tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// CT2
fuser.fusion @bias_of_nothing(%x: tensor<0xf32>, %w: tensor<8x0xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a contracted dimension of at least 1 with a bias, but got 0}}
  %0 = fuser.linear %x, %w bias %b : tensor<0xf32>, tensor<8x0xf32>, tensor<8xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// CT1
fuser.fusion @sdpa_rank(%q: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected operands of one rank of at least 2}}
  %0, %1 = fuser.sdpa %q, %q, %q : tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>, tensor<f32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// CT3
fuser.fusion @sdpa_batch(%q: tensor<2x8x4xf32>, %k: tensor<3x8x4xf32>) -> tensor<2x8x4xf32> {
  // expected-error @+1 {{expected batch dimensions that are equal}}
  %0, %1 = fuser.sdpa %q, %k, %k : tensor<2x8x4xf32>, tensor<3x8x4xf32>, tensor<3x8x4xf32> -> tensor<2x8x4xf32>, tensor<2x8xf32>
  fuser.return %0 : tensor<2x8x4xf32>
}

// -----

// CT4
fuser.fusion @sdpa_result(%q: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{expected a result of shape 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %0, %1 = fuser.sdpa %q, %q, %q : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>, tensor<4xf32>
  fuser.return %0 : tensor<8x4xf32>
}

// -----

// CT5
fuser.fusion @sdpa_log_sum_exp(%q: tensor<8x4xbf16>) -> tensor<8x4xbf16> {
  // expected-error @+1 {{expected a log-sum-exp with element type 'f32', but got 'bf16'}}
  %0, %1 = fuser.sdpa %q, %q, %q : tensor<8x4xbf16>, tensor<8x4xbf16>, tensor<8x4xbf16> -> tensor<8x4xbf16>, tensor<8xbf16>
  fuser.return %0 : tensor<8x4xbf16>
}

// -----

// CT2
fuser.fusion @linear_contracted(%x: tensor<4xf32>, %w: tensor<8x5xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{but got}}
  %0 = fuser.linear %x, %w : tensor<4xf32>, tensor<8x5xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// CT4
fuser.fusion @linear_result(%x: tensor<4xf32>, %w: tensor<8x4xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{but got}}
  %0 = fuser.linear %x, %w : tensor<4xf32>, tensor<8x4xf32> -> tensor<9xf32>
  fuser.return %0 : tensor<9xf32>
}

// -----

// CT2
fuser.fusion @sdpa_contracted(%q: tensor<8x4xf32>, %k: tensor<8x5xf32>) -> tensor<8x5xf32> {
  // expected-error @+1 {{but got}}
  %0, %1 = fuser.sdpa %q, %k, %k : tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x5xf32> -> tensor<8x5xf32>, tensor<8xf32>
  fuser.return %0 : tensor<8x5xf32>
}

// -----

// CT4
fuser.fusion @sdpa_output(%q: tensor<8x4xf32>) -> tensor<8x5xf32> {
  // expected-error @+1 {{but got}}
  %0, %1 = fuser.sdpa %q, %q, %q : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x5xf32>, tensor<8xf32>
  fuser.return %0 : tensor<8x5xf32>
}

// -----

// CT5
fuser.fusion @sdpa_integers(%q: tensor<8x4xi32>) -> tensor<8x4xi32> {
  // expected-error @+1 {{but got}}
  %0, %1 = fuser.sdpa %q, %q, %q : tensor<8x4xi32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xi32>, tensor<8xi32>
  fuser.return %0 : tensor<8x4xi32>
}
