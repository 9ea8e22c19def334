// RUN: fuser-run %s --device=host --check --sizes=1003 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4095 | FileCheck %s
// Unswitched at two levels, with a remainder in each.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), split(i1, 2) -> (i3, i4), split(i3, 4) -> (i5, i6), split(i5, 1) -> (i7, i8), loop = [i7 @block_x, i8 @unswitch, i6, i4 @unswitch, i2 @thread_x], allocation = [i0]>
fuser.fusion @u(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {domains = [#d], inline_at = 3 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#d], inline_at = 5 : i64} : tensor<?xf32>
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
