// RUN: fuser-run %s --device=host --check --sizes=5x1,5x100 | FileCheck %s
// A dimension of size 1 is its own scan, whatever loops of its consumer it shares.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x]>
#u = #fuser.domain<logical = [i0, b1], split(b1, 32) -> (b2, b3), loop = [i0 @block_x, b2, b3 @thread_x]>
fuser.fusion @rows(%x: tensor<?x1xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 {domains = [#u], inline_at = 3 : i64} : tensor<?x1xf32> -> tensor<?x1xf32>
  %1 = fuser.mul %0, %y {domains = [#d], memory = #fuser.memory<global>} : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
