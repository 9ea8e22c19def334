// RUN: fuser-run %s --device=host --check --sizes=8x8x8 | FileCheck %s
// RUN: fuser-run %s --device=host --no-run --sizes=8x8x8 --dump-after=guarded | FileCheck %s --check-prefix=GUARD
// A loop of three threads in a block of eight, around an unswitched one: the other threads do not store the elements of others.

// CHECK: check {{.*}} ok
// GUARD: fuser_loop.for %[[ROW:.*]] to (3)
// GUARD: fuser_loop.for %[[THREAD:.*]] to (3) on thread_x
// GUARD-NEXT: fuser_loop.if (%[[ROW]] * 3 + %[[THREAD]] < 8, %[[THREAD]] < 3)
// GUARD-NEXT: fuser_loop.for %{{.*}} to (8) on unroll
module {
  fuser.fusion @f(%x0: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
    %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0, i1, i2], split(i0, 3) -> (i3, i4), loop = [i3, i4 @thread_x, i1 @unswitch, i2], allocation = [i0, i1, i2]>], memory = #fuser.memory<global>} : tensor<8x8x8xf32>
    %1 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0, i1, i2], loop = [i0 @thread_x, i1, i2], allocation = [i0, i1, i2]>], memory = #fuser.memory<global>} : tensor<8x8x8xf32>
    fuser.return %0, %1 : tensor<8x8x8xf32>, tensor<8x8x8xf32>
  }
}