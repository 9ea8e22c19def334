// RUN: fuser-run %s --device=host --check --sizes=100x72 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=129x520 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// The 8 chunks of a row of 64 elements of bf16 are swizzled by the row's number, which the copy does, too. A warp of its own copies.

// CHECK: check {{.*}} ok
// IR: %[[MAP:[a-z0-9]+]]: !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1]>}
// IR: fuser_gpu.copy_tensor %[[MAP]][
// IR: } else {
// IR: arith.xori
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.mbarrier_arrive
#t = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 64) -> (i4, i5), split(i5, 8) -> (i8, i9), swizzle(i3, i8, 1) -> (i10, i11), split(i3, 32) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_x, i9 @vectorize], allocation = [i2, i4, i10, i11, i9]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 64) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 32) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_x, i9 @vectorize]>
fuser.fusion @tiles(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xbf16>
  %1 = fuser.neg %0 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
