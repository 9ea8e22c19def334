// RUN: fuser-opt %s -transform-interpreter -split-input-file -verify-diagnostics
// Loops that a transform before does not allow to change.

// An order that moves a vector outwards.
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-note @below {{when applied to this op}}
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sets = transform.fuser.match ["fuser.set"] in %module : (!transform.any_op) -> !transform.any_op
    %x, %y = transform.split_handle %sets : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.fuser.parallelize %x at 1 as vectorize : !transform.any_op
    // expected-error @below {{'fuser.set' op expected the @vectorize loop to stay innermost, but got position 0}}
    transform.fuser.reorder %x to [1, 0] : !transform.any_op
    transform.yield
  }
}

// -----

// A reduction loop that takes its iterations from a dimension that is not reduced as well.
fuser.kernel @k(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x : tensor<?x8xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.sum %0 dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.fuser.match ["fuser.sum"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.swizzle %sum at 0, 1 period 1 : !transform.any_op
    // expected-error @below {{'fuser.sum' op expected the kept loop to derive from reductions alone}}
    transform.fuser.rfactor %sum at 1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
