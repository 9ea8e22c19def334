// RUN: fuser-run %s --device=host --check --sizes=5,5x7,5x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1,1x1,1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=40,40x70,40x3 | FileCheck %s
// A broadcast whose two consumers have different sizes.

// CHECK: check {{.*}} ok
#b = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1], allocation = [i0, b1]>
#c = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 16) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @m(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.exp %x {domains = [#c], inline_at = 1 : i64} : tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.add %1, %y {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.mul %1, %z {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}
