// RUN: fuser-opt %s --split-input-file --verify-diagnostics
// ST12, one fault for each piece.

fuser.kernel @no_box(%v: f32) -> tensor<8xf32> {
  // expected-error @below {{expected an offset and a size for each of 1 dimensions of at least one box, but got 0 offsets and 0 sizes}}
  %0 = fuser.border %v outside [] [] : f32 -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @half_a_box(%v: f32) -> tensor<8x8xf32> {
  // expected-error @below {{expected an offset and a size for each of 2 dimensions of at least one box, but got 3 offsets and 3 sizes}}
  %0 = fuser.border %v outside [0, 0, 1] [1, 1, 1] : f32 -> tensor<8x8xf32>
  fuser.return %0 : tensor<8x8xf32>
}

// -----

fuser.kernel @outside(%v: f32) -> tensor<8x8xf32> {
  // expected-error @below {{expected a box inside of dimension 1 (size 8), but got offset 5 and size 4}}
  %0 = fuser.border %v outside [0, 5] [1, 4] : f32 -> tensor<8x8xf32>
  fuser.return %0 : tensor<8x8xf32>
}

// -----

fuser.kernel @negative(%v: f32) -> tensor<8xf32> {
  // expected-error @below {{expected a box inside of dimension 0 (size 8), but got offset -1 and size 4}}
  %0 = fuser.border %v outside [-1] [4] : f32 -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @sizes(%v: f32) -> tensor<?xf32> {
  // expected-error @below {{expected 1 values for the dynamic entries of 'sizes', but got 0}}
  %0 = fuser.border %v outside [0] [4] : f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @value(%v: complex<f32>) -> tensor<8xf32> {
  // expected-error @below {{expected 'value' to convert to 'f32', but got 'complex<f32>'}}
  %0 = fuser.border %v outside [0] [4] : complex<f32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.fusion @in_a_fusion(%v: f32) -> tensor<8xf32> {
  // expected-error @below {{'fuser.border' op expects parent op 'fuser.kernel'}}
  %0 = fuser.border %v outside [0] [4] : f32 -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}
