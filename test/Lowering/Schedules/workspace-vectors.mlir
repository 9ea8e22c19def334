// RUN: fuser-run %s --device=host --check --sizes=40x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x36 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Vectors to and from a workspace.

// CHECK: check {{.*}} ok
// IR: vector.store
// IR: gpu.barrier
// IR: vector.load
#w = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), loop = [i0 @block_x, i4, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
#v = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, outer 8) -> (i4, i5), loop = [i0 @block_x, i5, i4 @thread_x, i3 @vectorize], allocation = [i0, i1]>
fuser.fusion @g(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#v], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
