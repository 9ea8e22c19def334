// RUN: fuser-run %s --device=host --check --sizes=3x1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x0 | FileCheck %s
// Rows in tiles of two vectors per thread, three warps per row: lanes, threads, vectors of a thread and tiles are combined in this
// order. The row is used again after its scan.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 96) -> (i4, i5), split(i4, 2) -> (i6, i7),
                   loop = [i0 @block_x, i6, i7 @unroll, i5 @thread_x, i3 @vectorize]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.abs %0 {domains = [#d], inline_at = 5 : i64} : tensor<?x?xf32>
  %2 = fuser.cumsum %1 dim 1 {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.sub %2, %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
