// RUN: fuser-run %s --device=host --check --sizes=1003 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Full tiles run without predicates; the remainder runs with them.

// CHECK: check {{.*}} ok
// IR: scf.if
// IR-NOT: scf.if
// IR: } else {
// IR: scf.if
#d = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i3, 1) -> (i5, i6),
     loop = [i5 @block_x, i6 @unswitch, i4 @unroll, i2 @thread_x], allocation = [i0]>
fuser.fusion @unswitch(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {domains = [#d], inline_at = 2 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#d], inline_at = 4 : i64} : tensor<?xf32>
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
