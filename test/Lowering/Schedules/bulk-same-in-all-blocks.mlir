// RUN: fuser-run %s --device=host --check --sizes=4 | FileCheck %s
// RUN: fuser-run %s --device=host --no-run --sizes=4 --dump-after=pipelined | FileCheck %s --check-prefix=COPY
// All 64 blocks read the tile, which has no dimension of theirs: each copies it.

// CHECK: check {{.*}} ok
// COPY: = bulk %{{.*}}[0] count [4] if
module {
  fuser.fusion @f(%x0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x1xf32>, tensor<4x1xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
    %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>], fuser.copy_engine = "bulk", fuser.stages = 5 : i64, inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<4xf32>
    %1 = fuser.permute %0 [0] {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>]} : tensor<4xf32> -> tensor<4xf32>
    %2 = fuser.mul %0, %1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>]} : tensor<4xf32>
    %3 = fuser.broadcast %1 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, 16) -> (b2, b3), split(b2, 96) -> (b4, b5), split(b3, 64) -> (b6, b7), loop = [b4, b5, b6, b7 @block_x, i1], allocation = [b0, i1]>]} : tensor<4xf32> -> tensor<1x4xf32>
    %4 = fuser.broadcast %1 dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, broadcast() -> b3, broadcast() -> b4, broadcast() -> b5, broadcast() -> b6, loop = [b3, b4, b5, b6 @block_x, i2], allocation = [i0, b1]>]} : tensor<4xf32> -> tensor<4x1xf32>
    %5 = fuser.max %3 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(r0, 16) -> (r2, r3), split(r2, 96) -> (r4, r5), split(r3, 64) -> (r6, r7), loop = [r4, r5, r6, r7 @block_x, i1], allocation = [i1]>]} : tensor<1x4xf32> -> tensor<4xf32>
    %6 = fuser.mul %1, %5 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>]} : tensor<4xf32>
    %7 = fuser.sub %2, %6 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>]} : tensor<4xf32>
    %8 = fuser.broadcast %1 dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, broadcast() -> b3, broadcast() -> b4, broadcast() -> b5, broadcast() -> b6, loop = [b3, b4, b5, b6 @block_x, i2], allocation = [i0, b1]>]} : tensor<4xf32> -> tensor<4x1xf32>
    %9 = fuser.add %2, %7 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>]} : tensor<4xf32>
    %10 = fuser.set %9 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, broadcast() -> b4, loop = [b1, b2, b3, b4 @block_x, i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<4xf32>
    %11 = fuser.set %4 {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, broadcast() -> b3, broadcast() -> b4, broadcast() -> b5, broadcast() -> b6, loop = [b3, b4, b5, b6 @block_x, i2], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<4x1xf32>
    %12 = fuser.set %8 {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, broadcast() -> b3, broadcast() -> b4, broadcast() -> b5, broadcast() -> b6, loop = [b3, b4, b5, b6 @block_x, i2], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<4x1xf32>
    fuser.return %10, %11, %12 : tensor<4xf32>, tensor<4x1xf32>, tensor<4x1xf32>
  }
}