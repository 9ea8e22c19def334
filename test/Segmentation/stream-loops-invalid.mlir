// RUN: fuser-opt %s --fuser-segment-fusions --split-input-file --verify-diagnostics
// RUN: fuser-opt %s --fuser-outline-kernels --split-input-file --verify-diagnostics
// S4.8: what no host loop can run is refused at the op.

fuser.fusion @devices(%0: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {mesh = #fuser.mesh<device_x = 2>} {
  // expected-error @+1 {{expected 1 device, because there are no collectives between devices, but got 2 along @device_x}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>]} : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// -----

// expected-error @+1 {{expected 1 device, because there are no collectives between devices, but got 2 along @device_x}}
fuser.fusion @device_of_argument(%0: tensor<4x6xf32>) -> tensor<4x6xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>]} {
  %1 = fuser.exp %0 : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// -----

fuser.fusion @no_division(%0: tensor<5x6xf32>) -> tensor<5x6xf32> {
  // expected-error @+1 {{expected parts of a stream that are all of one size: 2 to divide dimension 0 of result 0, but got a size of 5}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<5x6xf32>
  fuser.return %1 : tensor<5x6xf32>
}

// -----

fuser.fusion @no_fact(%0: tensor<?x6xf32>, %1: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %2 = fuser.cat %0, %1 dim 0 : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  // expected-error @+1 {{2 to divide dimension 0 of result 0, but no fact says that it does}}
  %3 = fuser.exp %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i0, i1]>]} : tensor<?x6xf32>
  fuser.return %3 : tensor<?x6xf32>
}

// -----

fuser.fusion @inner_part(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @+1 {{expected a stream over a dimension or over the outer part of its split, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 2) -> (i2, i3), loop = [i3 @stream, i2, i1], allocation = [i0, i1]>]} : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// -----

fuser.fusion @reduction(%0: tensor<4x6xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a stream over a dimension of the result, but got}}
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], loop = [r1 @stream, i0], allocation = [i0]>]} : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

fuser.fusion @produced(%0: f32) -> tensor<4xf32> {
  // expected-error @+1 {{expected a stream over a dimension of an operand, but got}}
  %1 = fuser.full %0 sizes() {domains = [#fuser.domain<logical = [i0], loop = [i0 @stream], allocation = [i0]>]} : f32 -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

fuser.fusion @halo(%0: tensor<4xf32>, %zero: f32) -> tensor<6xf32> {
  // expected-error @+1 {{expected a stream over a dimension that operand 0 has as it is, but got}}
  %1 = fuser.pad %0 low [1] high [1] value %zero {domains = [#fuser.domain<logical = [i0], loop = [i0 @stream], allocation = [i0]>]} : tensor<4xf32>, f32 -> tensor<6xf32>
  fuser.return %1 : tensor<6xf32>
}

// -----

fuser.fusion @scanned(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @+1 {{expected a stream on an op whose elements do not depend on their position}}
  %1 = fuser.cumsum %0 dim 0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @stream, i1], allocation = [i0, i1]>]} : tensor<4x6xf32> -> tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}

// -----

fuser.fusion @random(%seed: i64) -> tensor<4xf32> {
  // expected-error @+1 {{expected a stream on an op whose elements do not depend on their position}}
  %1 = fuser.random_uniform %seed, %seed {domains = [#fuser.domain<logical = [i0], loop = [i0 @stream], allocation = [i0]>]} : tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

fuser.fusion @no_division_of_a_part(%0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{expected parts of a stream that are all of one size: 3 to divide a part of dimension 0 of result 0, but got a size of 4}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i3, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i5, i1], allocation = [i0, i1]>]} : tensor<8x6xf32>
  fuser.return %1 : tensor<8x6xf32>
}

// -----

// S4.6: also without the verifier of preseg.
fuser.fusion @allocated_in_another_loop(%0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @+1 {{expected no stream in the allocation of a value that is used over other streams, but got stream i2 in #fuser.domain}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, i1], allocation = [i2, i3, i1]>]} : tensor<4x6xf32>
  // expected-note @+1 {{used here, outside of loops over streams}}
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}

// -----

// The inner loop would have to be around the outer one: its iterations are not consecutive indices.
fuser.fusion @inner_part_first(%0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{expected a stream over a dimension or over the outer part of its split, but got}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i3, outer 2) -> (i4, i5),
      loop = [i4 @stream, i2 @stream, i5, i1], allocation = [i0, i1]>]} : tensor<8x6xf32>
  fuser.return %1 : tensor<8x6xf32>
}

// -----

fuser.fusion @results_apart(%0: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @+1 {{expected the same streams for all results, but got #fuser.domain}}
  %1, %2 = fuser.var_mean %0 dims [1] correction 1 {domains = [
      #fuser.domain<logical = [i0, r1], split(i0, outer 2) -> (i2, i3), loop = [i2 @stream, i3, r1], allocation = [i0]>,
      #fuser.domain<logical = [i0, r1], loop = [i0, r1], allocation = [i0]>]} : tensor<4x6xf32> -> tensor<4xf32>, tensor<4xf32>
  fuser.return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
