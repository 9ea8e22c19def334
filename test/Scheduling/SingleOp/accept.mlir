// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="only=single_op" | FileCheck %s
// The fallback takes one op that nobody else takes.

// A contraction: each operand lacks a dimension.
// CHECK-LABEL: fuser.kernel @accepts_matmul
// CHECK-SAME: schedule = #fuser_sched.single_op<>
fuser.kernel @accepts_matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.matmul %x, %y : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
