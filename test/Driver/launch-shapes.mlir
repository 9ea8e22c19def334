// RUN: fuser-run %s --device=host --program=plane | FileCheck %s --check-prefix=PLANE
// RUN: fuser-run %s --device=host --program=volume | FileCheck %s --check-prefix=VOLUME
// Extents up to the last one that is not 1.

// PLANE: kernels {{ *}}plane_0: grid 5x3, block 16x8 (
// VOLUME: kernels {{ *}}volume_0: grid 1x1x2, block 8x1x4 (
#p = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 16) -> (i4, i5), loop = [i2 @block_y, i4 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @plane(%x: tensor<24x80xf32>) -> tensor<24x80xf32> {
  %0 = fuser.exp %x {domains = [#p], memory = #fuser.memory<global>} : tensor<24x80xf32>
  fuser.return %0 : tensor<24x80xf32>
}

#v = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i2 @block_z, i3 @thread_z, i1 @thread_x], allocation = [i0, i1]>
fuser.fusion @volume(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.exp %x {domains = [#v], memory = #fuser.memory<global>} : tensor<8x8xf32>
  fuser.return %0 : tensor<8x8xf32>
}
