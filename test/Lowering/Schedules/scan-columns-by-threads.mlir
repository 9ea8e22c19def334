// RUN: fuser-run %s --device=host --check --sizes=77x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=24x12 | FileCheck %s
// Vectors of columns; four threads share a column, each with three adjacent rows of a tile.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), split(i0, 3) -> (i6, i7), split(i6, 4) -> (i8, i9),
                   loop = [i4 @block_x, i8, i9 @thread_y, i7 @unroll, i5 @thread_x, i3 @vectorize]>
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 3 : i64} : tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 0 {domains = [#d], inline_at = 3 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
