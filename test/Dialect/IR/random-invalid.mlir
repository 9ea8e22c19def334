// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of RandomOps.td.

// RN1
fuser.fusion @integers(%s: i64) -> tensor<4xi32> {
  // expected-error @+1 {{expected a float as element type, but got 'i32'}}
  %0 = fuser.random_uniform %s, %s : tensor<4xi32>
  fuser.return %0 : tensor<4xi32>
}

// -----

// RN2
fuser.fusion @no_size(%s: i64) -> tensor<?xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'sizes', but got 0}}
  %0 = fuser.random_normal %s, %s : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// RN2
fuser.fusion @too_many_sizes(%s: i64, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{expected 1 values for the dynamic entries of 'sizes', but got 2}}
  %0 = fuser.random_uniform %s, %s sizes(%n, %n) : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// expected-note @+1 {{prior use here}}
fuser.fusion @short_seed(%s: i32, %o: i64) -> tensor<4xf32> {
  // expected-error @+1 {{expects different type than prior uses: 'i64' vs 'i32'}}
  %0 = fuser.random_uniform %s, %o : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

fuser.fusion @two_seeds(%s: tensor<2xi64>, %o: i64) -> tensor<4xf32> {
  // expected-error @+1 {{operand #0 must be i64 or tensor<i64>, but got 'tensor<2xi64>'}}
  %0 = fuser.random_uniform %s, %o : tensor<2xi64> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
