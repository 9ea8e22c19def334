// RUN: fuser-run %s --device=host --check --sizes=6x100 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A tile in shared memory is written and read in every iteration of a loop: a barrier between write and read, and one
// before it is written again.

// CHECK: check {{.*}} ok
// IR: scf.for
// IR: gpu.barrier
// IR: gpu.barrier
// IR: }
#t = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @loop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.exp %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
