// RUN: fuser-run %s --device=host --check --sizes=4x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x100 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Blocks run over a reduced dimension without elements: the sum of nothing is stored all the same.

// CHECK: check {{.*}} ok
// IR: floordiv
#d = #fuser.domain<logical = [i0, r1], split(r1, 32) -> (r2, r3), loop = [i0 @block_x, r2 @block_y, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
