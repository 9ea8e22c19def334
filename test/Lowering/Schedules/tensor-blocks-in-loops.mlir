// RUN: fuser-run %s --device=host --check --sizes=3,3 | FileCheck %s
// RUN: fuser-run %s --device=host --no-run --sizes=3,3 --dump-after=reduced | fuser-opt --fuser-pipeline-loops 2>&1 | FileCheck %s --check-prefix=REMARK
// Blocks are a loop inside of the iterations, whose index a box would begin at: threads copy.

// CHECK: check {{.*}} ok
// REMARK: expected boxes in loops on blocks around the iterations
module {
  fuser.fusion @f(%x0: tensor<3xf32>, %x1: tensor<3xf32>) -> tensor<1x3xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
    %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 96) -> (i1, i2), split(i2, outer 4) -> (i3, i4), split(i4, 64) -> (i5, i6), broadcast() -> b7, broadcast() -> b8, loop = [b7, b8, i1, i3 @block_z, i5, i6], allocation = [i0]>], fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.stages = 5 : i64, inline_at = 3 : i64, memory = #fuser.memory<shared>} : tensor<3xf32>
    %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(i1, outer 96) -> (i2, i3), split(b0, 5) -> (b4, b5), split(i3, outer 4) -> (i6, i7), split(i7, 64) -> (i8, i9), loop = [b4, b5, i2, i6 @block_z, i8, i9], allocation = [b0, i1]>]} : tensor<3xf32> -> tensor<1x3xf32>
    %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0, i1], split(i1, outer 96) -> (i2, i3), split(b0, 5) -> (b4, b5), split(i3, outer 4) -> (i6, i7), split(i7, 64) -> (i8, i9), loop = [b4, b5, i2, i6 @block_z, i8, i9], allocation = [b0, i1]>], memory = #fuser.memory<global>} : tensor<1x3xf32>
    fuser.return %2 : tensor<1x3xf32>
  }
}