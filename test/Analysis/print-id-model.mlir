// RUN: fuser-opt %s --fuser-print-id-model --verify-diagnostics --split-input-file

// Equal transforms of mapped ids are one class, before and after the op that maps them.
fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  // expected-remark@+1 {{exact [0, 1, 2, 3, 4]; broadcast [0, 1, 2, 3, 4]; permissive [0, 1, 1, 2, 3]}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
      loop = [i3, i4]>]} : tensor<?x?xf32>
  // The size-1 dimension becomes the rows of %x in the broadcast graph, where its merge with the columns is the merge of
  // rows and columns. In the permissive graph it is the columns as well.
  // expected-remark@+1 {{exact [5, 1, 6]; broadcast [0, 1, 2]; permissive [0, 1, 1]}}
  %1 = fuser.broadcast %y dims [0] {domains = [#fuser.domain<logical = [b0, i1], merge(b0, i1) -> i2, loop = [i2]>]}
      : tensor<?xf32> -> tensor<1x?xf32>
  // expected-remark@+1 {{exact [0, 1, 2, 3, 4]; broadcast [0, 1, 2, 3, 4]; permissive [0, 1, 1, 2, 3]}}
  %2 = fuser.add %0, %1 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
      loop = [i3, i4]>]} : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
