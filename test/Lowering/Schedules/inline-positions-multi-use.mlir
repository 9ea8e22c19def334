// RUN: fuser-run %s --device=host --check --sizes=300 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=77 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4096 | FileCheck %s
// Values that are used more than once, inlined at several depths.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i3, 2) -> (i5, i6), loop = [i5 @block_x, i6, i4 @unroll, i2 @thread_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.set %x {domains = [#d], inline_at = 1 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#d], inline_at = 4 : i64} : tensor<?xf32>
  %2 = fuser.add %1, %0 {domains = [#d], inline_at = 2 : i64} : tensor<?xf32>
  %3 = fuser.mul %2, %0 {domains = [#d], inline_at = 3 : i64} : tensor<?xf32>
  %4 = fuser.sub %3, %2 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  %5 = fuser.add %3, %2 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %4, %5 : tensor<?xf32>, tensor<?xf32>
}
