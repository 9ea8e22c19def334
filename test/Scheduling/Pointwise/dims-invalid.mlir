// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules
// Parameters of a pointwise schedule that its kernel has no dimensions for.

// expected-error @below {{expected 'inner_dims' between 1 and 2, or -1, but got 3}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {schedule = #fuser_sched.pointwise<inner_dims = 3>} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// expected-error @below {{expected 'inner_dims' between 1 and 2, or -1, but got 0}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {schedule = #fuser_sched.pointwise<inner_dims = 0>} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// expected-error @below {{expected at most 1 'outer_dims', but got 2}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {schedule = #fuser_sched.pointwise<inner_dims = 1, outer_dims = 2>} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// expected-error @below {{expected at most 0 'outer_dims', but got 1}}
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {schedule = #fuser_sched.pointwise<outer_dims = 1>} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
