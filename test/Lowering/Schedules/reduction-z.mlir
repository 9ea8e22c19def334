// RUN: fuser-run %s --device=host --check --sizes=5x77 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x1000 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Threads along z reduce, six of them; those along x have rows of their own.

// CHECK: check {{.*}} ok
// IR-NOT: fuser_gpu.shuffle
// IR: gpu.barrier
#d = #fuser.domain<logical = [i0, r1], split(r1, 6) -> (r2, r3), split(i0, 5) -> (i6, i7), loop = [i6 @block_x, i7 @thread_x, r2, r3 @thread_z], allocation = [i0]>
#o = #fuser.domain<logical = [i0], split(i0, 5) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.max %x dims [1] {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
