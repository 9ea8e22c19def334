// What the kernel writes itself is read through the cache for what nobody writes.
// EXPECT: DataRace
// MESSAGE: expected fuser_gpu.load to be ordered with memref.store of thread (0, 0, 0), but no barrier is between them and both touch byte 4 of parameter 0
// LAUNCH: grid 1, block 1
// PARAMS: out f32 4, out f32 4
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%pw: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %w = memref.reinterpret_cast %pw to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    memref.store %one, %w[%c1] : !f32s
    // CLEAN: %v = memref.load %w[%c1] : !f32s
    %v = fuser_gpu.load %w[%c1] cache nc : !f32s, f32 // FAULT
    memref.store %v, %y[%c1] : !f32s
    gpu.return
  }
}
