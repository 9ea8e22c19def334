// RUN: fuser-run %s --device=host --check --sizes=6x40x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x16x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x20x36 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Boxes of three dimensions, of an argument whose second dimension is the fastest one.

// CHECK: check {{.*}} ok
// IR: !fuser_gpu.tensor_map<1x64x16xf32> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 2, 1]>}
// IR: fuser_gpu.copy_tensor
#t = #fuser.domain<logical = [i0, i1, i2], split(i1, 16) -> (i3, i4), split(i2, 64) -> (i5, i6), loop = [i0 @block_x, i3 @block_y, i5, i6 @thread_y, i4 @thread_x], allocation = [i0, i3, i5, i6, i4]>
fuser.fusion @columns(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1]>], facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk"} : tensor<?x?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?x?xf32>
  fuser.return %1 : tensor<?x?x?xf32>
}
