// RUN: fuser-run %s --device=host --check --sizes=37x53 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// Two dimensions are merged, split three ways by factors that do not divide, and merged again in another order.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 5) -> (i3, i4), split(i3, outer 7) -> (i5, i6),
     split(i6, 4) -> (i7, i8), merge(i5, i8) -> i9, loop = [i7 @block_x, i9 @thread_x, i4 @unroll], allocation = [i0, i1]>
fuser.fusion @three_way(%x: tensor<?x?xf32>, %s: f32) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#d], inline_at = 3 : i64} : tensor<?x?xf32>
  %1 = fuser.mul %0, %s {domains = [#d], inline_at = 3 : i64} : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
