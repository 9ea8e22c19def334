// RUN: fuser-run %s --device=host --check --program=shared_operand --sizes=1,6x6x6,1x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=merged --sizes=48 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=workspace --sizes=4x4,4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=first_lane | FileCheck %s
// Size-1 dimensions in loops that a consumer gives more iterations: an operand is read at its one element, an
// output and a value in a workspace are written once.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @shared_operand(%arg0: tensor<1xf32>, %arg1: tensor<?x?x?xf32>, %arg2: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %0 = fuser.neg %arg2 {domains = [#fuser.domain<logical = [b0, b1, b2], loop = [b0, b1, b2], allocation = [b0, b1, b2]>], memory = #fuser.memory<shared>} : tensor<1x1x1xf32>
  %1 = fuser.mul %0, %arg2 {domains = [#fuser.domain<logical = [b0, b1, b2], loop = [b0, b1, b2], allocation = [b0, b1, b2]>], inline_at = 3 : i64} : tensor<1x1x1xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0, b1, b2], split(b1, outer 8) -> (b3, b4), loop = [b0, b3, b4, b2], allocation = [b0, b1, b2]>], memory = #fuser.memory<global>} : tensor<1x1x1xf32>
  fuser.return %2 : tensor<1x1x1xf32>
}

fuser.fusion @merged(%arg0: tensor<48xf32>) -> tensor<1xf32> {
  %0 = fuser.sum %arg0 dims [0] {domains = [#fuser.domain<logical = [r0], loop = [r0], allocation = []>]} : tensor<48xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>], memory = #fuser.memory<shared>} : tensor<f32> -> tensor<1xf32>
  %2 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>]} : tensor<f32> -> tensor<1xf32>
  %3 = fuser.mul %1, %2 {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>], inline_at = 1 : i64} : tensor<1xf32>
  %4 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>]} : tensor<f32> -> tensor<1xf32>
  %5 = fuser.maximum %4, %3 {domains = [#fuser.domain<logical = [b0], split(b0, 2) -> (b1, b2), merge(b1, b2) -> b3, loop = [b3], allocation = [b0]>]} : tensor<1xf32>
  %6 = fuser.set %5 {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>], memory = #fuser.memory<global>} : tensor<1xf32>
  fuser.return %6 : tensor<1xf32>
}

fuser.fusion @workspace(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x1x4xf32>) {
  %0 = fuser.permute %arg0 [1, 0] {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, loop = [i0 @thread_x, b2, i1], allocation = [i0, i1]>]} : tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = fuser.broadcast %arg1 dims [1] {domains = [#fuser.domain<logical = [i0, b1], broadcast() -> b2, loop = [b1 @thread_x, b2, i0], allocation = [i0, b1]>], inline_at = 3 : i64, memory = #fuser.memory<global>} : tensor<4xf32> -> tensor<4x1xf32>
  %2 = fuser.broadcast %0 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0 @thread_x, b1, i2], allocation = [i0, b1, i2]>]} : tensor<4x4xf32> -> tensor<4x1x4xf32>
  %3 = fuser.sub %arg0, %1 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, loop = [i1 @thread_x, b2, i0], allocation = [i0, i1]>]} : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %4 = fuser.set %3 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, loop = [i1 @thread_x, b2, i0], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<4x4xf32>
  %5 = fuser.set %2 {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0 @thread_x, b1, i2], allocation = [i0, b1, i2]>], memory = #fuser.memory<global>} : tensor<4x1x4xf32>
  fuser.return %4, %5 : tensor<4x4xf32>, tensor<4x1x4xf32>
}

// The first lane of the first vector is stored.
fuser.fusion @first_lane(%x: tensor<1xf32>, %y: tensor<12xf32>) -> (tensor<12xf32>, tensor<1xf32>)
    attributes {facts = [#fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
  %0 = fuser.neg %x {memory = #fuser.memory<global>, inline_at = 2 : i64, domains = [#fuser.domain<logical = [b0], split(b0, 4) -> (b1, b2), loop = [b1, b2 @vectorize], allocation = [b0]>]} : tensor<1xf32>
  %1 = fuser.add %0, %y {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1, i2 @vectorize], allocation = [i0]>]} : (tensor<1xf32>, tensor<12xf32>) -> tensor<12xf32>
  fuser.return %1, %0 : tensor<12xf32>, tensor<1xf32>
}
