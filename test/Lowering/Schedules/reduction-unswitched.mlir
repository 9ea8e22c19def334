// RUN: fuser-run %s --device=host --check --sizes=5x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x2049 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A reduction in an unswitched loop: the remainder is added with predicates.

// CHECK: check {{.*}} ok
// IR: } else {
#x = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i2, 4) -> (i4, i5), loop = [i0 @block_x, i4 @unswitch, i5 @unroll, i3 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, r1], split(r1, 32) -> (r2, r3), split(r2, 4) -> (r4, r5), loop = [i0 @block_x, r4 @unswitch, r5 @unroll, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @u(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {domains = [#x], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.exp %0 {domains = [#x], inline_at = 4 : i64} : tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
