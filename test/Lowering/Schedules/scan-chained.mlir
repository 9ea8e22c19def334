// RUN: fuser-run %s --device=host --check --sizes=2x20000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses=false --sizes=1x60000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x64 | FileCheck %s
// Tiles on blocks, each of which waits for those before it; 20000 elements are 313 tiles, which are two groups.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i2, 2) -> (i4, i5), loop = [i0 @block_y, i4 @block_x, i5 @unroll, i3 @thread_x]>
fuser.fusion @rows(%x: tensor<?x?xi32>) -> (tensor<?x?xi64>, tensor<?x?xi32>) {
  %0 = fuser.set %x {domains = [#d], inline_at = 2 : i64} : tensor<?x?xi32>
  %1 = fuser.cumsum %0 dim 1 {domains = [#d], inline_at = 2 : i64} : tensor<?x?xi32> -> tensor<?x?xi64>
  %2 = fuser.cummin %0 dim 1 {domains = [#d], inline_at = 2 : i64} : tensor<?x?xi32> -> tensor<?x?xi32>
  %3 = fuser.set %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xi64>
  %4 = fuser.sub %2, %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xi32>
  fuser.return %3, %4 : tensor<?x?xi64>, tensor<?x?xi32>
}
