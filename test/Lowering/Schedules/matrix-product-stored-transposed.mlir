// RUN: fuser-run %s --device=host --check --sizes=16x16,16x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=50x40,40x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8,8x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// The results lie in shared memory by columns, so that stores of matrices transpose them.

// CHECK: check {{.*}} ok
// IR-COUNT-4: fuser_gpu.mma
// IR-COUNT-2: fuser_gpu.stmatrix transposed %{{.*}}, %{{.*}}[%{{.*}}] : vector<8xf16>
// IR-NOT: fuser_gpu.stmatrix
#a = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 16) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), merge(i3, i7) -> i9, loop = [i2 @block_y, b6 @block_x, i4, i9 @thread_x, i8 @vectorize]>
#b = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 32) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), merge(i3, i7) -> i9, split(i9, 32) -> (i10, i11), loop = [b6 @block_y, i4 @block_x, i2, i10 @unroll, i11 @thread_x, i8 @vectorize], allocation = [i4, i2, i3, i5]>
#p = #fuser.domain<logical = [i0, i1, r2], split(i0, 16) -> (i3, i4), split(i1, 32) -> (i5, i6), split(r2, 16) -> (r7, r8), split(i6, 8) -> (i9, i10), loop = [i3 @block_y, i5 @block_x, r7, i9 @unroll, i4 @mma, i10 @mma, r8 @mma]>
#c = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 8) -> (i6, i7), split(i3, 8) -> (i8, i9), split(i7, 2) -> (i10, i11), merge(i9, i10) -> i12, loop = [i2 @block_y, i4 @block_x, i6 @unroll, i8 @unroll, i12 @thread_x, i11 @vectorize], allocation = [i2, i4, i5, i3]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 8) -> (i6, i7), merge(i3, i6) -> i8, split(i8, 32) -> (i9, i10), loop = [i2 @block_y, i4 @block_x, i9 @unroll, i10 @thread_x, i7 @unroll]>
fuser.fusion @product(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> tensor<?x?xf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %a {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xf16>
  %1 = fuser.set %b {domains = [#b], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xf16>
  %2 = fuser.matmul %0, %1 {domains = [#p], inline_at = 2 : i64} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
  %3 = fuser.cast %2 {domains = [#c], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32> to tensor<?x?xf16>
  %4 = fuser.set %3 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf16>
  fuser.return %4 : tensor<?x?xf16>
}
