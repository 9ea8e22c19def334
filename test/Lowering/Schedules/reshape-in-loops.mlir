// RUN: fuser-run %s --device=host --check --sizes=12x10 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x100 | FileCheck %s
// A reshape in the loops of what it reshapes.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 32) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, logical = [i2], split(i2, 32) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x], allocation = [i2]>
#o = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>
fuser.fusion @u(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.reshape %0 {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.neg %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
