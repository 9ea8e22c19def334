// RUN: fuser-run %s --device=host --check --sizes=1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2049 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A loop with a barrier inside is not unswitched: its threads would part.

// CHECK: check {{.*}} ok
// IR-NOT: } else {
#a = #fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i3, 2) -> (i5, i6), loop = [i5 @block_x, i6 @unswitch, i4, i2 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), split(i1, 4) -> (i3, i4), split(i3, 2) -> (i5, i6), split(i2, 8) -> (i7, i8), merge(i8, i7) -> i9, loop = [i5 @block_x, i6 @unswitch, i4, i9 @thread_x], allocation = [i0]>
fuser.fusion @u(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?xf32>
  %1 = fuser.exp %0 {domains = [#b], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
