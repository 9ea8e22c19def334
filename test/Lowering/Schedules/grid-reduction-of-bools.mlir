// RUN: fuser-run %s --device=host --check --sizes=5x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x0 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Reductions across blocks of bools and of i64, each stored by its own last block.

// CHECK: check {{.*}} ok
// IR-COUNT-2: fuser_gpu.last_block
#r = #fuser.domain<logical = [i0, r1], split(r1, 32) -> (r2, r3), split(r2, outer 3) -> (r4, r5), loop = [i0 @block_x, r4 @block_y, r5, r3 @thread_x], allocation = [i0]>
#x = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i2, outer 3) -> (i4, i5), loop = [i0 @block_x, i4 @block_y, i5, i3 @thread_x], allocation = [i0, i1]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @u(%x: tensor<?x?xi64>, %y: i64) -> (tensor<?xi1>, tensor<?xi64>) {
  %0 = fuser.gt %x, %y {domains = [#x], inline_at = 4 : i64} : (tensor<?x?xi64>, i64) -> tensor<?x?xi1>
  %1 = fuser.any %0 dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x?xi1> -> tensor<?xi1>
  %2 = fuser.sum %x dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x?xi64> -> tensor<?xi64>
  %3 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xi1>
  %4 = fuser.set %2 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xi64>
  fuser.return %3, %4 : tensor<?xi1>, tensor<?xi64>
}
