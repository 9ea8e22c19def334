// RUN: fuser-opt %s --split-input-file --verify-diagnostics
// ST1: an encoding of a tensor may state a layout, so that it is refused rather than ignored.

// expected-error @+1 {{expected argument 0 without an encoding, but got 'tensor<4x8xf32, "blocked">'}}
fuser.fusion @argument(%x: tensor<4x8xf32, "blocked">) -> tensor<4x8xf32> {
  %0 = fuser.exp %x : (tensor<4x8xf32, "blocked">) -> tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{expected output 0 without an encoding, but got 'tensor<4x8xf32, "blocked">'}}
fuser.fusion @output(%x: tensor<4x8xf32>) -> tensor<4x8xf32, "blocked"> {
  %0 = fuser.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32, "blocked">
  fuser.return %0 : tensor<4x8xf32, "blocked">
}

// -----

fuser.kernel @inside(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected tensors without an encoding, but got 'tensor<4x8xf32, "blocked">'}}
  %0 = fuser.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32, "blocked">
  %1 = fuser.neg %0 : (tensor<4x8xf32, "blocked">) -> tensor<4x8xf32>
  fuser.return %1 : tensor<4x8xf32>
}
