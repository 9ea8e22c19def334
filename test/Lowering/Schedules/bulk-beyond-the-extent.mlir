// RUN: fuser-run %s --device=host --check --sizes=4x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x36 | FileCheck %s
// Iterations of a split beyond the extent: their pieces have no bytes, by bounds below 0.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<4x?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<divisible 0[1], 4>, #fuser.fact<at_most 0[1], 102>]} {
  %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 4) -> (i4, i5), split(i5, outer 96) -> (i6, i7), loop = [i0, i4, i6, i7, i3 @vectorize], allocation = [i0, i1]>], fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.stages = 4 : i64, inline_at = 3 : i64, memory = #fuser.memory<shared>} : tensor<4x?xf32>
  %1 = fuser.add %0, %0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 4) -> (i4, i5), split(i5, outer 96) -> (i6, i7), loop = [i0, i4, i6, i7, i3 @vectorize], allocation = [i0, i1]>]} : tensor<4x?xf32>
  %2 = fuser.max %1 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), split(i2, 4) -> (i4, i5), split(i5, outer 96) -> (i6, i7), loop = [r0, i4, i6, i7, i3 @vectorize], allocation = [i1]>]} : tensor<4x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i4, outer 96) -> (i5, i6), broadcast() -> b7, loop = [b7, i3, i5, i6, i2 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  %4 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i4, outer 96) -> (i5, i6), broadcast() -> b7, loop = [b7, i3, i5, i6, i2 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  %5 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i4, outer 96) -> (i5, i6), broadcast() -> b7, loop = [b7, i3, i5, i6, i2 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3, %4, %5 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
