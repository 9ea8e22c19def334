// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules=only=reduction -o /dev/null
// A kernel in which a reshape leaves no loops for both of its sides is refused with the reshape.

// expected-error @below {{expected a kernel that 'reduction' accepts, but it refuses}}
// expected-remark @below {{'reduction' does not schedule this kernel [reshape-of-loops]: expected loops that are the same on both sides of 'fuser.reshape', but a part of what it merges or splits is reduced on one side}}
fuser.kernel @merged(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  // expected-note @below {{here: fuser.reshape}}
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// -----

// One static part is enough.
fuser.kernel @static(%x: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x4xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Parts of two factorizations of one dimension are reduced.
// expected-error @below {{expected a kernel that 'reduction' accepts, but it refuses}}
// expected-remark @below {{[reshape-of-loops]}}
fuser.kernel @factors(%x: tensor<6x4xf32>) -> (tensor<6xf32>, tensor<4xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<6x4xf32> -> tensor<6xf32>
  // expected-note @below {{here: fuser.reshape}}
  %1 = fuser.reshape %x : tensor<6x4xf32> -> tensor<4x6xf32>
  %2 = fuser.sum %1 dims [1] : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %0, %2 : tensor<6xf32>, tensor<4xf32>
}
