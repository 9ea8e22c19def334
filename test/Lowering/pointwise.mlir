// RUN: fuser-opt %s --fuser-lower-kernels --canonicalize --cse | FileCheck %s
// Two contiguous dimensions that are merged need no division; loads and stores are one vector; ops in a row share a predicate.

// CHECK: #[[GRID:.*]] = affine_map<()[s0, s1] -> (((s0 * s1) ceildiv 8) ceildiv 128, 1, 1)>
// CHECK: gpu.module @add attributes {fuser_gpu.index_bits = 32 : i32}
// CHECK: gpu.func @add(%[[X:.*]]: memref<bf16> {fuser_gpu.align = 16 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly}
// CHECK-SAME: fuser_gpu.launch = #fuser_gpu.launch<grid = #[[GRID]], symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>]>
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT: arith.remui
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: scf.if %[[IN]] {
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
fuser.kernel @add(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>,
             #fuser.fact<elements_at_most 0, 1000000000>, #fuser.fact<elements_at_most 1, 1000000000>, #fuser.fact<elements_at_most 2, 1000000000>]} {
  %0 = fuser.set %x {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize]>]} : tensor<?x?xbf16>
  %1 = fuser.set %y {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize]>]} : tensor<?x?xbf16>
  %2 = fuser.add %0, %1 {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize]>]} : tensor<?x?xbf16>
  %3 = fuser.set %2 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize]>]} : tensor<?x?xbf16>
  fuser.return %3 : tensor<?x?xbf16>
}
