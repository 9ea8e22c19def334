// RUN: fuser-opt %s --transform-interpreter --split-input-file | FileCheck %s
// A scheduler's parameters rely on facts, which the kernel states after the choice, next to those that it had.

// CHECK-LABEL: fuser.kernel @k
// CHECK-SAME: facts = [#fuser.fact<at_least 0[0], 2>, #fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>,
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_least 0[0], 2>]} {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @k in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.choose %kernel with "pointwise" {sizes = "64,1024"} : !transform.any_op
    transform.yield
  }
}
