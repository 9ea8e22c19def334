// A tile is filled after it was read.
// EXPECT: UninitializedRead
// MESSAGE: expected memref.load to read what was written, but got byte 0 of the shared memory, which no thread of the block has written
// LAUNCH: grid 1, block 32
// PARAMS: out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    // CLEAN: memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    %v = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>> // HERE
    memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>> // FAULT
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
