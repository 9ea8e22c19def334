// RUN: fuser-run %s --device=host --check --sizes=100x256 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x264 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x16 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Four pieces of a tile, for each of which the producer arrives.

// CHECK: check {{.*}} ok
// IR-COUNT-3: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 4
// IR-COUNT-3: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 32
// IR-COUNT-4: fuser_gpu.copy_bulk
// IR: } else {
// IR-NOT: fuser_gpu.copy_bulk
// IR: fuser_gpu.mbarrier_arrive
#x = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 32) -> (i4, i5), split(i0, 4) -> (i6, i7), loop = [i4 @block_x, i6, i7 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
#s = #fuser.domain<logical = [r0, i1], split(i1, 8) -> (i2, i3), split(i2, 32) -> (i4, i5), split(r0, 4) -> (r6, r7), loop = [i4 @block_x, r6, r7 @unroll, i5 @thread_x, i3 @vectorize]>
#y = #fuser.domain<logical = [i1], split(i1, 8) -> (i2, i3), split(i2, 32) -> (i4, i5), loop = [i4 @block_x, i5 @thread_x, i3 @vectorize]>
fuser.fusion @columns(%x: tensor<?x?xbf16>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#x], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xbf16>
  %1 = fuser.cast %0 {domains = [#x], inline_at = 3 : i64} : tensor<?x?xbf16> to tensor<?x?xf32>
  %2 = fuser.sum %1 dims [0] {domains = [#s], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
