// RUN: fuser-opt %s -verify-diagnostics -split-input-file
// One fault per piece; the label is that of IndexingOps.td.

// IX1
fuser.fusion @dim(%x: tensor<4xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+1 {{expected 'dim' between 0 and 0, but got -1}}
  %0 = fuser.gather %x, %i dim -1 : tensor<4xf32>, tensor<2xi64> -> tensor<2xf32>
  fuser.return %0 : tensor<2xf32>
}

// -----

// IX1
fuser.fusion @dim_of_scalar(%x: tensor<f32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+1 {{expected 'dim' between 0 and -1, but got 0}}
  %0 = fuser.index_select %x, %i dim 0 : tensor<f32>, tensor<2xi64> -> tensor<2xf32>
  fuser.return %0 : tensor<2xf32>
}

// -----

// IX2
fuser.fusion @rank(%x: tensor<4x4xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+1 {{expected an index of rank 2 like the operand, but got 'tensor<2xi64>'}}
  %0 = fuser.gather %x, %i dim 0 : tensor<4x4xf32>, tensor<2xi64> -> tensor<2xf32>
  fuser.return %0 : tensor<2xf32>
}

// -----

// IX2
fuser.fusion @larger(%x: tensor<4x4xf32>, %i: tensor<5x2xi64>) -> tensor<5x2xf32> {
  // expected-error @+1 {{expected dimension 0 of the index to be at most 4, but got 5}}
  %0 = fuser.gather %x, %i dim 1 : tensor<4x4xf32>, tensor<5x2xi64> -> tensor<5x2xf32>
  fuser.return %0 : tensor<5x2xf32>
}

// -----

// IX2
fuser.fusion @gather_result(%x: tensor<4x4xf32>, %i: tensor<4x2xi64>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<4x2xf32>', but got 'tensor<4x4xf32>'}}
  %0 = fuser.gather %x, %i dim 1 : tensor<4x4xf32>, tensor<4x2xi64> -> tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// IX2
fuser.fusion @take_size(%x: tensor<4x4xf32>, %i: tensor<3x2xi64>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expected dimension 0 of the index to be 4 or 1, but got 3}}
  %0 = fuser.take_along_axis %x, %i dim 1 : tensor<4x4xf32>, tensor<3x2xi64> -> tensor<4x2xf32>
  fuser.return %0 : tensor<4x2xf32>
}

// -----

// IX2
fuser.fusion @select_rank(%x: tensor<4x4xf32>, %i: tensor<2x3xi64>) -> tensor<2x4xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<2x3x4xf32>', but got 'tensor<2x4xf32>'}}
  %0 = fuser.index_select %x, %i dim 0 : tensor<4x4xf32>, tensor<2x3xi64> -> tensor<2x4xf32>
  fuser.return %0 : tensor<2x4xf32>
}

// -----

// IX2
fuser.fusion @select_scalar(%x: tensor<4x5xf32>, %i: tensor<i64>) -> tensor<1x5xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<5xf32>', but got 'tensor<1x5xf32>'}}
  %0 = fuser.index_select %x, %i dim 0 : tensor<4x5xf32>, tensor<i64> -> tensor<1x5xf32>
  fuser.return %0 : tensor<1x5xf32>
}

// -----

// IX2
fuser.fusion @scatter_source(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a source of shape [2] like the index, but got 'tensor<3xf32>'}}
  %0 = fuser.scatter %s at %i into %x dim 0 : tensor<3xf32>, tensor<2xi64>, tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// IX3
fuser.fusion @scatter_element(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<2xf16>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a source with element type 'f32', but got 'f16'}}
  %0 = fuser.scatter %s at %i into %x dim 0 : tensor<2xf16>, tensor<2xi64>, tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// IX3
fuser.fusion @index_element(%x: tensor<4xf32>, %i: tensor<2xi8>) -> tensor<2xf32> {
  // expected-error @+1 {{operand #1 must be ranked tensor of 32-bit signless integer or 64-bit signless integer values}}
  %0 = fuser.gather %x, %i dim 0 : tensor<4xf32>, tensor<2xi8> -> tensor<2xf32>
  fuser.return %0 : tensor<2xf32>
}

// -----

// IX4
fuser.fusion @scatter_bool(%x: tensor<4xi1>, %i: tensor<2xi64>, %s: tensor<2xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{expected floats or integers other than i1 (complex numbers for add and mul) to combine, but got 'i1'}}
  %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<2xi1>, tensor<2xi64>, tensor<4xi1>
  fuser.return %0 : tensor<4xi1>
}

// -----

// IX1
fuser.fusion @take_along_no_axis(%x: tensor<4x4xf32>, %i: tensor<4x2xi64>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expected 'dim' between 0 and 1, but got 2}}
  %0 = fuser.take_along_axis %x, %i dim 2 : tensor<4x4xf32>, tensor<4x2xi64> -> tensor<4x2xf32>
  fuser.return %0 : tensor<4x2xf32>
}

// -----

// IX2
fuser.fusion @take_along_axis_result(%x: tensor<4x4xf32>, %i: tensor<4x2xi64>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected a result of type 'tensor<4x2xf32>', but got 'tensor<4x3xf32>'}}
  %0 = fuser.take_along_axis %x, %i dim 1 : tensor<4x4xf32>, tensor<4x2xi64> -> tensor<4x3xf32>
  fuser.return %0 : tensor<4x3xf32>
}

// -----

// IX1
fuser.fusion @scatter_without_dimension(%x: tensor<4x4xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected 'dim' between 0 and 1, but got -1}}
  %0 = fuser.scatter %s at %i into %x dim -1 : tensor<4x2xf32>, tensor<4x2xi64>, tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// IX1
fuser.fusion @push_without_dimension(%x: tensor<4x4xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected 'dim' between 0 and 1, but got 2}}
  %0 = fuser.push %s at %i into %x dim 2 : tensor<4x2xf32>, tensor<4x2xi64>, tensor<4x4xf32>
  fuser.return %0 : tensor<4x4xf32>
}

// -----

// IX2
fuser.fusion @push_source(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a source of shape [2] like the index, but got 'tensor<3xf32>'}}
  %0 = fuser.push %s at %i into %x dim 0 : tensor<3xf32>, tensor<2xi64>, tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// IX3
fuser.fusion @push_element(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<2xf16>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a source with element type 'f32', but got 'f16'}}
  %0 = fuser.push %s at %i into %x dim 0 : tensor<2xf16>, tensor<2xi64>, tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// IX4
fuser.fusion @push_complex(%x: tensor<4xcomplex<f32>>, %i: tensor<2xi64>, %s: tensor<2xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{expected floats or integers other than i1 (complex numbers for add and mul) to combine, but got 'complex<f32>'}}
  %0 = fuser.push %s at %i into %x dim 0 reduce max : tensor<2xcomplex<f32>>, tensor<2xi64>, tensor<4xcomplex<f32>>
  fuser.return %0 : tensor<4xcomplex<f32>>
}
