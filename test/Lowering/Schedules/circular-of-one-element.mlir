// RUN: fuser-run %s --device=host --check --sizes=1 | FileCheck %s
// A dimension of size 1 on threads: all of them read the stage that the first one has filled.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<1xf32>) -> tensor<1xf32> {
  %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [b0], broadcast() -> b1, broadcast() -> b2, loop = [b1 @thread_x, b2, b0], allocation = [b0]>], fuser.copy_engine = "bulk", fuser.stages = 4 : i64, inline_at = 2 : i64, memory = #fuser.memory<shared>} : tensor<1xf32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, b1], split(b0, outer 64) -> (b2, b3), loop = [b2 @thread_x, b3, b1], allocation = [b0, b1]>], inline_at = 1 : i64} : tensor<1xf32> -> tensor<1x1xf32>
  %2 = fuser.sum %1 dims [0] {domains = [#fuser.domain<logical = [r0, b1], split(r0, outer 64) -> (r2, r3), loop = [r2 @thread_x, r3, b1], allocation = [b1]>]} : tensor<1x1xf32> -> tensor<1xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [b0], broadcast() -> b1, broadcast() -> b2, loop = [b1 @thread_x, b2, b0], allocation = [b0]>], memory = #fuser.memory<global>} : tensor<1xf32>
  fuser.return %3 : tensor<1xf32>
}
