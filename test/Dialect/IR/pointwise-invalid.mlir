// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of PointwiseOps.td.

// PW1
fuser.fusion @only_scalars(%x: f32) -> tensor<?xf32> {
  // expected-error @+1 {{expected at least one tensor operand, but got only scalars}}
  %0 = fuser.add %x, %x : (f32, f32) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW2
fuser.fusion @rank(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected operand 0 of rank 2 like the result, but got rank 1}}
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// PW2
fuser.fusion @size(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected dimension 0 of operand 0 to be 8 or 1, but got 4}}
  %0 = fuser.mul %x, %y : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// PW2
fuser.fusion @size_from_nowhere(%x: tensor<1xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected an operand with the size of dimension 0 of the result ('tensor<8xf32>'), but all are of size 1}}
  %0 = fuser.exp %x : (tensor<1xf32>) -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// PW3
fuser.fusion @operand_elements(%x: tensor<?xf32>, %y: tensor<?xbf16>) -> tensor<?xf32> {
  // expected-error @+1 {{expected operand 1 with element type 'f32', but got 'bf16'}}
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<?xbf16>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW3
fuser.fusion @result_element(%x: tensor<?xbf16>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a result with element type 'bf16', but got 'f32'}}
  %0 = fuser.exp %x : (tensor<?xbf16>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW3
fuser.fusion @float_scalar(%x: tensor<?xi32>, %s: f32) -> tensor<?xi32> {
  // expected-error @+1 {{expected scalar operand 1 to convert to 'i32', but got 'f32'}}
  %0 = fuser.add %x, %s : (tensor<?xi32>, f32) -> tensor<?xi32>
  fuser.return %0 : tensor<?xi32>
}

// -----

// PW3
fuser.fusion @complex_scalar(%x: tensor<?xf32>, %s: complex<f32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected scalar operand 1 to convert to 'f32', but got 'complex<f32>'}}
  %0 = fuser.add %x, %s : (tensor<?xf32>, complex<f32>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW3
fuser.fusion @test_result(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a result with element type 'i1', but got 'f32'}}
  %0 = fuser.lt %x, %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW3
fuser.fusion @where_elements(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf16>) -> tensor<?xf32> {
  // expected-error @+1 {{expected operand 2 with element type 'f32', but got 'f16'}}
  %0 = fuser.where %c, %x, %y : (tensor<?xi1>, tensor<?xf32>, tensor<?xf16>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW4
fuser.fusion @float_function(%x: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error @+1 {{expected a float or a complex number as element type, but got 'i32'}}
  %0 = fuser.exp %x : tensor<?xi32>
  fuser.return %0 : tensor<?xi32>
}

// -----

// PW4
fuser.fusion @bool_difference(%x: tensor<?xi1>) -> tensor<?xi1> {
  // expected-error @+1 {{expected a float, a complex number or an integer that is no bool as element type, but got 'i1'}}
  %0 = fuser.sub %x, %x : tensor<?xi1>
  fuser.return %0 : tensor<?xi1>
}

// -----

// PW4
fuser.fusion @float_bits(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected an integer or bool as element type, but got 'f32'}}
  %0 = fuser.bitwise_and %x, %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW5
fuser.fusion @condition(%c: tensor<?xi32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a condition with element type i1, but got 'i32'}}
  %0 = fuser.where %c, %x, %x : (tensor<?xi32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// Too many operands are an error of the generic part, not a crash.
fuser.fusion @operands(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{requires a single operand}}
  %0 = fuser.exp %x, %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @no_tensor_result(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{result #0 must be ranked tensor}}
  %0 = fuser.exp %x : (tensor<?xf32>) -> f32
  fuser.return %x : tensor<?xf32>
}

// -----

fuser.fusion @types(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0 = fuser.add %x, %x : (tensor<?xf32>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW6
fuser.fusion @next_after_short(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{expected a float of at least 16 bits, but got 'f8E4M3FN'}}
  %0 = fuser.nextafter %x, %x : tensor<4xf8E4M3FN>
  fuser.return %0 : tensor<4xf8E4M3FN>
}

// -----

fuser.fusion @type_list(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected '->'}}
  %0 = fuser.add %x, %x : (tensor<?xf32>, tensor<?xf32>)
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @no_type(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected ':'}}
  %0 = fuser.add %x, %x
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW2
fuser.fusion @test_shapes(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xi1> {
  // expected-error @+1 {{expected operand 0 of rank 2 like the result, but got rank 1}}
  %0 = fuser.eq %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
  fuser.return %0 : tensor<?x?xi1>
}

// -----

// PW3
fuser.fusion @where_result(%c: tensor<?xi1>, %x: tensor<?xf32>) -> tensor<?xf64> {
  // expected-error @+1 {{expected a result with element type 'f32', but got 'f64'}}
  %0 = fuser.where %c, %x, %x : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf64>
  fuser.return %0 : tensor<?xf64>
}

// -----

// PW2
fuser.fusion @where_shapes(%c: tensor<?xi1>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected operand 0 of rank 2 like the result, but got rank 1}}
  %0 = fuser.where %c, %x, %x : (tensor<?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// PW4
fuser.fusion @nextafter_integers(%x: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error @+1 {{but got}}
  %0 = fuser.nextafter %x, %x : tensor<?xi32>
  fuser.return %0 : tensor<?xi32>
}

// -----

// Types that neither memory nor a back end has are refused here, not when code is generated.
fuser.fusion @four_bits(%x: tensor<8xf32>) -> tensor<8xf4E2M1FN> {
  // expected-error @+1 {{expected elements of i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 or complex numbers, but got 'f4E2M1FN'}}
  %0 = fuser.cast %x : tensor<8xf32> to tensor<8xf4E2M1FN>
  fuser.return %0 : tensor<8xf4E2M1FN>
}

// -----

fuser.fusion @exponents(%x: tensor<8xf8E8M0FNU>) -> tensor<8xf32> {
  // expected-error @+1 {{but got 'f8E8M0FNU'}}
  %0 = fuser.cast %x : tensor<8xf8E8M0FNU> to tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.fusion @wide(%x: tensor<8xf128>) -> tensor<8xf128> {
  // expected-error @+1 {{but got 'f128'}}
  %0 = fuser.set %x : tensor<8xf128>
  fuser.return %0 : tensor<8xf128>
}

// -----

fuser.fusion @odd(%x: tensor<8xi12>) -> tensor<8xi12> {
  // expected-error @+1 {{but got 'i12'}}
  %0 = fuser.add %x, %x : tensor<8xi12>
  fuser.return %0 : tensor<8xi12>
}
