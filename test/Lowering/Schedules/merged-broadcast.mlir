// RUN: fuser-run %s --device=host --check --sizes=10x12,12 | FileCheck %s
// A bias is broadcast inside of merged loops: the broadcast id stands for the rows of its consumer.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 32) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x], allocation = [i0, i1]>
#b = #fuser.domain<logical = [b0, i1], merge(b0, i1) -> i2, split(i2, 32) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x], allocation = [b0, i1]>
#c = #fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 32) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x], allocation = [i0]>
fuser.fusion @bias(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %w {domains = [#c], inline_at = 2 : i64} : tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.add %x, %1 {domains = [#d], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
