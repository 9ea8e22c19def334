// RUN: fuser-run %s --device=host --check --sizes=40x96,40x96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x5,3x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Two arguments in one loop, of different types: one group and one wait of an iteration. Other threads copy
// the tile of the second one than read it: a barrier before its next copy.

// CHECK: check {{.*}} ok
// IR: scf.for
// IR: fuser_gpu.copy_wait 0
// IR: fuser_gpu.copy_async 1 of
// IR: gpu.barrier
// IR: fuser_gpu.copy_async 1 of
// IR: fuser_gpu.copy_commit
// IR-NOT: gpu.barrier
// IR-NOT: fuser_gpu.copy_wait
// IR: gpu.return
#a = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i0, 8) -> (i4, i5), loop = [i4 @block_x, i2, i5 @thread_y, i3 @thread_x]>
#b = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i0, 8) -> (i4, i5), loop = [i4 @block_x, i2, i3 @thread_y, i5 @thread_x]>
fuser.fusion @sum(%x: tensor<?x?xf32>, %z: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#a], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.set %z {domains = [#b], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64} : tensor<?x?xi64>
  %2 = fuser.cast %1 {domains = [#a], inline_at = 4 : i64} : tensor<?x?xi64> to tensor<?x?xf32>
  %3 = fuser.add %0, %2 {domains = [#a], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
