// RUN: fuser-run %s --device=host --check --sizes=6x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x256 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Two tiles of a loop that never live at the same time share space: a barrier before each is read, one before the second
// is written where the first was, and one before the next iteration.

// CHECK: 1024 bytes of dynamic shared memory
// CHECK: check {{.*}} ok
// IR: scf.for
// IR-COUNT-4: gpu.barrier
// IR-NOT: gpu.barrier
#t = #fuser.domain<logical = [i0, i1], split(i1, 256) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#u = #fuser.domain<logical = [i0, i1], split(i1, 256) -> (i2, i3), split(i3, 16) -> (i4, i5), merge(i5, i4) -> i6, loop = [i0 @block_x, i2, i6 @thread_x], allocation = [i0, i1]>
fuser.fusion @loop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.exp %0 {domains = [#u], inline_at = 2 : i64} : tensor<?x?xf32>
  %2 = fuser.neg %1 {domains = [#u], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32>
  %3 = fuser.abs %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
