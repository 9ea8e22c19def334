// RUN: fuser-run %s --device=host --check --sizes=3x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x1 | FileCheck %s
// Scans whose results are in shared memory and in a workspace, where other threads read them.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 32) -> (i4, i5), loop = [i0 @block_x, i4, i5 @thread_x, i3 @unroll]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), split(i3, 32) -> (i4, i5), loop = [i0 @block_x, i2, i4 @unroll, i5 @thread_x]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 256>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.cumprod %0 dim 1 {domains = [#d], inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.cummin %0 dim 1 {domains = [#d], inline_at = 1 : i64, memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.add %1, %2 {domains = [#e], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
