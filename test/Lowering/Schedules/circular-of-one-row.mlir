// RUN: fuser-run %s --device=host --check --sizes=100,100,100 | FileCheck %s
// Threads along a dimension of size 1 read the stage of the first one, once it is filled.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<100xf32>, %x1: tensor<100xf32>, %x2: tensor<100xf32>) -> tensor<100xf32> {
  %0 = fuser.set %x1 {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), broadcast() -> b3, broadcast() -> b4, loop = [b3, b4 @thread_x, i1, i2], allocation = [i0]>], fuser.stages = 5 : i64, inline_at = 4 : i64, memory = #fuser.memory<shared>} : tensor<100xf32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(i1, 96) -> (i2, i3), split(b0, 96) -> (b4, b5), loop = [b4, b5 @thread_x, i2, i3], allocation = [b0, i1]>], inline_at = 2 : i64} : tensor<100xf32> -> tensor<1x100xf32>
  %2 = fuser.sum %1 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(i1, 96) -> (i2, i3), split(r0, 96) -> (r4, r5), loop = [r4, r5 @thread_x, i2, i3], allocation = [i1]>]} : tensor<1x100xf32> -> tensor<100xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), broadcast() -> b3, broadcast() -> b4, loop = [b3, b4 @thread_x, i1, i2], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<100xf32>
  fuser.return %3 : tensor<100xf32>
}
