// RUN: fuser-run %s --device=host --check --check-accesses=false --sizes=8x16,5x64,9x9,7x3 | FileCheck %s
// RUN: fuser-translate %s --fuser-to-artifact-text --target=h200 | FileCheck %s --check-prefix=ENTRIES
// Kernels that differ in their names only are compiled once.

// CHECK: check {{.*}}output 0: ok
// CHECK: output 1: ok
// CHECK: output 2: ok
// CHECK: output 3: ok

// ENTRIES: equal_0: {{.*}}entry equal_0
// ENTRIES: equal_1: {{.*}}entry equal_0
// ENTRIES: equal_2: {{.*}}entry equal_2
// ENTRIES: equal_3: {{.*}}entry equal_0

fuser.fusion @equal(%w: tensor<?x?xf32>, %x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %w : tensor<?x?xf32>
  %1 = fuser.exp %x : tensor<?x?xf32>
  %2 = fuser.neg %y : tensor<?x?xf32>
  %3 = fuser.exp %z : tensor<?x?xf32>
  fuser.return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
