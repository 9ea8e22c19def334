// RUN: fuser-run %s --device=host --check | FileCheck %s

// A dimension of size 1 that shares the loop of a repeat has the repeat's factor as its extent, also behind an op that
// reads its operand at offset 0: there it was 1, so that %0 was computed for the first third of the columns only.
// CHECK: check output 0: ok, 27 elements
fuser.fusion @f(%x: tensor<3x3xf32>) -> tensor<3x9xf32> {
  %0 = fuser.abs %x {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i1) -> i3, split(i3, 96) -> (i4, i5), split(i5, 4) -> (i6, i7), loop = [i0, i4, i6, i7]>], inline_at = 4 : i64} : tensor<3x3xf32>
  %1 = fuser.insert_slice %0 into %x [0, 0] {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i1) -> i3, split(i3, 96) -> (i4, i5), split(i5, 4) -> (i6, i7), loop = [i0, i4, i6, i7]>], inline_at = 4 : i64} : tensor<3x3xf32> into tensor<3x3xf32>
  %2 = fuser.repeat %1 [1, 3] {domains = [#fuser.domain<root = [i0, e1, i2], merge(e1, i2) -> i3, split(i3, 96) -> (i4, i5), split(i5, 4) -> (i6, i7), logical = [i0, i3], loop = [i0, i4, i6, i7]>]} : tensor<3x3xf32> -> tensor<3x9xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 96) -> (i2, i3), split(i3, 4) -> (i4, i5), loop = [i0, i2, i4, i5]>], memory = #fuser.memory<global>} : tensor<3x9xf32>
  fuser.return %3 : tensor<3x9xf32>
}
