// RUN: fuser-run %s --device=host --check --sizes=5x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x8 | FileCheck %s
// Two threads merge the tuples of three blocks, for each of the iterations of a loop.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [r0, i1], split(r0, 2) -> (r2, r3), loop = [r2 @block_x, r3 @thread_x, i1], allocation = [i1]>
#o = #fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>
fuser.fusion @f(%x: tensor<5x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 24>]} {
  %0 = fuser.max %x dims [0] {domains = [#d]} : tensor<5x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
