// RUN: fuser-opt %s -split-input-file -verify-diagnostics

// What is no op on complex numbers says so.

// PW4: they have no order.
fuser.fusion @maximum(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{expected a float or an integer as element type, but got 'complex<f32>'}}
  %0 = fuser.maximum %z, %z : tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}

// -----

// PW4
fuser.fusion @less(%z: tensor<?xcomplex<f64>>) -> tensor<?xi1> {
  // expected-error @+1 {{expected a float or an integer as element type, but got 'complex<f64>'}}
  %0 = fuser.lt %z, %z : (tensor<?xcomplex<f64>>, tensor<?xcomplex<f64>>) -> tensor<?xi1>
  fuser.return %0 : tensor<?xi1>
}

// -----

// PW4
fuser.fusion @erf(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{expected a float as element type, but got 'complex<f32>'}}
  %0 = fuser.erf %z : tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}

// -----

// PW4
fuser.fusion @real(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a complex number as element type, but got 'f32'}}
  %0 = fuser.real %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// PW4
fuser.fusion @parts(%x: tensor<?xf16>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{expected a float of 32 or 64 bits as element type, but got 'f16'}}
  %0 = fuser.complex %x, %x : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}

// -----

// PW3: the magnitude is real.
fuser.fusion @abs(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{expected a result with element type 'f32', but got 'complex<f32>'}}
  %0 = fuser.abs %z : tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}

// -----

// PW3
fuser.fusion @mixed(%z: tensor<?xcomplex<f32>>, %x: tensor<?xf32>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{expected operand 1 with element type 'complex<f32>', but got 'f32'}}
  %0 = fuser.add %z, %x : (tensor<?xcomplex<f32>>, tensor<?xf32>) -> tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}

// -----

// expected-error @+1 {{expected argument 0 to have parts of f32 or f64, but got 'tensor<?xcomplex<f16>>'}}
fuser.fusion @half(%z: tensor<?xcomplex<f16>>) -> tensor<?xcomplex<f16>> {
  fuser.return %z : tensor<?xcomplex<f16>>
}

// -----

// RD3
fuser.fusion @max(%z: tensor<?xcomplex<f32>>) -> tensor<complex<f32>> {
  // expected-error @+1 {{expected operand and result of one float or integer element type, but got 'complex<f32>' and 'complex<f32>'}}
  %0 = fuser.max %z dims [0] : tensor<?xcomplex<f32>> -> tensor<complex<f32>>
  fuser.return %0 : tensor<complex<f32>>
}

// -----

// RD3
fuser.fusion @sum(%z: tensor<?xcomplex<f32>>) -> tensor<f32> {
  // expected-error @+1 {{expected a float result of real numbers, an integer result (no i1) of integers or a complex result of numbers, but got 'complex<f32>' and 'f32'}}
  %0 = fuser.sum %z dims [0] : tensor<?xcomplex<f32>> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// RD3: the variance is real.
fuser.fusion @variance(%z: tensor<?xcomplex<f32>>) -> tensor<complex<f32>> {
  // expected-error @+1 {{expected a float variance and a mean like the operand, of floats or of complex numbers, but got 'complex<f32>' and 'complex<f32>' of 'complex<f32>'}}
  %0, %1 = fuser.var_mean %z dims [0] correction 1 : tensor<?xcomplex<f32>> -> tensor<complex<f32>>, tensor<complex<f32>>
  fuser.return %1 : tensor<complex<f32>>
}

// -----

// RD3: the mean is not.
fuser.fusion @mean(%z: tensor<?xcomplex<f32>>) -> tensor<f32> {
  // expected-error @+1 {{but got 'f32' and 'f32' of 'complex<f32>'}}
  %0, %1 = fuser.var_mean %z dims [0] correction 1 : tensor<?xcomplex<f32>> -> tensor<f32>, tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// IX4
fuser.fusion @scatter(%s: tensor<?xcomplex<f32>>, %i: tensor<?xi64>, %x: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  // expected-error @+1 {{expected floats or integers other than i1 (complex numbers for add and mul) to combine, but got 'complex<f32>'}}
  %0 = fuser.scatter %s at %i into %x dim 0 reduce max : tensor<?xcomplex<f32>>, tensor<?xi64>, tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}

// -----

// PW7
fuser.fusion @bitcast(%x: tensor<?xf32>) -> tensor<?xi64> {
  // expected-error @+1 {{expected element types of one width, but got 'f32' and 'i64'}}
  %0 = fuser.bitcast %x : tensor<?xf32> to tensor<?xi64>
  fuser.return %0 : tensor<?xi64>
}
