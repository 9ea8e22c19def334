// RUN: fuser-run %s --device=host --check --sizes=75x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=8x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// One thread walks along a split dimension: the tuple is carried through all of its loops, past elements that do not exist.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i0, 7) -> (i4, i5), split(i5, 4) -> (i6, i7),
                   loop = [i2 @block_x, i3 @thread_x, i4, i6 @unroll, i7 @unroll]>
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#d], inline_at = 3 : i64} : tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 0 {domains = [#d], inline_at = 5 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
