// %2 has 4 blocks for its one element and computes it redundantly on all 16, as no element decides otherwise. So does its
// producer in shared memory, which shares the loop.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// CHECK: output 0: ok, 1 elements
fuser.fusion @f(%arg0: tensor<1xf32>) -> tensor<1x1xf32> {
  %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [b0], split(b0, 16) -> (b1, b2), loop = [b2 @block_x, b1], allocation = [b0]>]} : tensor<1xf32>
  %1 = fuser.add %0, %0 {domains = [#fuser.domain<logical = [b0], loop = [b0 @block_x], allocation = [b0]>], inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<1xf32>
  %2 = fuser.reshape %1 {domains = [#fuser.domain<logical = [b0, b1], split(b0, outer 4) -> (b2, b3), loop = [b2 @block_x, b3, b1], allocation = [b0, b1]>]} : tensor<1xf32> -> tensor<1x1xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [b0, b1], loop = [b0, b1], allocation = [b0, b1]>], memory = #fuser.memory<global>} : tensor<1x1xf32>
  fuser.return %3 : tensor<1x1xf32>
}
