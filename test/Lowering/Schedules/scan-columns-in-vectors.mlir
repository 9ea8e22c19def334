// RUN: fuser-run %s --device=host --check --sizes=77x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x64 | FileCheck %s
// A scan along rows carries a vector for each of the unrolled parts of columns inside of its loop. What it reads is computed
// in that loop, what reads it as well.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i3, 4) -> (i4, i5), loop = [i2 @block_x, i0, i4 @unroll, i5 @vectorize]>
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.neg %x {domains = [#d], inline_at = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 0 {domains = [#d], inline_at = 3 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.tanh %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
