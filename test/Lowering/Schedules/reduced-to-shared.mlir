// RUN: fuser-run %s --device=host --check --sizes=5x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Results of a reduction in shared memory, read by other threads than those that have them.

// CHECK: check {{.*}} ok
// IR: memref.store {{.*}}workgroup
// IR: gpu.barrier
// IR: memref.load {{.*}}workgroup
#d = #fuser.domain<logical = [i0, r1], split(r1, 32) -> (r2, r3), split(i0, 4) -> (i4, i5), loop = [i4 @block_x, i5 @thread_y, r2, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.neg %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
