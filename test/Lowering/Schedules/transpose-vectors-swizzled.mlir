// RUN: fuser-run %s --device=host --check --sizes=64x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=128x96 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=36x12 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=32x100 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A transpose through a swizzled tile: vectors from and to global memory, element by element in shared memory.

// CHECK: check {{.*}} ok
// IR: vector.load
// IR: arith.xori
// IR: gpu.barrier
// IR: arith.xori
// IR: vector.store
#load = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 4) -> (i6, i7), split(i3, 4) -> (i8, i9),
        loop = [i2 @block_y, i4 @block_x, i8, i9 @thread_y, i6 @thread_x, i7 @vectorize], allocation = [i0, i1]>
#tile = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), split(i1, 32) -> (i4, i5), swizzle(i3, i5, 4) -> (i10, i11), split(i5, 4) -> (i6, i7), split(i3, 4) -> (i8, i9),
        loop = [i2 @block_y, i4 @block_x, i8, i9 @thread_y, i6 @thread_x, i7], allocation = [i2, i4, i10, i11]>
#store = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 4) -> (i6, i7), split(i3, 4) -> (i8, i9),
        loop = [i4 @block_y, i2 @block_x, i8, i9 @thread_y, i6 @thread_x, i7 @vectorize], allocation = [i0, i1]>
fuser.fusion @transpose(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#load], inline_at = 5 : i64} : tensor<?x?xf32>
  %1 = fuser.exp %0 {domains = [#tile], memory = #fuser.memory<shared>, inline_at = 2 : i64} : tensor<?x?xf32>
  %2 = fuser.permute %1 [1, 0] {domains = [#store], inline_at = 5 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.set %2 {domains = [#store], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
