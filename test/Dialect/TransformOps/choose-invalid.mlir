// RUN: fuser-opt %s --transform-interpreter --verify-diagnostics
// A kernel whose sizes contradict each other has no schedule.

fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<8xf32>, %z: tensor<16xf32>) -> tensor<?xf32> {
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<8xf32>) -> tensor<?xf32>
  // expected-note @below {{when applied to this op}}
  %1 = fuser.add %x, %z : (tensor<?xf32>, tensor<16xf32>) -> tensor<?xf32>
  %2 = fuser.add %0, %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'fuser.add' op expected equal extents of dimensions that it maps to one, but got 16 and 8}}
    transform.fuser.choose %kernel with "pointwise" : !transform.any_op
    transform.yield
  }
}
