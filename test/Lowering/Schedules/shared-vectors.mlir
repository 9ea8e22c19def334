// RUN: fuser-run %s --device=host --check --sizes=64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=12 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Vectors are written to shared memory by some threads and read by others.

// CHECK: check {{.*}} ok
// IR: vector.store {{.*}}workgroup
// IR: gpu.barrier
// IR: vector.load {{.*}}workgroup
#a = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 16) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x, i2 @vectorize], allocation = [i0]>
#b = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 16) -> (i3, i4), split(i4, 2) -> (i5, i6), merge(i6, i5) -> i7, loop = [i3 @block_x, i7 @thread_x, i2 @vectorize], allocation = [i0]>
fuser.fusion @v(%x: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#a], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#b], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
