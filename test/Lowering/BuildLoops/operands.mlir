// Copies that loops on mma read write zeros where there is no element; other copies to shared memory are guarded.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser.kernel(fuser-resolve-ids),fuser-build-loops)" | FileCheck %s

#a = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 16) -> (i4, i5), broadcast() -> b6, split(i5, 8) -> (i7, i8), merge(i3, i7) -> i9, loop = [i2 @block_y, b6 @block_x, i4, i9 @thread_x, i8 @vectorize]>
#b = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 8) -> (i4, i5), broadcast() -> b6, split(i5, 4) -> (i7, i8), merge(i3, i7) -> i9, loop = [b6 @block_y, i4 @block_x, i2, i9 @thread_x, i8 @vectorize]>
#p = #fuser.domain<logical = [i0, i1, r2], split(i0, 16) -> (i3, i4), split(i1, 8) -> (i5, i6), split(r2, 16) -> (r7, r8), loop = [i3 @block_y, i5 @block_x, r7, i4 @mma, i6 @mma, r8 @mma]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), split(i1, 8) -> (i4, i5), split(i3, 8) -> (i6, i7), split(i5, 2) -> (i8, i9), merge(i7, i8) -> i10, loop = [i2 @block_y, i4 @block_x, i6 @unroll, i10 @thread_x, i9 @vectorize]>
fuser.kernel @product(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<equal 0[1], 1[0]>, #fuser.fact<divisible 0[1], 8>, #fuser.fact<divisible 1[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %a {domains = [#a], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xbf16>
  %1 = fuser.set %b {domains = [#b], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xbf16>
  %2 = fuser.matmul %0, %1 {domains = [#p], inline_at = 2 : i64} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @product(
// CHECK: fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
// CHECK-NEXT: %[[A:.*]] = fuser_loop.buffer : !fuser_loop.buffer<16x8xf32, register>
// CHECK-NEXT: fuser_loop.for %[[I:.*]] to (16) on mma {
// CHECK-NEXT: fuser_loop.for %[[J:.*]] to (8) on mma {
// CHECK-NEXT: fuser_loop.tile %[[A]][%[[I]], %[[J]]] = initial fuser.matmul()
// CHECK: fuser_loop.tile %{{.*}} = %{{.*}} where ({{.*}} < symbol(%{{.*}}), {{.*}} < symbol(%{{.*}})){{$}}
// CHECK: fuser_loop.tile %{{.*}} = %{{.*}} where ({{.*}} < symbol(%{{.*}})){{$}}
// CHECK: on mma {
// CHECK: on mma {
// CHECK: fuser_loop.for %[[L:.*]] to (16) on mma {
// CHECK-NEXT: fuser_loop.tile %[[A]][{{.*}}] = accumulate fuser.matmul(%{{.*}}[{{.*}}], %{{.*}}[{{.*}}]) if (
// CHECK: fuser_loop.for %{{.*}} to (16) on mma {
// CHECK-NEXT: fuser_loop.for %{{.*}} to (8) on mma {
// CHECK-NEXT: fuser_loop.tile %{{.*}} = finalize
