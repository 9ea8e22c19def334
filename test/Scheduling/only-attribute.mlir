// RUN: fuser-opt %s --fuser-choose-schedules=explain=false --split-input-file --verify-diagnostics | FileCheck %s
// RUN: fuser-opt %s --fuser-choose-schedules="explain=false only=pointwise" --split-input-file | FileCheck %s --check-prefix=OPTION
// Segmentation names the scheduler whose schedule can be lowered; the option of the pass takes precedence.

// CHECK: schedule = #fuser_sched.single_op
// OPTION: schedule = #fuser_sched.pointwise
fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.only = "single_op"} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected 'fuser_sched.only' to be one of 'transpose', 'accumulation', 'pointwise', 'inner_persistent', 'reduction', 'inner_outer', 'outer_persistent', 'streaming', 'scan', 'single_op', but got 'pointwize'}}
fuser.kernel @unknown(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuser_sched.only = "pointwize"} {
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
