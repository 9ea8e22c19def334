// RUN: fuser-run %s --device=host --check --program=in_order --sizes=200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=parts --sizes=1 | FileCheck %s
// A value and its reader share loops because %0 is inlined into both. schedules-invalid.mlir has the same programs with loops in which
// the reader would read what has not been written.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// Earlier iterations store what later ones read again.
fuser.fusion @in_order(%x: tensor<200xf32>) -> (tensor<200xf32>, tensor<600xf32>) {
  %0 = fuser.relu %x {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 96) -> (i3, i4), loop = [i3, i4]>], inline_at = 2 : i64} : tensor<200xf32>
  %1 = fuser.repeat %0 [3] {domains = [#fuser.domain<root = [e0, i1], merge(e0, i1) -> i2, split(i2, 96) -> (i3, i4), logical = [i2], loop = [i3, i4]>], memory = #fuser.memory<global>} : tensor<200xf32> -> tensor<600xf32>
  %2 = fuser.tanh %0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 96) -> (i3, i4), loop = [i3, i4]>], memory = #fuser.memory<global>} : tensor<200xf32>
  %3 = fuser.add %0, %2 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 96) -> (i3, i4), loop = [i3, i4]>], memory = #fuser.memory<global>} : tensor<200xf32>
  fuser.return %3, %1 : tensor<200xf32>, tensor<600xf32>
}

// The reader has the same parts of one element, of which the second one does not exist either.
fuser.fusion @parts(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [b0], loop = [b0]>], inline_at = 1 : i64} : tensor<1xf32>
  %1 = fuser.abs %0 {domains = [#fuser.domain<logical = [b0], split(b0, outer 2) -> (b1, b2), loop = [b1, b2]>], memory = #fuser.memory<shared>} : tensor<1xf32>
  %2 = fuser.add %0, %1 {domains = [#fuser.domain<logical = [b0], split(b0, outer 2) -> (b1, b2), loop = [b1, b2]>], memory = #fuser.memory<global>} : tensor<1xf32>
  fuser.return %2 : tensor<1xf32>
}
