// RUN: fuser-opt %s --fuser-print-extents --verify-diagnostics --split-input-file

// Static sizes are constants, equal sizes one symbol, facts bounds and divisors; a split rounds up
// unless a fact says that it divides.
// expected-remark@+5 {{s0 = size of argument 0, dimension 0}}
// expected-remark@+4 {{s1 = size of argument 0, dimension 1, at least 1, at most 4096, divisible by 8}}
// expected-remark@+3 {{s2 = size of argument 1, dimension 0: s1}}
// expected-remark@+2 {{s3 = size of argument 1, dimension 1: 4}}
// expected-remark@+1 {{s4 = value of argument 2}}
fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>, %n: i64) -> tensor<?xf32>
    attributes {facts = [#fuser.fact<divisible 1[0], 8>, #fuser.fact<at_most 0[1], 4096>, #fuser.fact<at_least 0[1], 1>,
                         #fuser.fact<equal 0[1], 1[0]>]} {
  // expected-remark@+1 {{extents [s0, s1, s1 ceildiv 16, 16, s0 * (s1 ceildiv 16)]}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 16) -> (i2, i3), merge(i0, i2) -> i4,
      loop = [i4, i3]>]} : tensor<?x?xf32>
  // expected-remark@+1 {{extents [s0, s1]}}
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// What ops need is said, so that calls can be checked for it.
// expected-remark@+2 {{s0 = size of argument 0, dimension 0}}
// expected-remark@+1 {{s1 = size of argument 1, dimension 0: s0}}
fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expected-remark@+2 {{needs s0 = s1}}
  // expected-remark@+1 {{extents [s0]}}
  %0 = fuser.add %x, %y : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<8xf32>, %z: tensor<16xf32>) -> tensor<?xf32> {
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<8xf32>) -> tensor<?xf32>
  // expected-error@+1 {{expected equal extents of dimensions that it maps to one, but got 16 and 8}}
  %1 = fuser.add %x, %z : (tensor<?xf32>, tensor<16xf32>) -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// What a reshape splits is divisible, so that nothing is rounded; a call is checked for it.
// expected-remark@+2 {{s0 = size of argument 0, dimension 0}}
// expected-remark@+1 {{s1 = size of argument 0, dimension 1, divisible by 8}}
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?x8xf32> {
  // expected-remark@+2 {{needs s1 = (s1 ceildiv 8) * 8}}
  // expected-remark@+1 {{extents [s0, s1, s1 ceildiv 8, 8]}}
  %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?x?x8xf32>
  fuser.return %0 : tensor<?x?x8xf32>
}

// -----

// The size of a dynamic dimension that another op states.
fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<?x4xf32>) {
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<6xf32>) -> tensor<6xf32>
  // expected-error@+1 {{expected 4 to divide the size that it splits, but got 6}}
  %1 = fuser.reshape %x : tensor<?xf32> -> tensor<?x4xf32>
  fuser.return %0, %1 : tensor<6xf32>, tensor<?x4xf32>
}

// -----

// What one amount adds and the other one takes away leaves the size that both are computed from.
// expected-remark@+1 {{s0 = size of argument 0, dimension 0}}
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %low = arith.subi %n, %c1 : index
  %high = arith.subi %c1, %n : index
  // expected-remark@+1 {{extents [s0]}}
  %0 = fuser.pad %x low [%low] high [%high] value %zero : tensor<?xf32>, f64 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
