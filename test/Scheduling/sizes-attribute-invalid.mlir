// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules
// The sizes that a kernel was segmented for fit its arguments.

// expected-error @below {{expected 'fuser_sched.sizes' to have one element for each of 2 arguments}}
fuser.kernel @count(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = [array<i64: 4, 8>]} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected 'fuser_sched.sizes' to have one element for each of 2 arguments}}
fuser.kernel @no_list(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = 3 : i64} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected the sizes of argument 0 in 'fuser_sched.sizes', but got array<i64: 4>}}
fuser.kernel @rank(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = [array<i64: 4>, unit]} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected the sizes of argument 1 in 'fuser_sched.sizes', but got array<i64>}}
fuser.kernel @scalar(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = [unit, array<i64>]} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected the sizes of argument 0 in 'fuser_sched.sizes', but got "many"}}
fuser.kernel @text(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = ["many", unit]} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected size 8 for dimension 1 of argument 0, but got 9}}
fuser.kernel @static(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = [array<i64: 4, 9>, unit]} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// -----

// Unknown sizes are negative.
fuser.kernel @fine(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32> attributes {fuser_sched.sizes = [array<i64: -1, 8>, unit]} {
  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
