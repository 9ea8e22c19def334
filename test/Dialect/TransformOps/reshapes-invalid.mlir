// RUN: fuser-opt %s --split-input-file --verify-diagnostics --transform-interpreter
// Loops that cross a reshape in a direction in which they cannot be replayed: a whole of two dynamic parts cannot be split.

// From the parts to the whole.
fuser.kernel @parts_to_whole(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  // expected-note @below {{when applied to this op}}
  // expected-note @below {{loops cannot be replayed through this op in this direction}}
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %y = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    // expected-error @below {{'fuser.reshape' op expected every dimension to be one of the reference 'fuser.exp', but dimension 0 is not}}
    transform.fuser.propagate %y : !transform.any_op
    transform.yield
  }
}
