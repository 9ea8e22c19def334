// RUN: fuser-run %s --device=host --check --sizes=5000x12 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x4 | FileCheck %s
// Chained tiles of columns: each thread in x has tuples of its own, which are vectors, and those in y share a column.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 2) -> (i2, i3), split(i2, 4) -> (i4, i5), split(i0, 2) -> (i6, i7), split(i6, 8) -> (i8, i9),
                   loop = [i4 @block_y, i8 @block_x, i9 @thread_y, i7 @unroll, i5 @thread_x, i3 @vectorize]>
fuser.fusion @columns(%x: tensor<?x?xi64>) -> tensor<?x?xi64>
    attributes {facts = [#fuser.fact<divisible 0[1], 2>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 3 : i64} : tensor<?x?xi64>
  %1 = fuser.cumsum %0 dim 0 {domains = [#d], inline_at = 3 : i64} : tensor<?x?xi64> -> tensor<?x?xi64>
  %2 = fuser.cummax %1 dim 0 {domains = [#d], inline_at = 3 : i64} : tensor<?x?xi64> -> tensor<?x?xi64>
  %3 = fuser.set %2 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xi64>
  fuser.return %3 : tensor<?x?xi64>
}
