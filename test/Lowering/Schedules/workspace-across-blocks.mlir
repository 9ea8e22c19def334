// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A value in global memory that is no output: computed by one block for each row, read by columns in every block.

// CHECK: check {{.*}} ok
// IR: workspaces =
// IR-SAME: cooperative = true
// IR: scf.for
// IR: fuser_gpu.grid_sync
// IR: scf.for
#w = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#o = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), loop = [i2, i1, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @g(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#o], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
