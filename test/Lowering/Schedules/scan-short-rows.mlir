// RUN: fuser-run %s --device=host --check --sizes=9x30 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x67 | FileCheck %s
// Eight threads per row, four rows per block, one element per thread: the tile has no loop of a thread. Two scans, one of which
// reads the other.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 8) -> (i4, i5),
                   loop = [i2 @block_x, i3 @thread_y, i4, i5 @thread_x]>
fuser.fusion @rows(%x: tensor<?x?xi32>) -> (tensor<?x?xi64>, tensor<?x?xi32>) {
  %0 = fuser.set %x {domains = [#d], inline_at = 4 : i64} : tensor<?x?xi32>
  %1 = fuser.cummax %0 dim 1 {domains = [#d], inline_at = 4 : i64} : tensor<?x?xi32> -> tensor<?x?xi32>
  %2 = fuser.cumsum %1 dim 1 {domains = [#d], inline_at = 4 : i64} : tensor<?x?xi32> -> tensor<?x?xi64>
  %3 = fuser.set %2 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xi64>
  %4 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xi32>
  fuser.return %3, %4 : tensor<?x?xi64>, tensor<?x?xi32>
}
