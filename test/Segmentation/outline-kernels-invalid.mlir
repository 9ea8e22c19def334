// RUN: fuser-opt %s --fuser-outline-kernels --split-input-file --verify-diagnostics
// What outlining refuses.

// An alias cannot give an output another order than its argument has.
// expected-error @below {{expected output 0 to be stored in its required stride order [1, 0], but got an alias of argument 0, which lies in order [0, 1]}}
fuser.fusion @alias_order(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.add %x, %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
