// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="sizes= only=outer_persistent" -o /dev/null
// What the outer persistent scheduler accepts, and why it does not.

// Columns that are used again behind their sum.
fuser.kernel @accepts_columns(%x: tensor<512x4096xf32>) -> tensor<512x4096xf32> {
  %0 = fuser.sum %x dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  fuser.return %2 : tensor<512x4096xf32>
}

// -----

// Groups whose channels are the fastest dimension.
fuser.kernel @accepts_groups(%x: tensor<4x512x32x8xf32>) -> tensor<4x512x32x8xf32> {
  %v, %m = fuser.var_mean %x dims [1, 3] correction 0 : tensor<4x512x32x8xf32> -> tensor<4x32xf32>, tensor<4x32xf32>
  %0 = fuser.broadcast %m dims [1, 3] : tensor<4x32xf32> -> tensor<4x1x32x1xf32>
  %1 = fuser.broadcast %v dims [1, 3] : tensor<4x32xf32> -> tensor<4x1x32x1xf32>
  %2 = fuser.sub %x, %0 : (tensor<4x512x32x8xf32>, tensor<4x1x32x1xf32>) -> tensor<4x512x32x8xf32>
  %3 = fuser.mul %2, %1 : (tensor<4x512x32x8xf32>, tensor<4x1x32x1xf32>) -> tensor<4x512x32x8xf32>
  fuser.return %3 : tensor<4x512x32x8xf32>
}

// -----

// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [nothing-to-keep]: expected a use of the reduced tensor after its reduction, but there is none}}
fuser.kernel @refuses_sums(%x: tensor<512x4096xf32>) -> tensor<4096xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  fuser.return %0 : tensor<4096xf32>
}

// -----

// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [not-outer]: expected reductions over dimensions that are slower in memory than kept ones, but no kept dimension is faster}}
fuser.kernel @refuses_rows(%x: tensor<512x4096xf32>) -> tensor<512x4096xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<512x4096xf32> -> tensor<512xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<512xf32> -> tensor<512x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<512x4096xf32>, tensor<512x1xf32>) -> tensor<512x4096xf32>
  fuser.return %2 : tensor<512x4096xf32>
}

// -----

// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [unknown-sizes]: expected dimensions of known sizes, but got others}}
fuser.kernel @refuses_unknown_sizes(%x: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [0] : tensor<?x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xf32>, tensor<1x4096xf32>) -> tensor<?x4096xf32>
  fuser.return %2 : tensor<?x4096xf32>
}

// -----

// 127 rows of 128 bytes: the first-level cache holds them.
// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [short-strip]: expected strips of at least 16384 bytes to keep, but got 16256}}
fuser.kernel @refuses_short_strips(%x: tensor<127x4096xf32>) -> tensor<127x4096xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [0] : tensor<127x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<127x4096xf32>, tensor<1x4096xf32>) -> tensor<127x4096xf32>
  fuser.return %2 : tensor<127x4096xf32>
}

// -----

// More than the shared memory of eight blocks for strips of 32 bytes.
// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [strip-too-long]: expected strips that the shared memory of a cluster holds, but got 60000 rows}}
fuser.kernel @refuses_long_strips(%x: tensor<60000x4096xf32>) -> tensor<60000x4096xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [0] : tensor<60000x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %x, %1 : (tensor<60000x4096xf32>, tensor<1x4096xf32>) -> tensor<60000x4096xf32>
  fuser.return %2 : tensor<60000x4096xf32>
}

// -----

// expected-error @below {{expected a kernel that 'outer_persistent' accepts, but it refuses}}
// expected-remark @below {{'outer_persistent' does not schedule this kernel [scattered]: expected strips that are adjacent in every tensor, but argument 1 has another fastest dimension}}
fuser.kernel @refuses_another_order(%x: tensor<512x4096xf32>, %y: tensor<512x4096xf32>) -> tensor<512x4096xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %z = fuser.add %x, %y : tensor<512x4096xf32>
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %z dims [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.sub %z, %1 : (tensor<512x4096xf32>, tensor<1x4096xf32>) -> tensor<512x4096xf32>
  fuser.return %2 : tensor<512x4096xf32>
}
