// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="sizes= only=transpose"
// What the transpose scheduler takes is scheduled without a word; what it refuses is explained.

fuser.kernel @permuted(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.add %0, %y : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

fuser.kernel @required_order(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> attributes {output_orders = [array<i64: 0, 2, 1>]} {
  %0 = fuser.relu %x : tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// -----

// Inputs that differ in slow dimensions only are read as they lie.
// expected-error @below {{expected a kernel that 'transpose' accepts, but it refuses}}
// expected-remark @below {{'transpose' does not schedule this kernel [nothing-to-transpose]: expected tensors with two different fastest dimensions, but got one}}
fuser.kernel @slow(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuser.permute %x [1, 0, 2] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// -----

// expected-error @below {{expected a kernel that 'transpose' accepts, but it refuses}}
// expected-remark @below {{'transpose' does not schedule this kernel [mixed-orders]: expected transposed tensors with one fastest dimension, but that of argument 1 is another}}
fuser.kernel @three(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %1 = fuser.permute %y [2, 1, 0] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %2 = fuser.add %0, %1 : tensor<?x?x?xf32>
  fuser.return %2 : tensor<?x?x?xf32>
}

// -----

// Outputs of two orders.
fuser.kernel @outputs(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.permute %0 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Also together with a transposed input.
fuser.kernel @input_and_output(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.add %0, %y : tensor<?x?xf32>
  fuser.return %1, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// expected-error @below {{expected a kernel that 'transpose' accepts, but it refuses}}
// expected-remark @below {{'transpose' does not schedule this kernel [mixed-orders]: expected transposed tensors with one fastest dimension, but that of output 2 is another}}
fuser.kernel @three_outputs(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1, 2>, array<i64: 0, 2, 1>, array<i64: 2, 1, 0>]} {
  %0 = fuser.relu %x : tensor<?x?x?xf32>
  fuser.return %0, %0, %0 : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// -----

// expected-error @below {{expected a kernel that 'transpose' accepts, but it refuses}}
// expected-remark @below {{'transpose' does not schedule this kernel [mixed-orders]: expected transposed outputs that have every dimension, and transposed tensors that have a dense one, but output 1 does not}}
fuser.kernel @smaller_output(%x: tensor<?x?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1, 2>, array<i64: 1, 0>]} {
  %0 = fuser.relu %y : tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.add %x, %1 : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  fuser.return %2, %0 : tensor<?x?x?xf32>, tensor<?x?xf32>
}

// -----

// Arguments without a dimension that is no side of a tile.
fuser.kernel @smaller_arguments(%x: tensor<?x?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?x?xf32>) -> tensor<?x?x4x?xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>, #fuser.layout<order = [0, 2, 1]>]} {
  %0 = fuser.broadcast %y dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %2 = fuser.add %1, %z : tensor<?x?x?xf32>
  %3 = fuser.broadcast %2 dims [2] : tensor<?x?x?xf32> -> tensor<?x?x1x?xf32>
  %4 = fuser.expand %3 : tensor<?x?x1x?xf32> -> tensor<?x?x4x?xf32>
  fuser.return %4 : tensor<?x?x4x?xf32>
}

// -----

// expected-error @below {{expected a kernel that 'transpose' accepts, but it refuses}}
// expected-remark @below {{'transpose' does not schedule this kernel [tile-too-small]: expected at least 16 elements along both dimensions, but got tiles of 64 x 2}}
fuser.kernel @few(%x: tensor<2x?x?xf32>) -> tensor<?x?x2xf32> {
  %0 = fuser.permute %x [2, 1, 0] : tensor<2x?x?xf32> -> tensor<?x?x2xf32>
  fuser.return %0 : tensor<?x?x2xf32>
}

// -----

// The channels of a group would be a side together with the groups, but what lacks them has an element for each pixel.
// expected-error @below {{expected a kernel that 'transpose' accepts, but it refuses}}
// expected-remark @below {{'transpose' does not schedule this kernel [tile-too-small]: expected at least 16 elements along both dimensions, but got tiles of 64 x 8}}
fuser.kernel @pixels_of_groups(%x: tensor<8x32x8x4096xbf16>, %m: tensor<8x32x4096xf32>) -> tensor<8x32x8x4096xbf16>
    attributes {output_orders = [array<i64: 0, 3, 1, 2>]} {
  %0 = fuser.broadcast %m dims [2] : tensor<8x32x4096xf32> -> tensor<8x32x1x4096xf32>
  %1 = fuser.cast %x : tensor<8x32x8x4096xbf16> to tensor<8x32x8x4096xf32>
  %2 = fuser.sub %1, %0 : (tensor<8x32x8x4096xf32>, tensor<8x32x1x4096xf32>) -> tensor<8x32x8x4096xf32>
  %3 = fuser.cast %2 : tensor<8x32x8x4096xf32> to tensor<8x32x8x4096xbf16>
  fuser.return %3 : tensor<8x32x8x4096xbf16>
}
