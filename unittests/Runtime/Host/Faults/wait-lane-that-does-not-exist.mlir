// The last warp of a block of 40 threads has 8 lanes, and is summed as if it had 32.
// EXPECT: BarrierDivergence
// MESSAGE: expected lane 16 at fuser_gpu.shuffle, which reads it, but the lane does not exist
// LAUNCH: grid 1, block 40
// PARAMS: in f32 40, out f32 40
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: %lane = arith.constant 4 : i32
    %lane = arith.constant 16 : i32 // FAULT
    %v = memref.load %x[%t] : !f32s
    %w = fuser_gpu.shuffle xor %v, %lane width 32 : f32 // HERE
    memref.store %w, %y[%t] : !f32s
    gpu.return
  }
}
