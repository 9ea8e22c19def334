// RUN: fuser-run %s --device=host --check --check-accesses=false --sizes=8x16 | FileCheck %s
// RUN: fuser-translate %s --fuser-to-artifact-text --target=sm_80 | FileCheck %s --check-prefix=ENTRIES
// Kernels that differ in their names only are compiled once. Each reads the result of the one before it, so that their
// launches are not merged. (From sm_90 on, all but the first one wait for the launches before them.)

// CHECK: check {{.*}}output 0: ok
// CHECK: output 1: ok
// CHECK: output 2: ok
// CHECK: output 3: ok

// ENTRIES: equal_0: {{.*}}entry equal_0
// ENTRIES: equal_1: {{.*}}entry equal_0
// ENTRIES: equal_2: {{.*}}entry equal_2

fuser.fusion @equal(%w: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.tanh %w : tensor<?x?xf32>
  %x = fuser.segment_set %0 : tensor<?x?xf32>
  %1 = fuser.tanh %x : tensor<?x?xf32>
  %y = fuser.segment_set %1 : tensor<?x?xf32>
  %2 = fuser.neg %y : tensor<?x?xf32>
  %z = fuser.segment_set %2 : tensor<?x?xf32>
  %3 = fuser.tanh %z : tensor<?x?xf32>
  fuser.return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
