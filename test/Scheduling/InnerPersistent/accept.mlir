// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="sizes= only=inner_persistent" -o /dev/null
// What the inner persistent scheduler accepts, and why it does not. (The pointwise one refuses everything here.)

// A row that is used again behind its sum.
fuser.kernel @accepts_centered(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// Does not keep columns; nobody does.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [not-inner]: expected reductions over the fastest dimensions in memory, but slower ones are reduced}}
fuser.kernel @refuses_columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// Does not keep tiles of which memory has short runs.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [short-runs]: expected tiles whose runs in memory have at least 32 bytes, but got 16}}
fuser.kernel @refuses_short_runs(%x: tensor<64x64x4xf32>) -> tensor<64x64x4xf32> {
  // expected-note @below {{here: fuser.max}}
  %0 = fuser.max %x dims [0, 2] : tensor<64x64x4xf32> -> tensor<64xf32>
  %1 = fuser.broadcast %0 dims [0, 2] : tensor<64xf32> -> tensor<1x64x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<64x64x4xf32>, tensor<1x64x1xf32>) -> tensor<64x64x4xf32>
  fuser.return %2 : tensor<64x64x4xf32>
}

// -----

// Does not accept a row that registers do not hold.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [row-too-long]: expected rows of at most 524288 bytes to keep, but got 800000 (200000 elements, 4 in a vector)}}
fuser.kernel @refuses_long_rows(%x: tensor<8x200000xf32>) -> tensor<8x200000xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<8x200000xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<8x200000xf32>, tensor<8x1xf32>) -> tensor<8x200000xf32>
  fuser.return %2 : tensor<8x200000xf32>
}

// -----

// Accepts a reduction of the fastest of the reduced dimensions next to one of all; an output may have the others.
fuser.kernel @accepts_parts_of_rows(%x: tensor<?x?x128xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<?x?x128xf32> -> tensor<?x?xf32>
  %1 = fuser.sum %x dims [1, 2] : tensor<?x?x128xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// Does not accept reductions over other dimensions: the slower ones of a row.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [mixed-reductions]: expected reductions over the same dimensions, but they differ}}
fuser.kernel @refuses_mixed(%x: tensor<?x?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  // expected-note @below {{here: fuser.sum}}
  %1 = fuser.sum %x dims [1, 2] : tensor<?x?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// Does not accept parts of two lengths.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [mixed-reductions]: expected reductions over the same dimensions, but they differ}}
fuser.kernel @refuses_two_parts(%x: tensor<?x4x8x16xf32>) -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4x8xf32>) {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1, 2, 3] : tensor<?x4x8x16xf32> -> tensor<?xf32>
  %1 = fuser.sum %x dims [2, 3] : tensor<?x4x8x16xf32> -> tensor<?x4xf32>
  // expected-note @below {{here: fuser.sum}}
  %2 = fuser.sum %x dims [3] : tensor<?x4x8x16xf32> -> tensor<?x4x8xf32>
  fuser.return %0, %1, %2 : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4x8xf32>
}

// -----

// Does not accept an output with some dimensions of a row: its loops are others.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [uncovered-dimension]: expected outputs with all reduced dimensions or none, but output 0 has some}}
fuser.kernel @refuses_part_of_a_row(%x: tensor<9x1xf32>) -> (tensor<9xf32>, tensor<9x2xf32>) {
  %0 = fuser.expand %x : tensor<9x1xf32> -> tensor<9x2xf32>
  %1 = fuser.sum %0 dims [0, 1] : tensor<9x2xf32> -> tensor<f32>
  %2 = fuser.broadcast %1 dims [0] : tensor<f32> -> tensor<1xf32>
  %3 = fuser.reshape %x : tensor<9x1xf32> -> tensor<9xf32>
  // expected-note @below {{here: fuser.mul}}
  %4 = fuser.mul %2, %3 : (tensor<1xf32>, tensor<9xf32>) -> tensor<9xf32>
  fuser.return %4, %0 : tensor<9xf32>, tensor<9x2xf32>
}

// -----

// Accepts rows that join parts of arguments.
fuser.kernel @accepts_joined_parts(%x: tensor<?x32xf32>, %y: tensor<?x16xf32>) -> tensor<?x48xf32> {
  %0 = fuser.neg %x : tensor<?x32xf32>
  %1 = fuser.cat %0, %y dim 1 : (tensor<?x32xf32>, tensor<?x16xf32>) -> tensor<?x48xf32>
  %2 = fuser.max %1 dims [1] : tensor<?x48xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.sub %1, %3 : (tensor<?x48xf32>, tensor<?x1xf32>) -> tensor<?x48xf32>
  fuser.return %4 : tensor<?x48xf32>
}

// -----

// Does not accept a part of a computed row that is read at another index.
// expected-error @below {{expected a kernel that 'inner_persistent' accepts, but it refuses}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [unsupported-op]: expected parts of rows that are computed at one offset, but those of 'fuser.slice' are not}}
fuser.kernel @refuses_moved_parts(%x: tensor<8x64xf32>, %z: f32) -> tensor<8x64xf32> {
  %0 = fuser.sum %x dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  // expected-note @below {{here: fuser.slice}}
  %3 = fuser.slice %2 [0, 32] [8, 32] : tensor<8x64xf32> -> tensor<8x32xf32>
  %4 = fuser.pad %3 low [0, 0] high [0, 32] value %z : tensor<8x32xf32>, f32 -> tensor<8x64xf32>
  %5 = fuser.add %2, %4 : tensor<8x64xf32>
  fuser.return %5 : tensor<8x64xf32>
}
