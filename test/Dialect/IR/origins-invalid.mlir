// RUN: fuser-opt %s --verify-diagnostics
// Does not take anything but numbers as the origin of an op.

fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{expected 'fuser.origin' to be array<i64: ...>, but got 3 : i64}}
  %0 = fuser.exp %x {fuser.origin = 3 : i64} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
