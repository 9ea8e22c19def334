// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules -o /dev/null
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
// expected-remark @below {{'pointwise' does not schedule this kernel [has-reduction]: expected no reduction, but got 1}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [nothing-to-keep]}}
fuser.kernel @refuses_reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// Does not accept values of unrelated dimensions.
// expected-error @below {{expected a kernel that one of the 4 schedulers accepts, but all refuse}}
// expected-remark @below {{'pointwise' does not schedule this kernel [uncovered-dimension]: expected one value that has every dimension of the kernel, but dimension 0 of 'fuser.relu' is not in it}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [no-reduction]}}
// expected-remark @below {{'reduction' does not schedule this kernel [no-reduction]}}
// expected-remark @below {{'single_op' does not schedule this kernel [not-one-op]: expected exactly one op, but got 2}}
fuser.kernel @refuses_unrelated(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // expected-note @below {{here: fuser.relu}}
  %0 = fuser.relu %x : tensor<?xf32>
  // expected-note @below {{here: fuser.relu}}
  %1 = fuser.relu %y : tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
