// RUN: fuser-run %s --program=columns --device=host --check --sizes=100x96 | FileCheck %s
// RUN: fuser-run %s --program=columns --device=host --check --sizes=1x32 | FileCheck %s
// RUN: fuser-run %s --program=columns --device=host --check --sizes=0x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Strips of columns that each thread copies once, and reads twice: one wait, and no barrier between the copies and their uses.

// CHECK: check {{.*}} ok
// IR-LABEL: gpu.func @columns
// IR: fuser_gpu.copy_async 4 of
// IR-NOT: gpu.barrier
// IR: fuser_gpu.copy_commit
// IR-NOT: gpu.barrier
// IR: fuser_gpu.copy_wait 0
// IR-NOT: fuser_gpu.copy_wait
// IR-NOT: fuser_gpu.copy_async
// IR: gpu.return
#t = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), split(i0, 4) -> (i6, i7), split(i6, 2) -> (i8, i9), loop = [i4 @block_x, i8, i9 @unroll, i7 @thread_y, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
#s = #fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), split(r0, 4) -> (r6, r7), split(r6, 2) -> (r8, r9), loop = [i4 @block_x, r8, r9 @unroll, r7 @thread_y, i5 @thread_x, i3 @vectorize], allocation = [i1]>
#b = #fuser.domain<logical = [b0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), loop = [i4 @block_x, b0, i5 @thread_x, i3 @vectorize]>
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<at_most 0[0], 128>, #fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 1 : i64, fuser.stages = 1 : i64} : tensor<?x?xf32>
  %1 = fuser.max %0 dims [0] {domains = [#s], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.sub %0, %2 {domains = [#t], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
