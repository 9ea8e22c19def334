// RUN: fuser-run %s --device=host --check --sizes=77x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x12 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Vectors of column sums are stored to shared memory and read one by one by other threads.

// CHECK: check {{.*}} ok
// IR: vector.store {{.*}}workgroup
// IR: gpu.barrier
#d = #fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), split(r0, 8) -> (r6, r7),
     loop = [i4 @block_x, r6, r7 @thread_y, i5 @thread_x, i3 @vectorize], allocation = [i1]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 8) -> (i3, i4), loop = [i3 @block_x, i4 @thread_y, i2 @thread_x], allocation = [i0]>
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?xf32>
    attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.sum %x dims [0] {domains = [#d], inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
