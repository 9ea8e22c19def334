// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// Everything is reduced by one block of three dimensions.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [r0, r1], split(r0, 4) -> (r2, r3), split(r1, 8) -> (r4, r5), split(r4, 2) -> (r6, r7), loop = [r2, r6, r3 @thread_z, r7 @thread_y, r5 @thread_x], allocation = []>
#o = #fuser.domain<logical = [], loop = [], allocation = []>
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [0, 1] {domains = [#d]} : tensor<?x?xf32> -> tensor<f32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<f32>
  fuser.return %1 : tensor<f32>
}
