// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules -o /dev/null
// Parameters by hand choose the scheduler: a kernel that it does not take is an error, at the op at fault.

// expected-error @below {{cannot be scheduled by 'reduction' [no-reduction]: expected a reduction, but got none}}
fuser.kernel @no_reduction(%x: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.reduction<pattern = inner>} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// expected-error @below {{cannot be scheduled by 'pointwise' [has-reduction]: expected no reduction, but got 1}}
fuser.kernel @reduction(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.pointwise<vector = 4>} {
  // expected-note @below {{here: fuser.sum}}
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// expected-error @below {{cannot be scheduled by 'reduction' [reshape-of-loops]}}
fuser.kernel @reshape(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) attributes {schedule = #fuser_sched.reduction<pattern = inner>} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  // expected-note @below {{here: fuser.reshape}}
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}
