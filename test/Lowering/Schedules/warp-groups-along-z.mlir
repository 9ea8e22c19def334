// RUN: fuser-run %s --device=host --check --sizes=256x64,64x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=300x136,136x40 | FileCheck %s
// CHECK: check {{.*}} ok
// IR: fuser_gpu.wgmma_wait 0 of %{{.*}}, %{{.*}} : vector<8xf32>, vector<8xf32>
// RUN: fuser-opt %s --fuser-to-kernel-ir=target=sm_90a | FileCheck %s --check-prefix=IR
// Two warp groups along thread_z, with 4 warps along thread_y; each adds to two results of 64 x 16.
#a = #fuser.domain<logical = [i0, i1], split(i0, 256) -> (i2, i3), split(i1, 64) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), swizzle(i3, i7, 1) -> (i9, i10), merge(i3, i7) -> i11, split(i11, 32) -> (i12, i13), split(i12, 4) -> (i14, i15), split(i14, 2) -> (i16, i17), loop = [i2 @block_y, b6 @block_x, i4, i16 @unroll, i17 @thread_z, i15 @thread_y, i13 @thread_x, i8 @vectorize], allocation = [i2, i4, i9, i10, i8]>
#b = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 16) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), swizzle(i3, i7, 4) -> (i9, i10), merge(i3, i7) -> i11, split(i11, 32) -> (i12, i13), loop = [b6 @block_y, i4 @block_x, i2, i12 @thread_y, i13 @thread_x, i8 @vectorize], allocation = [i4, i2, i9, i10, i8]>
#p = #fuser.domain<logical = [i0, i1, r2], split(i0, 256) -> (i3, i4), split(i1, 16) -> (i5, i6), split(r2, 64) -> (r7, r8), split(i4, 16) -> (i9, i10), split(i9, 4) -> (i13, i14), split(i13, 2) -> (i15, i16), split(r8, 16) -> (r11, r12), loop = [i3 @block_y, i5 @block_x, r7, i15 @thread_z, i14 @thread_y, r11 @unroll, i16 @unroll, i10 @mma, i6 @mma, r12 @mma]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 256) -> (i2, i3), split(i1, 16) -> (i4, i5), split(i3, 16) -> (i6, i7), split(i7, 8) -> (i8, i9), split(i6, 4) -> (i15, i16), split(i15, 2) -> (i17, i18), split(i5, 8) -> (i10, i11), split(i11, 2) -> (i12, i13), merge(i9, i12) -> i14, loop = [i2 @block_y, i4 @block_x, i17 @thread_z, i16 @thread_y, i18 @unroll, i8 @unroll, i10 @unroll, i14 @thread_x, i13 @vectorize]>
fuser.fusion @product(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %a {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 4 : i64} : tensor<?x?xbf16>
  %1 = fuser.set %b {domains = [#b], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 4 : i64} : tensor<?x?xbf16>
  %2 = fuser.matmul %0, %1 {domains = [#p], inline_at = 2 : i64} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
