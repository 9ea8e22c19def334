// RUN: fuser-run %s --device=host --check --sizes=100x72 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=129x260 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A tile of 64 rows of 32 elements, which are no contiguous pieces, but a box. At the borders of the argument, the box has zeros,
// which are not read.

// CHECK: check {{.*}} ok
// IR: %[[MAP:[a-z0-9]+]]: !fuser_gpu.tensor_map<64x32xf32> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1]>}
// IR: fuser_gpu.mbarrier_expect %{{.*}} bytes %c8192
// IR: fuser_gpu.copy_tensor %[[MAP]][
// IR: scf.for
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.copy_tensor %[[MAP]][
// IR-NOT: copy_async
#t = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i3, 8) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i7 @thread_y, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @tiles(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
