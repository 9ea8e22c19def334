// RUN: fuser-run %s --device=host --check --sizes=5x7x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x33x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x3x2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0x4 | FileCheck %s
// Two dimensions with another between them are merged and reduced together.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [r0, i1, r2], merge(r0, r2) -> r3, split(r3, 32) -> (r4, r5), loop = [i1 @block_x, r4, r5 @thread_x], allocation = [i1]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @u(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [0, 2] {domains = [#d], inline_at = 1 : i64} : tensor<?x?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
