// The result is stored into the input.
// EXPECT: BoxViolation
// MESSAGE: expected memref.store inside of the box of parameter 0 (sizes [8], strides [1], 32 bytes), but it is only read
// LAUNCH: grid 1, block 8
// PARAMS: in f32 8 box 8, out f32 8 box 8
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : !f32s
    %w = arith.addf %v, %v : f32
    // CLEAN: memref.store %w, %y[%t] : !f32s
    memref.store %w, %x[%t] : !f32s // FAULT
    gpu.return
  }
}
