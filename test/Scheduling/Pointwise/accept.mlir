// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="only=pointwise" -o /dev/null
// What the pointwise scheduler accepts, and why it does not.

// A kernel that only copies is pointwise.
fuser.kernel @accepts_copy(%x: tensor<?xf32>) -> tensor<?xf32> {
  fuser.return %x : tensor<?xf32>
}

// -----

// Rank 0.
fuser.kernel @accepts_scalars(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = fuser.add %x, %y : tensor<f32>
  fuser.return %0 : tensor<f32>
}

// -----

// A second output of lower rank is covered by the first.
fuser.kernel @accepts_lower_rank_output(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.relu %b : tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.add %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2, %0 : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// Does not accept a reduction; the next scheduler takes it.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [has-reduction]: expected no reduction, but got 1}}
fuser.kernel @refuses_reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// Does not accept values of unrelated dimensions.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [uncovered-dimension]: expected one value that has every dimension of the kernel, but dimension 0 of 'fuser.relu' is not in it}}
fuser.kernel @refuses_unrelated(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.relu %x : tensor<?xf32>
  // expected-note @below {{here: fuser.relu}}
  %1 = fuser.relu %y : tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A computed value that is read at one constant offset runs over its reader's indices.
fuser.kernel @accepts_pad_of_computed(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.pad %0 low [0, 1] high [2, 0] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// An argument may be read at any index.
fuser.kernel @accepts_indices(%x: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<?x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// Does not accept a computed value that is read at two offsets.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [unsupported-op]: expected ops that read computed operands at one constant offset, in dimensions of more than one element, but 'fuser.cat' does not}}
fuser.kernel @refuses_two_offsets(%x: tensor<8xf32>) -> tensor<16xf32> {
  %0 = fuser.exp %x : tensor<8xf32>
  // expected-note @below {{here: fuser.cat}}
  %1 = fuser.cat %0, %0 dim 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  fuser.return %1 : tensor<16xf32>
}

// -----

// Does not accept a computed value that is read at an offset in a dimension of size 1.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [unsupported-op]: expected ops that read computed operands at one constant offset, in dimensions of more than one element, but 'fuser.pad' does not}}
fuser.kernel @refuses_offset_of_one(%x: tensor<1xf32>, %v: f32) -> tensor<3xf32> {
  %0 = fuser.exp %x : tensor<1xf32>
  // expected-note @below {{here: fuser.pad}}
  %1 = fuser.pad %0 low [1] high [1] value %v : tensor<1xf32>, f32 -> tensor<3xf32>
  fuser.return %1 : tensor<3xf32>
}

// -----

// Does not accept an output of which only a part is computed.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [uncovered-dimension]: expected outputs that are read completely, but only a part of output 0 is}}
fuser.kernel @refuses_partial_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // expected-note @below {{here: fuser.exp}}
  %0 = fuser.exp %x : tensor<8xf32>
  %1 = fuser.slice %0 [2] [4] : tensor<8xf32> -> tensor<4xf32>
  fuser.return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// -----

// Does not accept to read at other indices what may already be overwritten.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [unsupported-op]: expected ops that read at their own index where an input is overwritten, but 'fuser.gather' does not}}
fuser.kernel @refuses_overwritten(%x: tensor<8xf32>, %i: tensor<8xi64>) -> tensor<8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  // expected-note @below {{here: fuser.gather}}
  %0 = fuser.gather %x, %i dim 0 : tensor<8xf32>, tensor<8xi64> -> tensor<8xf32>
  %1 = fuser.exp %0 : tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}

// -----

// Does not accept a computed value that is read at its own index and, behind a pad, at another.
// expected-error @below {{expected a kernel that 'pointwise' accepts, but it refuses}}
// expected-remark @below {{'pointwise' does not schedule this kernel [unsupported-op]: expected ops that read computed operands at one constant offset, in dimensions of more than one element, but 'fuser.pad' does not}}
fuser.kernel @refuses_round_trip(%x: tensor<64xf32>, %v: f32) -> tensor<64xf32> {
  %0 = fuser.exp %x : tensor<64xf32>
  // expected-note @below {{here: fuser.pad}}
  %1 = fuser.pad %0 low [1] high [1] value %v : tensor<64xf32>, f32 -> tensor<66xf32>
  %2 = fuser.slice %1 [0] [64] : tensor<66xf32> -> tensor<64xf32>
  %3 = fuser.add %2, %0 : tensor<64xf32>
  fuser.return %3 : tensor<64xf32>
}
