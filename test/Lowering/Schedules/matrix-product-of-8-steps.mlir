// RUN: fuser-run %s --device=host --check --sizes=16x16,16x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=50x40,40x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8,8x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8,8x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A warp has 16 x 8 results of a block, and 8 steps of the sum at once. Of the left operand, rows lie along the sum. What does
// not exist of a tile is zeros.

// CHECK: check {{.*}} ok
// IR: gpu.barrier
// IR: fuser_gpu.ldmatrix %{{.*}}[%{{.*}}] : {{.*}} -> vector<4xbf16>
// IR: fuser_gpu.ldmatrix transposed %{{.*}}[%{{.*}}] : {{.*}} -> vector<2xbf16>
// IR: fuser_gpu.mma %{{.*}}, %{{.*}}, %{{.*}} : vector<4xbf16>, vector<2xbf16>, vector<4xf32>
// IR: gpu.barrier
#a = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 8) -> (i4, i5), broadcast() -> b6, split(i5, 4) -> (i7, i8), merge(i3, i7) -> i9, loop = [i2 @block_y, b6 @block_x, i4, i9 @thread_x, i8 @vectorize]>
#b = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 8) -> (i4, i5), broadcast() -> b6, split(i5, 2) -> (i7, i8), merge(i3, i7) -> i9, loop = [b6 @block_y, i4 @block_x, i2, i9 @thread_x, i8 @vectorize]>
#p = #fuser.domain<logical = [i0, i1, r2], split(i0, 16) -> (i3, i4), split(i1, 8) -> (i5, i6), split(r2, 8) -> (r7, r8), loop = [i3 @block_y, i5 @block_x, r7, i4 @mma, i6 @mma, r8 @mma]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 8) -> (i4, i5), split(i3, 8) -> (i6, i7), split(i5, 2) -> (i8, i9), merge(i7, i8) -> i10, loop = [i2 @block_y, i4 @block_x, i6 @unroll, i10 @thread_x, i9 @vectorize]>
fuser.fusion @product(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %a {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xbf16>
  %1 = fuser.set %b {domains = [#b], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xbf16>
  %2 = fuser.matmul %0, %1 {domains = [#p], inline_at = 2 : i64} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
