// RUN: fuser-count-kernel %s | FileCheck %s --strict-whitespace --match-full-lines
// Loads from each memory space, as types and values show it: attributes, allocations and casts.

//      CHECK:kernel spaces
// CHECK-NEXT:  block              32x1x1
// CHECK-NEXT:  grid               1, 1, 1
// CHECK-NEXT:  index_bits         64
// CHECK-NEXT:  argument           3 all
// CHECK-NEXT:  load               1 global.4, 3 register.8, 1 shared.8
// CHECK-NEXT:  op                 8 all
gpu.module @spaces attributes {fuser_gpu.index_bits = 64 : i32} {
  gpu.func @spaces(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},
                   %g: memref<4xf32, #gpu.address_space<global>> {fuser_gpu.bind = #fuser_gpu.pointer<1>},
                   %i: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>})
      workgroup(%tile: memref<4xf64, #gpu.address_space<workgroup>>)
      private(%own: memref<4xcomplex<f32>, #gpu.address_space<private>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    %0 = memref.alloca() : memref<2xindex>
    %1 = memref.load %0[%i] : memref<2xindex>
    %2 = memref.load %own[%i] : memref<4xcomplex<f32>, #gpu.address_space<private>>
    %3 = memref.load %tile[%i] : memref<4xf64, #gpu.address_space<workgroup>>
    %4 = memref.load %g[%i] : memref<4xf32, #gpu.address_space<global>>
    %5 = memref.cast %0 : memref<2xindex> to memref<?xindex>
    %6 = memref.load %5[%i] : memref<?xindex>
    gpu.return
  }
}
