// RUN: fuser-opt %s --fuser-print-ids --verify-diagnostics --split-input-file

// Dimensions that ops map to each other are one class; what a broadcast inserts is its own. Equal transforms of
// corresponding ids make loops that producer and consumer can share.
fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  // expected-remark@+1 {{classes [0, 1]}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
      loop = [i3, i4]>]} : tensor<?x?xf32>
  // expected-remark@+1 {{classes [2, 1]}}
  %1 = fuser.broadcast %y dims [0] {domains = [#fuser.domain<logical = [b0, i1], merge(b0, i1) -> i2, loop = [i2]>]}
      : tensor<?xf32> -> tensor<1x?xf32>
  // expected-remark@+1 {{classes [0, 1]; operand 0 shares 2 of 2 loops; operand 1 shares 0 of 1 loops}}
  %2 = fuser.add %0, %1 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
      loop = [i3, i4]>]} : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// A reshape states a product. Two reshapes of the same dimensions make the same parts, and a merge of the parts is the
// dimension again.
fuser.fusion @split_and_merge(%x: tensor<?x4096xf32>, %y: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  // expected-remark@+1 {{classes [0, 1, 2, 3]; 1 = 2 x 3}}
  %0 = fuser.reshape %x : tensor<?x4096xf32> -> tensor<?x32x128xf32>
  // expected-remark@+1 {{classes [0, 1, 2, 3]}}
  %1 = fuser.reshape %y : tensor<?x4096xf32> -> tensor<?x32x128xf32>
  // expected-remark@+1 {{classes [0, 2, 3]; operand 0 shares 3 of 3 loops; operand 1 shares 3 of 3 loops}}
  %2 = fuser.add %0, %1 : tensor<?x32x128xf32>
  // expected-remark@+1 {{classes [0, 2, 3, 1]; operand 0 shares 1 of 3 loops}}
  %3 = fuser.reshape %2 : tensor<?x32x128xf32> -> tensor<?x4096xf32>
  fuser.return %3 : tensor<?x4096xf32>
}
