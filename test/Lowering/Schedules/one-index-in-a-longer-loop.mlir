// RUN: fuser-run %s --device=host --check --sizes=17 | FileCheck %s
// A loop on threads over one index in the producer and over eight in a consumer that shares it: all threads compute the
// producer's element, one stores it in shared memory, and all read it there.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @f(%arg0: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) attributes {facts = [#fuser.fact<at_most 0[0], 18>]} {
  %0 = fuser.broadcast %arg0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, 8) -> (b2, b3), loop = [b2, b3 @thread_x, i1], allocation = [b0, i1]>]} : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.max %0 dims [1] {domains = [#fuser.domain<logical = [b0, r1], split(b0, 8) -> (b2, b3), loop = [b2, b3 @thread_x, r1], allocation = [b0]>], inline_at = 2 : i64, memory = #fuser.memory<shared>} : tensor<1x?xf32> -> tensor<1xf32>
  %2 = fuser.sub %1, %arg0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2 @thread_x, i0], allocation = [i0]>], memory = #fuser.memory<shared>} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = fuser.sum %1 dims [0] {domains = [#fuser.domain<logical = [r0], split(r0, 8) -> (r1, r2), loop = [r1, r2 @thread_x], allocation = []>]} : tensor<1xf32> -> tensor<f32>
  %4 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2 @thread_x, i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  %5 = fuser.set %3 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  fuser.return %4, %5 : tensor<?xf32>, tensor<f32>
}
