// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules | FileCheck %s
// The fallback takes one op that nobody else takes.

// A contraction: each operand lacks a dimension.
// CHECK-LABEL: fuser.kernel @accepts_matmul
// CHECK-SAME: schedule = #fuser_sched.single_op<>
// expected-remark @below {{'pointwise' does not schedule this kernel [has-reduction]}}
// expected-remark @below {{'inner_persistent' does not schedule this kernel [unsupported-op]: expected reductions of operands that have every dimension, but operand 0 of 'fuser.matmul' lacks one}}
// expected-remark @below {{'reduction' does not schedule this kernel [unsupported-op]}}
// expected-remark @below {{'inner_outer'}}
// expected-remark @below {{'transpose' does not schedule this kernel [has-reduction]}}
fuser.kernel @accepts_matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @below {{here: fuser.matmul}}
  %0 = fuser.matmul %x, %y : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
