// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x100 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A value in global memory that other threads of the same block read: they wait for the block only.

// CHECK: check {{.*}} ok
// IR-NOT: cooperative
// IR: scf.for
// IR: gpu.barrier
// IR: scf.for
// IR-NOT: gpu.barrier
#w = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#o = #fuser.domain<logical = [i0, i1], split(i1, outer 32) -> (i2, i3), loop = [i0 @block_x, i3, i2 @thread_x], allocation = [i0, i1]>
fuser.fusion @g(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
