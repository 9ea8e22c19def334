// %1 inserts %0 as a whole: its stand-in is %0's, which has the repeat's factor as its extent, and both share loops over
// the merge of it. At index 0 of the stand-in, %0 had in each iteration what another one reads.
// RUN: fuser-run %s --device=host --check --sizes=100 | FileCheck %s
// CHECK: output 0: ok, 300 elements
fuser.fusion @f(%arg0: tensor<100xf32>) -> tensor<300xf32> {
  %0 = fuser.abs %arg0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 16) -> (i3, i4), split(i3, 4) -> (i5, i6), loop = [i5, i6, i4], allocation = [i0]>], inline_at = 2 : i64} : tensor<100xf32>
  %1 = fuser.insert_slice %0 into %arg0 [0] {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 16) -> (i3, i4), split(i3, 4) -> (i5, i6), loop = [i5, i6, i4], allocation = [i0]>], inline_at = 2 : i64} : tensor<100xf32> into tensor<100xf32>
  %2 = fuser.mul %0, %1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 16) -> (i3, i4), split(i3, 4) -> (i5, i6), loop = [i5, i6, i4], allocation = [i0]>], inline_at = 3 : i64} : tensor<100xf32>
  %3 = fuser.repeat %2 [3] {domains = [#fuser.domain<root = [e0, i1], merge(e0, i1) -> i2, split(i2, 16) -> (i3, i4), split(i3, 4) -> (i5, i6), logical = [i2], loop = [i5, i6, i4], allocation = [i2]>]} : tensor<100xf32> -> tensor<300xf32>
  %4 = fuser.add %3, %3 {domains = [#fuser.domain<logical = [i0], split(i0, 16) -> (i1, i2), split(i1, 4) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>]} : tensor<300xf32>
  %5 = fuser.set %4 {domains = [#fuser.domain<logical = [i0], split(i0, 16) -> (i1, i2), split(i1, 4) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<300xf32>
  fuser.return %5 : tensor<300xf32>
}
