// RUN: fuser-run %s --device=host --check --sizes=64x64,64x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=70x136,136x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x200,200x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8,8x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=8x0,0x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir=target=sm_90a | FileCheck %s --check-prefix=IR
// The products of an iteration are under way while the next one begins, so that copies begin one iteration later than without
// them: two iterations before, of four stages. The right operand lies along the columns, in rows of 32 bytes.
// CHECK: check {{.*}} ok
// IR: scf.for
// IR: fuser_gpu.copy_wait 1
// IR: fuser_gpu.fence_async
// IR: fuser_gpu.wgmma_wait 1{{$}}
// IR: gpu.barrier
// IR: fuser_gpu.copy_commit
// IR: fuser_gpu.wgmma_fence
// IR: fuser_gpu.wgmma %{{.*}} rows <128, transposed = false, pitch = 0>, %{{.*}} rows <32, transposed = true, pitch = 0>, %{{.*}} vector<8xf32>
// IR: fuser_gpu.wgmma %{{.*}} rows <128, transposed = false, pitch = 0>, %{{.*}} rows <32, transposed = true, pitch = 0>, %{{.*}} vector<8xf32>
// IR: fuser_gpu.wgmma %{{.*}} rows <128, transposed = false, pitch = 0>, %{{.*}} rows <32, transposed = true, pitch = 0>, %{{.*}} vector<8xf32>
// IR: fuser_gpu.wgmma %{{.*}} rows <128, transposed = false, pitch = 0>, %{{.*}} rows <32, transposed = true, pitch = 0>, %{{.*}} vector<8xf32>
// IR: fuser_gpu.wgmma_commit
// IR: fuser_gpu.wgmma_wait 0 of %{{.*}} : vector<8xf32>
// IR: fuser_gpu.copy_wait 0
#a = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 64) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), swizzle(i3, i7, 1) -> (i9, i10), merge(i3, i7) -> i11, split(i11, 32) -> (i12, i13), split(i12, 4) -> (i14, i15), loop = [i2 @block_y, b6 @block_x, i4, i14 @unroll, i15 @thread_y, i13 @thread_x, i8 @vectorize], allocation = [i2, i4, i9, i10, i8]>
#b = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 16) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), swizzle(i3, i7, 4) -> (i9, i10), merge(i3, i7) -> i11, split(i11, 32) -> (i12, i13), loop = [b6 @block_y, i4 @block_x, i2, i12 @thread_y, i13 @thread_x, i8 @vectorize], allocation = [i4, i2, i9, i10, i8]>
#p = #fuser.domain<logical = [i0, i1, r2], split(i0, 64) -> (i3, i4), split(i1, 16) -> (i5, i6), split(r2, 64) -> (r7, r8), split(i4, 16) -> (i9, i10), split(r8, 16) -> (r11, r12), loop = [i3 @block_y, i5 @block_x, r7, i9 @thread_y, r11 @unroll, i10 @mma, i6 @mma, r12 @mma]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 16) -> (i4, i5), split(i3, 16) -> (i6, i7), split(i7, 8) -> (i8, i9), split(i5, 8) -> (i10, i11), split(i11, 2) -> (i12, i13), merge(i9, i12) -> i14, loop = [i2 @block_y, i4 @block_x, i6 @thread_y, i8 @unroll, i10 @unroll, i14 @thread_x, i13 @vectorize]>
fuser.fusion @product(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %a {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 4 : i64} : tensor<?x?xbf16>
  %1 = fuser.set %b {domains = [#b], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 4 : i64} : tensor<?x?xbf16>
  %2 = fuser.matmul %0, %1 {domains = [#p], inline_at = 2 : i64} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
