// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="explain=false only=reduction" -o /dev/null
// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules="explain=false only=reduction" 2>/dev/null | FileCheck %s
// What the reduction scheduler accepts.

// Several reductions over one space, with work before and behind them.
// CHECK: schedule = #fuser_sched.reduction
fuser.kernel @accepts_two_sums(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.mul %x, %x : tensor<?x?xf32>
  %1 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.mul %2, %1 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// -----

// An output of full rank that is computed before the reduction.
// CHECK: schedule = #fuser_sched.reduction
fuser.kernel @accepts_full_output(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// Does not accept a second pass over what was reduced.
// expected-error @below {{expected a kernel that 'reduction' accepts, but it refuses}}
fuser.kernel @refuses_second_pass(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// -----

// An output that is not computed behind the reduction may share loops with what is reduced: that must not be empty.
// CHECK-LABEL: fuser.kernel @accepts_output_beside
// CHECK-SAME: #fuser.fact<at_least 0[0], 1>
// CHECK-SAME: schedule = #fuser_sched.reduction
fuser.kernel @accepts_output_beside(%x: tensor<?xf32>, %y: tensor<1xf32>) -> (tensor<f32>, tensor<1xf32>) {
  %0 = fuser.sub %x, %y : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %1 = fuser.exp %y : tensor<1xf32>
  %2 = fuser.mean %0 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %2, %1 : tensor<f32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: fuser.kernel @accepts_empty_behind
// CHECK-NOT: at_least
// CHECK-SAME: schedule = #fuser_sched.reduction
fuser.kernel @accepts_empty_behind(%x: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = fuser.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %1 = fuser.exp %0 : tensor<f32>
  fuser.return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// So does what is no output, but has one element where rows read what it reads.
// CHECK-LABEL: fuser.kernel @accepts_one_element_beside
// CHECK-SAME: #fuser.fact<at_least 0[0], 1>
// CHECK-SAME: schedule = #fuser_sched.reduction
fuser.kernel @accepts_one_element_beside(%x: tensor<?xf32>, %y: tensor<1xf32>) -> tensor<f32> {
  %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %1 = fuser.abs %y : tensor<1xf32>
  %2 = fuser.squeeze %1 dims [0] : tensor<1xf32> -> tensor<f32>
  %3 = fuser.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %4 = fuser.maximum %3, %2 : tensor<f32>
  fuser.return %4 : tensor<f32>
}

// -----

// CHECK-LABEL: fuser.kernel @accepts_empty_beside
// CHECK-NOT: at_least
// CHECK-SAME: schedule = #fuser_sched.reduction
fuser.kernel @accepts_empty_beside(%x: tensor<?xf32>, %y: tensor<1xf32>) -> tensor<f32> {
  %1 = fuser.abs %y : tensor<1xf32>
  %2 = fuser.squeeze %1 dims [0] : tensor<1xf32> -> tensor<f32>
  %3 = fuser.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %4 = fuser.maximum %3, %2 : tensor<f32>
  fuser.return %4 : tensor<f32>
}

// -----

// Does not accept an op that it cannot compute after others that it can: a scan.
// expected-error @below {{expected a kernel that 'reduction' accepts, but it refuses}}
fuser.kernel @refuses_scan_behind(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.cumsum %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?x?xf32>
}

// -----

// Nor a part of a value.
// expected-error @below {{expected a kernel that 'reduction' accepts, but it refuses}}
fuser.kernel @refuses_part_behind(%x: tensor<6x8xf32>) -> (tensor<6xf32>, tensor<6x4xf32>) {
  %0 = fuser.exp %x : tensor<6x8xf32>
  %1 = fuser.sum %0 dims [1] : tensor<6x8xf32> -> tensor<6xf32>
  %2 = fuser.slice %0 [0, 2] [6, 4] : tensor<6x8xf32> -> tensor<6x4xf32>
  fuser.return %1, %2 : tensor<6xf32>, tensor<6x4xf32>
}
