// RUN: fuser-run %s --device=host --check --sizes=3x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x64 | FileCheck %s
// The lanes of a vector are a more significant part of a row than the loop around them: elements of a run are apart in the vector.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i3, 2) -> (i4, i5), split(i2, 16) -> (i6, i7), loop = [i0 @block_x, i6, i7 @thread_x, i5 @unroll, i4 @vectorize]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 5 : i64} : tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 1 {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.neg %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
