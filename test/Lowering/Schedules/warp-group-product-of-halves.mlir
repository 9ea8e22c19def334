// RUN: fuser-run %s --device=host --check --sizes=64x16,32x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=70x40,40x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8,8x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8,8x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir=target=sm_90a | FileCheck %s --check-prefix=IR
// RUN: not fuser-opt %s --fuser-to-kernel-ir=target=sm_80 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not fuser-opt %s --fuser-to-kernel-ir=target=sm_100a 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'fuser_loop.tile' op expected a target with products of warp groups (sm_90a) for loops on mma of 16 x 32 x 16 (16 x 8 x 16 is an instruction of a warp)
// A warp group has 64 x 32 results of a block, of f16. Both operands lie along the sum, in rows of 32 bytes: 16 steps. Without stages, products
// are waited for where they are begun.
// CHECK: check {{.*}} ok
// IR: fuser_gpu.fence_async
// IR: gpu.barrier
// IR: fuser_gpu.wgmma_fence
// IR: fuser_gpu.wgmma %{{.*}} rows <32, transposed = false, pitch = 0>, %{{.*}} rows <32, transposed = false, pitch = 0>, %{{.*}} : memref<1024xf16, {{.*}}>, memref<512xf16, {{.*}}>, vector<16xf32>
// IR: fuser_gpu.wgmma_commit
// IR: fuser_gpu.wgmma_wait 0 of
// IR: gpu.barrier
#a = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 16) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), swizzle(i3, i7, 4) -> (i9, i10), merge(i3, i7) -> i11, split(i11, 32) -> (i12, i13), loop = [i2 @block_y, b6 @block_x, i4, i12 @thread_y, i13 @thread_x, i8 @vectorize], allocation = [i2, i4, i9, i10, i8]>
#b = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), split(i1, 16) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), swizzle(i3, i7, 4) -> (i9, i10), merge(i3, i7) -> i11, split(i11, 32) -> (i12, i13), loop = [b6 @block_y, i2 @block_x, i4, i12 @thread_y, i13 @thread_x, i8 @vectorize], allocation = [i2, i4, i9, i10, i8]>
#p = #fuser.domain<logical = [i0, i1, r2], split(i0, 64) -> (i3, i4), split(i1, 32) -> (i5, i6), split(r2, 16) -> (r7, r8), split(i4, 16) -> (i9, i10), loop = [i3 @block_y, i5 @block_x, r7, i9 @thread_y, i10 @mma, i6 @mma, r8 @mma]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i3, 16) -> (i6, i7), split(i7, 8) -> (i8, i9), split(i5, 8) -> (i10, i11), split(i11, 2) -> (i12, i13), merge(i9, i12) -> i14, loop = [i2 @block_y, i4 @block_x, i6 @thread_y, i8 @unroll, i10 @unroll, i14 @thread_x, i13 @vectorize]>
fuser.fusion @product(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<divisible 1[0], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %a {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xf16>
  %1 = fuser.set %b {domains = [#b], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xf16>
  %2 = fuser.linear %0, %1 {domains = [#p], inline_at = 2 : i64} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
