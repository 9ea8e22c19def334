// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x100 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// An output that the threads that computed it read again: nobody waits.

// CHECK: check {{.*}} ok
// IR-NOT: gpu.barrier
// IR-NOT: workspaces
#w = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @g(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
