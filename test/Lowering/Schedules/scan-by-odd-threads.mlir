// RUN: fuser-run %s --device=host --check --sizes=1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// Five threads in x and three in y share the row; y is the more significant. The splits leave elements that do not exist between
// those that do, and the innermost loop is serial.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), split(i2, 7) -> (i3, i4), split(i4, 2) -> (i5, i6), split(i3, 5) -> (i7, i8),
                   split(i7, 3) -> (i9, i10), loop = [i1, i9, i10 @thread_y, i8 @thread_x, i5, i6]>
fuser.fusion @row(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = fuser.set %x {domains = [#d], inline_at = 6 : i64} : tensor<?xf64>
  %1 = fuser.cumsum %0 dim 0 {domains = [#d], inline_at = 1 : i64} : tensor<?xf64> -> tensor<?xf64>
  %2 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf64>
  fuser.return %2 : tensor<?xf64>
}
