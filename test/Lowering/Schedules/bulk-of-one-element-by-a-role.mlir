// RUN: fuser-run %s --device=host --check --sizes=1,1x96 | FileCheck %s
// Threads inside of the pipelined loop all have one tile: the producer copies it once.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<1xf32>, %x1: tensor<1x?xf32>) -> (tensor<?xf32>, tensor<1x?xf32>, tensor<1x?xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<aligned 4, 16>, #fuser.fact<divisible 1[1], 16>, #fuser.fact<at_most 1[1], 96>]} {
  %0 = fuser.set %x1 {domains = [#fuser.domain<logical = [b0, i1], split(b0, 32) -> (b2, b3), loop = [b2, b3 @thread_x, i1], allocation = [b0, i1]>], fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.stages = 2 : i64, inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<1x?xf32>
  %1 = fuser.mean %0 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(r0, 32) -> (r2, r3), loop = [r2, r3 @thread_x, i1], allocation = [i1]>]} : tensor<1x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2 @thread_x, i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  %3 = fuser.set %0 {domains = [#fuser.domain<logical = [b0, i1], split(b0, 32) -> (b2, b3), loop = [b2, b3 @thread_x, i1], allocation = [b0, i1]>], memory = #fuser.memory<global>} : tensor<1x?xf32>
  %4 = fuser.set %0 {domains = [#fuser.domain<logical = [b0, i1], split(b0, 32) -> (b2, b3), loop = [b2, b3 @thread_x, i1], allocation = [b0, i1]>], memory = #fuser.memory<global>} : tensor<1x?xf32>
  fuser.return %2, %3, %4 : tensor<?xf32>, tensor<1x?xf32>, tensor<1x?xf32>
}
