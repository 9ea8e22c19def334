// Atomic additions to memory that nobody has cleared.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.atomic_rmw to read what was written, but got byte 4 of parameter 0, which is uninitialized
// LAUNCH: grid 1, block 8
// PARAMS: out f32 2, zero f32 2
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>, %pz: memref<f32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %z = memref.reinterpret_cast %pz to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    // CLEAN: memref.atomic_rmw addf %one, %z[%c1] : (f32, !f32s) -> f32
    memref.atomic_rmw addf %one, %y[%c1] : (f32, !f32s) -> f32 // FAULT
    gpu.return
  }
}
