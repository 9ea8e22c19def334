// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="sizes= only=streaming" -o /dev/null
// What the streaming scheduler accepts, and why it does not.

// A row of any length that is used again after its sum.
fuser.kernel @accepts_centered(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// Columns as well.
fuser.kernel @accepts_columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// A reduction alone is for 'reduction'.
// expected-error @below {{expected a kernel that 'streaming' accepts, but it refuses}}
// expected-remark @below {{'streaming' does not schedule this kernel [no-reuse]: expected a use of the reduced tensor after its reduction, but there is none}}
fuser.kernel @refuses_reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// Rows that take many ops are not computed twice.
// expected-error @below {{expected a kernel that 'streaming' accepts, but it refuses}}
// expected-remark @below {{'streaming' does not schedule this kernel [costly-rows]: expected rows that fewer than 16 pointwise ops compute from arguments, but 'fuser.exp' takes more}}
fuser.kernel @refuses_long_chains(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  %5 = fuser.exp %4 : tensor<?x?xf32>
  %6 = fuser.exp %5 : tensor<?x?xf32>
  %7 = fuser.exp %6 : tensor<?x?xf32>
  %8 = fuser.exp %7 : tensor<?x?xf32>
  %9 = fuser.exp %8 : tensor<?x?xf32>
  %10 = fuser.exp %9 : tensor<?x?xf32>
  %11 = fuser.exp %10 : tensor<?x?xf32>
  %12 = fuser.exp %11 : tensor<?x?xf32>
  %13 = fuser.exp %12 : tensor<?x?xf32>
  %14 = fuser.exp %13 : tensor<?x?xf32>
  // expected-note @below {{here: fuser.exp}}
  %15 = fuser.exp %14 : tensor<?x?xf32>
  %16 = fuser.sum %15 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %17 = fuser.broadcast %16 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %18 = fuser.sub %15, %17 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %18 : tensor<?x?xf32>
}

// -----

// Too few columns for the device: kernels of their own for the reductions have more blocks.
// expected-error @below {{expected a kernel that 'streaming' accepts, but it refuses}}
// expected-remark @below {{'streaming' does not schedule this kernel [too-few-blocks]: expected enough rows to fill the device, but 1 blocks take longer than kernels of their own for the reductions}}
fuser.kernel @refuses_few_columns(%x: tensor<1048576x32xf32>) -> tensor<1048576x32xf32> {
  // expected-note @below {{here: fuser.max}}
  %0 = fuser.max %x dims [0] : tensor<1048576x32xf32> -> tensor<32xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<32xf32> -> tensor<1x32xf32>
  %2 = fuser.sub %x, %1 : (tensor<1048576x32xf32>, tensor<1x32xf32>) -> tensor<1048576x32xf32>
  fuser.return %2 : tensor<1048576x32xf32>
}

// -----

// The second step would read what the first has stored.
// expected-error @below {{expected a kernel that 'streaming' accepts, but it refuses}}
// expected-remark @below {{'streaming' does not schedule this kernel [overwritten]: expected outputs that overwrite no argument which a later step reads, but output 1 does}}
fuser.kernel @refuses_early_output_in_place(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  // expected-note @below {{here: fuser.relu}}
  %3 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// The last step may overwrite what it reads.
fuser.kernel @accepts_last_output_in_place(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// One block would read everything, several times.
// expected-error @below {{expected a kernel that 'streaming' accepts, but it refuses}}
// expected-remark @below {{'streaming' does not schedule this kernel [nothing-kept]: expected reductions that keep a dimension, but they reduce all}}
fuser.kernel @refuses_full_reductions(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [0, 1] : tensor<?x?xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
